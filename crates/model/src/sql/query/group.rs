//! GROUP BY.

use std::collections::BTreeSet;

use cql::Span;
use sqlparser::ast::{Expr, GroupByExpr, Select};

use super::order::MOST_COLUMNS;
use super::output::Shown;
use super::refusal;
use super::resolver::{Resolver, folded};
use super::scope::Scope;
use super::shape::{Shape, shape};
use crate::workload::{Column, OutputValue};

impl Resolver<'_> {
    /// The columns of GROUP BY, which become key columns and must fit what is returned.
    pub(super) fn group(&mut self, scope: &Scope, select: &Select, shown: &[Shown]) -> Vec<Column> {
        let expressions = match &select.group_by {
            GroupByExpr::Expressions(expressions, modifiers) if modifiers.is_empty() => expressions,
            _ => {
                let start = self.place(&select.group_by);
                self.refuse(&refusal::CLAUSE, self.keyword(start, "GROUP BY"));
                return Vec::new();
            }
        };
        if let Some(more) = expressions.get(MOST_COLUMNS) {
            self.too_many(more);
            return Vec::new();
        }
        let mut group: Vec<(Column, Span)> = Vec::new();
        for expression in expressions {
            let column = self.group_column(scope, expression, shown);
            let span = self.expression(expression);
            if let Some(column) = column {
                self.can_order(scope, column, span);
            }
            if let Some(column) =
                column.filter(|column| group.iter().all(|(other, _)| other != column))
            {
                group.push((column, span));
            }
        }
        if group.len() == expressions.len() {
            self.fits_outputs(scope, &group, shown);
        }
        group.into_iter().map(|(column, _)| column).collect()
    }

    fn group_column(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        shown: &[Shown],
    ) -> Option<Column> {
        let span = self.expression(expression);
        let output = match shape(expression) {
            Shape::Column(names) => {
                let alias = match names {
                    [name] => shown.iter().find(|shown| shown.output.name == folded(name)),
                    _ => None,
                };
                // A column of the tables goes before the name of an output.
                let is_column = match names {
                    [name] => scope.tables.iter().any(|table| {
                        self.concept.entities[table.entity].attribute_named(&folded(name)).is_some()
                    }),
                    _ => true,
                };
                match alias {
                    Some(alias) if !is_column => alias,
                    _ => return self.column(scope, names),
                }
            }
            Shape::Constant => self.numbered(expression, shown, "MF354")?,
            _ => {
                self.refuse(&refusal::GROUP_COMPUTED, span);
                return None;
            }
        };
        if let OutputValue::Column(column) = output.output.value {
            return Some(column);
        }
        self.refuse(&refusal::GROUP_COMPUTED, span);
        None
    }

    /// Every column that is returned must be grouped by, or be one of a row whose key is.
    fn fits_outputs(&mut self, scope: &Scope, group: &[(Column, Span)], shown: &[Shown]) {
        let aggregates = shown.iter().any(Shown::is_aggregate);
        if !aggregates {
            if let Some((_, span)) = group.first() {
                self.refuse(&refusal::GROUP_WITHOUT_AGGREGATE, *span);
            }
            return;
        }
        let grouped: BTreeSet<Column> = group.iter().map(|(column, _)| *column).collect();
        for shown in shown {
            let OutputValue::Column(column) = shown.output.value else { continue };
            let entity = &self.concept.entities[scope.entity(column.source)];
            let key = entity.primary_key();
            let key_grouped = !key.is_empty()
                && key.iter().all(|&attribute| {
                    grouped.contains(&Column { source: column.source, attribute })
                });
            if !grouped.contains(&column) && !key_grouped {
                let name = &self.attribute_of(scope, column).name;
                let message = format!("{} returns {name}, which it does not group by", self.name());
                let help = format!("add {name} to GROUP BY, or leave it out");
                self.report("MF354", shown.span, message, help);
            }
        }
    }
}
