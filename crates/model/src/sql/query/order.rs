//! ORDER BY and LIMIT.

use cql::Span;
use sqlparser::ast::{
    Expr, LimitClause, OrderBy, OrderByExpr, OrderByKind, OrderBySort, Query, Value as SqlValue,
};

use cql::types::{NativeType, Type};

use super::condition::is_ordered;
use super::output::ResultColumn;
use super::parameter::ValueTarget;
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{
    ExpressionShape, classify_expression, column_name, plain_arguments, strip_brackets,
};
use crate::concept::ValueLimit;
use crate::figures::with_article;
use crate::workload::{Column, Limit, OutputValue, SortColumn};

/// The most columns of ORDER BY and of GROUP BY.
pub(super) const KEY_COLUMNS_MAX: usize = 32;

impl Resolver<'_> {
    /// The columns of ORDER BY. `sortable`: those by which groups can be ordered.
    pub(super) fn resolve_order(
        &mut self,
        scope: &Scope,
        order: Option<&OrderBy>,
        shown: &[ResultColumn],
        sortable: Option<&[Column]>,
    ) -> Vec<SortColumn> {
        let expressions = match order.map(|order| &order.kind) {
            None => return Vec::new(),
            Some(OrderByKind::Expressions(expressions)) => expressions,
            Some(OrderByKind::All(_)) => {
                self.refuse(&refusal::CLAUSE, self.keyword_span(self.named.span, "ORDER BY"));
                return Vec::new();
            }
        };
        if let Some(more) = expressions.get(KEY_COLUMNS_MAX) {
            self.report_too_many(&more.expr);
            return Vec::new();
        }
        let mut ordering_columns: Vec<SortColumn> = Vec::new();
        for expression in expressions {
            let Some(ordering) = self.resolve_ordering(scope, expression, shown) else { continue };
            let span = self.expression_span(&expression.expr);
            let is_grouped = shown.iter().any(ResultColumn::is_aggregate) || sortable.is_some();
            let sortable = sortable.unwrap_or_default();
            if is_grouped && (!sortable.contains(&ordering.column) || ordering.null_as.is_some()) {
                let message = format!(
                    "{} orders its groups by something else than it groups by",
                    self.name()
                );
                let help =
                    "order by a column of GROUP BY (or of SELECT DISTINCT), or remove ORDER BY";
                self.report("MF350", span, message, help);
            }
            if ordering_columns.iter().all(|other| other.column != ordering.column) {
                ordering_columns.push(ordering);
            }
        }
        ordering_columns
    }

    /// Reports a list of key columns that is too long.
    pub(super) fn report_too_many(&mut self, first: &Expr) {
        let message =
            format!("{} orders or groups by more than {KEY_COLUMNS_MAX} columns", self.name());
        self.report("MF326", self.expression_span(first), message, "use fewer columns");
    }

    fn resolve_ordering(
        &mut self,
        scope: &Scope,
        item: &OrderByExpr,
        shown: &[ResultColumn],
    ) -> Option<SortColumn> {
        let span = self.expression_span(&item.expr);
        let descending = match &item.options.sort {
            None | Some(OrderBySort::Asc) => false,
            Some(OrderBySort::Desc) => true,
            Some(OrderBySort::Using(_)) => {
                self.refuse(&refusal::ORDER_COMPUTED, span);
                return None;
            }
        };
        let (column, null_as) = match self.resolve_coalesce(scope, &item.expr) {
            Some(coalesced) => coalesced?,
            None => (self.resolve_order_column(scope, &item.expr, shown, span)?, None),
        };
        let attribute = self.attribute_of(scope, column);
        self.check_orderable(scope, column, span)?;
        self.check_label_order(scope, column, span)?;
        // What PostgreSQL does anyway needs no word.
        let is_usual = item.options.nulls_first.is_none_or(|first| first == descending);
        if !is_usual && attribute.nullable && null_as.is_none() {
            let message = format!(
                "{} uses NULLS FIRST or NULLS LAST with {}, which may be null",
                self.name(),
                attribute.name
            );
            let help = format!(
                "declare {0} NOT NULL, or order by `COALESCE({0}, constant)`",
                attribute.name
            );
            self.report("MF351", self.keyword_span(span, "NULLS"), message, help);
        }
        Some(SortColumn { column, descending, null_as })
    }

    /// Reports a column whose type has no order, which cannot be a key column.
    pub(super) fn check_orderable(
        &mut self,
        scope: &Scope,
        column: Column,
        span: Span,
    ) -> Option<()> {
        let attribute = self.attribute_of(scope, column);
        if is_ordered(&attribute.ty) {
            return Some(());
        }
        let message =
            format!("{} is {}, which has no order", attribute.name, with_article(&attribute.ty));
        self.report("MF350", span, message, "use another column");
        None
    }

    /// Reports an enum that SQL orders as its labels are declared, and Cassandra by their bytes.
    pub(super) fn check_label_order(
        &mut self,
        scope: &Scope,
        column: Column,
        span: Span,
    ) -> Option<()> {
        let attribute = self.attribute_of(scope, column);
        let Some(ValueLimit::Labels(labels)) = &attribute.limit else { return Some(()) };
        if labels.is_sorted() {
            return Some(());
        }
        let message = format!(
            "{} uses the order of {}, an enum, whose labels are ordered as they are declared",
            self.name(),
            attribute.name
        );
        let help = "store the position of the label as a number and use that, or declare the \
                    labels in alphabetical order";
        self.report("MF350", span, message, help);
        None
    }

    /// `COALESCE(column, constant)`; `None` for another expression.
    #[expect(
        clippy::option_option,
        reason = "another expression, an erroneous COALESCE, or a correct one"
    )]
    fn resolve_coalesce(
        &mut self,
        scope: &Scope,
        expression: &Expr,
    ) -> Option<Option<(Column, Option<String>)>> {
        let Expr::Function(function) = strip_brackets(expression) else { return None };
        let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name)?;
        let given = plain_arguments(&function.args);
        let [column, constant] = given[..] else { return None };
        let names = column_name(column).filter(|_| name == "coalesce")?;
        Some(self.resolve_coalesce_column(scope, names, constant))
    }

    fn resolve_coalesce_column(
        &mut self,
        scope: &Scope,
        names: &[sqlparser::ast::Ident],
        constant: &Expr,
    ) -> Option<(Column, Option<String>)> {
        let column = self.resolve_column(scope, names)?;
        let attribute = self.attribute_of(scope, column);
        let target = ValueTarget { name: &attribute.name, ty: &attribute.ty, usage: None };
        let constant = self.resolve_constant(constant, target)?;
        let is_nullable = attribute.nullable || scope.tables[column.source].left;
        Some((column, is_nullable.then_some(constant)))
    }

    fn resolve_order_column(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        shown: &[ResultColumn],
        span: Span,
    ) -> Option<Column> {
        let output = match classify_expression(expression) {
            ExpressionShape::Column(names) => {
                let alias = match names {
                    [name] => shown.iter().find(|shown| shown.output.name == fold_name(name)),
                    _ => None,
                };
                match alias {
                    Some(alias) => alias,
                    None => return self.resolve_column(scope, names),
                }
            }
            ExpressionShape::Constant => self.resolve_ordinal(expression, shown, "MF350")?,
            _ => {
                let aggregate = matches!(strip_brackets(expression), Expr::Function(function) if is_aggregate(function));
                let refused =
                    if aggregate { &refusal::ORDER_AGGREGATE } else { &refusal::ORDER_COMPUTED };
                self.refuse(refused, span);
                return None;
            }
        };
        if output.computed.is_some() {
            self.refuse(&refusal::ORDER_COMPUTED, span);
            return None;
        }
        if let OutputValue::Column(column) = output.output.value {
            return Some(column);
        }
        self.refuse(&refusal::ORDER_AGGREGATE, span);
        None
    }

    /// LIMIT, or FETCH FIRST.
    pub(super) fn resolve_limit(
        &mut self,
        scope: &Scope,
        query: &Query,
        order: &[SortColumn],
    ) -> Option<Limit> {
        let mut limit_expression = None;
        let end = self.places.node_span(&*query.body, self.named.span);
        match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) => {
                limit_expression = limit.as_ref();
                if offset.is_some() {
                    let from = Span::new(end.end, end.end);
                    let place = self.keyword_span(from, "OFFSET");
                    self.refuse_offset(scope, query, order, place);
                }
                if let Some(by) = limit_by.first() {
                    self.refuse(&refusal::CLAUSE, self.expression_span(by));
                }
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                self.refuse_offset(scope, query, order, self.expression_span(offset));
                limit_expression = Some(limit);
            }
            None => {}
        }
        if let Some(fetch) = &query.fetch {
            if fetch.with_ties || fetch.percent {
                self.refuse(
                    &refusal::TIES,
                    self.keyword_span(Span::new(end.end, end.end), "FETCH"),
                );
            }
            limit_expression = fetch.quantity.as_ref();
            if limit_expression.is_none() {
                return Some(Limit::Number(1));
            }
        }
        self.resolve_limit_value(limit_expression?)
    }

    fn resolve_limit_value(&mut self, limit_expression: &Expr) -> Option<Limit> {
        let span = self.expression_span(limit_expression);
        if let ExpressionShape::Parameter(placeholder) = classify_expression(limit_expression) {
            let ty = Type::Native(NativeType::Int);
            let target = ValueTarget { name: "limit", ty: &ty, usage: None };
            return self.resolve_parameter(placeholder, span, target).map(Limit::Parameter);
        }
        let number = match strip_brackets(limit_expression) {
            Expr::Value(value) => match &value.value {
                SqlValue::Number(number, _) => number.parse::<i32>().ok(),
                _ => None,
            },
            _ => None,
        };
        match number.and_then(|number| u64::try_from(number).ok()) {
            Some(number) if number > 0 => Some(Limit::Number(number)),
            _ => {
                let message = format!("{} is not a valid number of rows", self.places.text(span));
                self.report(
                    "MF352",
                    span,
                    message,
                    "write a number of at least 1, or a parameter: `LIMIT ?`",
                );
                None
            }
        }
    }
}

fn is_aggregate(function: &sqlparser::ast::Function) -> bool {
    let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name);
    matches!(name.as_deref(), Some("count" | "sum" | "avg" | "min" | "max"))
}
