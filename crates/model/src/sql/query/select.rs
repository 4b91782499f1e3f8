//! SELECT.

use sqlparser::ast::{Distinct, Expr, GroupByExpr, Query, Select, SelectItem, SetExpr};

use super::from::{From, conjuncts};
use super::refusal;
use super::resolver::Resolver;
use super::scope::Scope;
use super::shape::bare;
use crate::workload::{Column, Condition, Limit, Ordering, Output, OutputValue, Source};

/// What a SELECT says.
pub(super) struct Selected {
    pub(super) sources: Vec<Source>,
    pub(super) outputs: Vec<Output>,
    pub(super) conditions: Vec<Condition>,
    pub(super) group: Vec<Column>,
    pub(super) order: Vec<Ordering>,
    pub(super) limit: Option<Limit>,
}

impl Resolver<'_> {
    /// Resolves a query.
    pub(super) fn query(&mut self, query: &Query) -> Option<Selected> {
        self.around(query);
        let select = self.body(&query.body)?;
        if let Some((inside, name)) = self.exists(select) {
            return self.existence(inside, name);
        }
        let (scope, sources, conditions) = self.rows_of(select);
        let shown = self.outputs(&scope, select);
        let group = self.group(&scope, select, &shown);
        let order = self.order(&scope, query.order_by.as_ref(), &shown, &group);
        let limit = self.limit(query);
        let outputs = shown.into_iter().map(|shown| shown.output).collect();
        Some(Selected { sources, outputs, conditions, group, order, limit })
    }

    /// What stands before and behind a SELECT.
    fn around(&mut self, query: &Query) {
        if let Some(with) = &query.with {
            let span = self.places.span(with.with_token.0.span).unwrap_or(self.named.span);
            self.refuse(&refusal::WITH, span);
        }
        let end = self.places.of(query, self.named.span);
        if !query.locks.is_empty() {
            self.refuse(&refusal::LOCK, self.keyword(end, "FOR"));
        }
        if query.for_clause.is_some()
            || query.settings.is_some()
            || query.format_clause.is_some()
            || !query.pipe_operators.is_empty()
        {
            self.refuse(&refusal::CLAUSE, self.named.span);
        }
    }

    /// The one SELECT of a query.
    fn body<'e>(&mut self, body: &'e SetExpr) -> Option<&'e Select> {
        match body {
            SetExpr::Select(select) => Some(select),
            SetExpr::Query(query) => {
                self.around(query);
                self.body(&query.body)
            }
            SetExpr::SetOperation { op, .. } => {
                let mut left = body;
                while let SetExpr::SetOperation { left: inside, .. } = left {
                    left = inside;
                }
                let first = self.places.of(left, self.named.span);
                self.refuse(&refusal::SET_OPERATION, self.keyword(first, &op.to_string()));
                None
            }
            _ => {
                self.refuse(&refusal::CLAUSE, self.named.span);
                None
            }
        }
    }

    /// The query of `SELECT EXISTS(...)`, and the name of its answer.
    fn exists<'e>(&mut self, select: &'e Select) -> Option<(&'e Query, String)> {
        let [item] = &select.projection[..] else { return None };
        let (expression, name) = match item {
            SelectItem::UnnamedExpr(expression) => (expression, "exists".to_owned()),
            SelectItem::ExprWithAlias { expr, alias } => (expr, super::resolver::folded(alias)),
            _ => return None,
        };
        let Expr::Exists { subquery, negated } = bare(expression) else { return None };
        if *negated {
            self.refuse(&refusal::NOT_EXISTS, self.keyword(self.named.span, "NOT EXISTS"));
        }
        if let Some(table) = select.from.first() {
            self.refuse(&refusal::SUB_QUERY, self.place(table));
        }
        Some((subquery, name))
    }

    /// `SELECT EXISTS(...)`: what the inner query returns, and in which order, does not matter.
    fn existence(&mut self, query: &Query, name: String) -> Option<Selected> {
        self.around(query);
        let select = self.body(&query.body)?;
        let (scope, sources, conditions) = self.rows_of(select);
        if has_groups(select) {
            self.refuse(&refusal::CLAUSE, self.keyword(self.place(&select.group_by), "GROUP BY"));
        }
        if !is_constant(select) {
            self.outputs(&scope, select);
        }
        Some(Selected {
            sources,
            outputs: vec![Output { name, value: OutputValue::Exists }],
            conditions,
            group: Vec::new(),
            order: Vec::new(),
            limit: None,
        })
    }

    /// FROM and WHERE.
    fn rows_of(&mut self, select: &Select) -> (Scope, Vec<Source>, Vec<Condition>) {
        self.clauses(select);
        let From { mut scope, mut conditions, mut equations } = self.from(&select.from);
        if select.from.is_empty() {
            let message = format!("{} reads from no table", self.name());
            let span = self.places.span(select.select_token.0.span).unwrap_or(self.named.span);
            self.report("MF302", span, message, "add FROM and a table of the file");
            scope = Scope::unknown();
        }
        conditions.extend(select.selection.iter().flat_map(conjuncts));
        let (more, conditions) = self.equations(&mut scope, conditions);
        equations.extend(more);
        let sources = self.path(&mut scope, &equations);
        let conditions = self.conditions(&scope, &conditions);
        self.contradictions(&scope, &sources, &conditions);
        (scope, sources, conditions)
    }

    /// What a SELECT may not have.
    fn clauses(&mut self, select: &Select) {
        let start = self.places.span(select.select_token.0.span).unwrap_or(self.named.span);
        if let Some(Distinct::Distinct | Distinct::On(_)) = select.distinct {
            self.refuse(&refusal::DISTINCT, self.keyword(start, "DISTINCT"));
        }
        if let Some(having) = &select.having {
            let span = self.with_keyword_before(self.expression(having), "HAVING");
            self.refuse(&refusal::HAVING, span);
        }
        if let Some(window) = select.named_window.first() {
            self.refuse(&refusal::WINDOW, self.place(window));
        }
        if select.top.is_some()
            || select.into.is_some()
            || select.exclude.is_some()
            || select.qualify.is_some()
            || select.prewhere.is_some()
            || !select.lateral_views.is_empty()
            || !select.connect_by.is_empty()
            || !select.sort_by.is_empty()
            || !select.cluster_by.is_empty()
            || !select.distribute_by.is_empty()
        {
            self.refuse(&refusal::CLAUSE, start);
        }
    }
}

fn has_groups(select: &Select) -> bool {
    !matches!(&select.group_by, GroupByExpr::Expressions(columns, _) if columns.is_empty())
}

/// `SELECT 1`
fn is_constant(select: &Select) -> bool {
    matches!(
        &select.projection[..],
        [SelectItem::UnnamedExpr(Expr::Value(_)) | SelectItem::Wildcard(_)]
    ) || select.projection.is_empty()
}
