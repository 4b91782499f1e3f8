//! The GROUP BY clause.

use std::collections::BTreeSet;

use cql::Span;
use sqlparser::ast::{Expr, GroupByExpr, Select};

use super::order::KEY_COLUMNS_MAX;
use super::output::ResultColumn;
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression};
use crate::workload::{Column, OutputValue};

impl Resolver<'_> {
    /// The columns of GROUP BY, which become key columns and must fit what is returned.
    pub(super) fn resolve_group(
        &mut self,
        scope: &Scope,
        select: &Select,
        shown: &[ResultColumn],
    ) -> Vec<Column> {
        let expressions = match &select.group_by {
            GroupByExpr::Expressions(expressions, modifiers) if modifiers.is_empty() => expressions,
            _ => {
                let start = self.node_span(&select.group_by);
                self.refuse(&refusal::CLAUSE, self.keyword_span(start, "GROUP BY"));
                return Vec::new();
            }
        };
        if let Some(more) = expressions.get(KEY_COLUMNS_MAX) {
            self.report_too_many(more);
            return Vec::new();
        }
        let mut group: Vec<(Column, Span)> = Vec::new();
        for expression in expressions {
            let column = self.resolve_group_column(scope, expression, shown);
            let span = self.expression_span(expression);
            if let Some(column) = column {
                self.check_orderable(scope, column, span);
            }
            if let Some(column) =
                column.filter(|column| group.iter().all(|(other, _)| other != column))
            {
                group.push((column, span));
            }
        }
        if group.len() == expressions.len() {
            self.check_group_outputs(scope, &group, shown);
        }
        group.into_iter().map(|(column, _)| column).collect()
    }

    fn resolve_group_column(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        shown: &[ResultColumn],
    ) -> Option<Column> {
        let span = self.expression_span(expression);
        let output = match classify_expression(expression) {
            ExpressionShape::Column(names) => {
                let alias = match names {
                    [name] => shown.iter().find(|shown| shown.output.name == fold_name(name)),
                    _ => None,
                };
                // A column of the tables takes precedence over the name of an output.
                let is_column = match names {
                    [name] => scope.tables.iter().any(|table| {
                        self.concept.entities[table.entity]
                            .attribute_named(&fold_name(name))
                            .is_some()
                    }),
                    _ => true,
                };
                match alias {
                    Some(alias) if !is_column => alias,
                    _ => return self.resolve_column(scope, names),
                }
            }
            ExpressionShape::Constant => self.resolve_ordinal(expression, shown, "MF354")?,
            _ => {
                self.refuse(&refusal::GROUP_COMPUTED, span);
                return None;
            }
        };
        if output.computed.is_none()
            && let OutputValue::Column(column) = output.output.value
        {
            return Some(column);
        }
        self.refuse(&refusal::GROUP_COMPUTED, span);
        None
    }

    /// Every column that is returned must be grouped by, or be one of a row whose key is.
    fn check_group_outputs(
        &mut self,
        scope: &Scope,
        group: &[(Column, Span)],
        shown: &[ResultColumn],
    ) {
        if group.is_empty() && !shown.iter().any(ResultColumn::is_aggregate) {
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
                let message = format!("{} returns {name}, which is not in GROUP BY", self.name());
                let help = format!("add {name} to GROUP BY, or remove it from the result");
                self.report("MF354", shown.span, message, help);
            }
        }
    }
}
