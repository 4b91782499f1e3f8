//! SELECT: its clauses in the order of the text, and EXISTS.

use sqlparser::ast::{Distinct, Expr, GroupByExpr, Query, Select, SelectItem, SetExpr};

use super::distinct::is_each_row_a_group;
use super::from_clause::{FromClause, conjuncts};
use super::output::{ResultColumn, list_computed_outputs, number_repeated_names};
use super::refusal;
use super::resolver::Resolver;
use super::scope::Scope;
use super::shape::strip_brackets;
use crate::workload::{
    Column, ComputedOutput, Condition, Limit, Output, OutputValue, Predicate, SortColumn, Source,
};

/// A resolved SELECT.
pub(super) struct QueryParts {
    pub(super) sources: Vec<Source>,
    pub(super) outputs: Vec<Output>,
    pub(super) computed: Vec<ComputedOutput>,
    pub(super) conditions: Vec<Condition>,
    pub(super) group: Vec<Column>,
    pub(super) order: Vec<SortColumn>,
    pub(super) limit: Option<Limit>,
}

impl Resolver<'_> {
    /// Resolves a query.
    pub(super) fn resolve_query(&mut self, query: &Query) -> Option<QueryParts> {
        self.check_query_clauses(query);
        let select = self.single_select(&query.body)?;
        if let Some((inside, name)) = self.exists_query(select) {
            return self.resolve_exists(inside, name);
        }
        let (scope, sources, conditions) = self.resolve_rows(select);
        let mut shown = self.resolve_outputs(&scope, &select.projection);
        let returned = shown.len();
        let is_counted = shown.iter().any(ResultColumn::is_aggregate);
        let constant = shown.iter().find(|shown| shown.is_constant());
        if let Some(constant) = constant.filter(|_| is_counted || has_groups(select)) {
            self.refuse(&refusal::CONSTANT_OUTPUT, constant.span);
            return None;
        }
        shown.extend(self.add_hidden_outputs(&scope, &shown));
        let mut group = self.resolve_group(&scope, select, &shown);
        let (mut sortable, mut is_grouped) = (group.clone(), !group.is_empty());
        let is_distinct = matches!(select.distinct, Some(Distinct::Distinct));
        if is_distinct {
            is_grouped = true;
            if let Some(computed) = shown.iter().find(|shown| shown.computed.is_some()) {
                self.refuse(&refusal::COMPUTED_OUTPUT, computed.span);
            }
            sortable = shown.iter().filter_map(ResultColumn::column).collect();
            group = self.resolve_distinct(&scope, &sources, &shown);
        }
        if !is_counted && is_each_row_a_group(self.concept, &sources, &conditions, &group) {
            group.clear();
        }
        let sorted = query.order_by.as_ref();
        let sortable = is_grouped.then_some(&sortable[..]);
        let mut order = self.resolve_order(&scope, sorted, &shown, sortable);
        // A column that is null in every row orders nothing.
        let is_null =
            |column: Column| conditions.iter().any(|it| it.predicate == Predicate::Null { column });
        order.retain(|ordering| !is_null(ordering.column));
        if let Some(column) = group.iter().find(|column| is_null(**column)) {
            let name = &self.attribute_of(&scope, *column).name;
            let message = format!("{} groups by {name}, which is null in every row", self.name());
            let place = self.keyword_span(self.node_span(&select.group_by), "GROUP BY");
            self.report("MF354", place, message, format!("remove {name} from GROUP BY"));
        }
        let limit = self.resolve_limit(&scope, query, &order);
        self.check_left_uses(&scope, &sources, &shown, (&group, &order));
        number_repeated_names(&mut shown);
        let outputs: Vec<Output> = shown.iter().map(|shown| shown.output.clone()).collect();
        let computed = list_computed_outputs(shown.get(..returned).unwrap_or_default(), &outputs);
        Some(QueryParts { sources, outputs, computed, conditions, group, order, limit })
    }

    /// Reports unsupported clauses before and after a SELECT.
    fn check_query_clauses(&mut self, query: &Query) {
        if let Some(with) = &query.with {
            let span = self.places.span(with.with_token.0.span).unwrap_or(self.named.span);
            self.refuse(&refusal::WITH, span);
        }
        let end = self.places.node_span(query, self.named.span);
        if !query.locks.is_empty() {
            self.refuse(&refusal::LOCK, self.keyword_span(end, "FOR"));
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
    fn single_select<'e>(&mut self, body: &'e SetExpr) -> Option<&'e Select> {
        match body {
            SetExpr::Select(select) => Some(select),
            SetExpr::Query(query) => {
                self.check_query_clauses(query);
                self.single_select(&query.body)
            }
            SetExpr::SetOperation { op, .. } => {
                let mut left = body;
                while let SetExpr::SetOperation { left: inside, .. } = left {
                    left = inside;
                }
                let first = self.places.node_span(left, self.named.span);
                self.refuse(&refusal::SET_OPERATION, self.keyword_span(first, &op.to_string()));
                None
            }
            _ => {
                self.refuse(&refusal::CLAUSE, self.named.span);
                None
            }
        }
    }

    /// The query of `SELECT EXISTS(...)`, and the name of its output.
    fn exists_query<'e>(&mut self, select: &'e Select) -> Option<(&'e Query, String)> {
        let [item] = &select.projection[..] else { return None };
        let (expression, name) = match item {
            SelectItem::UnnamedExpr(expression) => (expression, "exists".to_owned()),
            SelectItem::ExprWithAlias { expr, alias } => (expr, super::resolver::fold_name(alias)),
            _ => return None,
        };
        let Expr::Exists { subquery, negated } = strip_brackets(expression) else { return None };
        if *negated {
            self.refuse(&refusal::NOT_EXISTS, self.keyword_span(self.named.span, "NOT EXISTS"));
        }
        if let Some(table) = select.from.first() {
            self.refuse(&refusal::SUB_QUERY, self.node_span(table));
        }
        Some((subquery, name))
    }

    /// `SELECT EXISTS(...)`: what the inner query returns, and in which order, does not matter.
    fn resolve_exists(&mut self, query: &Query, name: String) -> Option<QueryParts> {
        self.check_query_clauses(query);
        let select = self.single_select(&query.body)?;
        let (scope, sources, conditions) = self.resolve_rows(select);
        if has_groups(select) {
            self.refuse(
                &refusal::CLAUSE,
                self.keyword_span(self.node_span(&select.group_by), "GROUP BY"),
            );
        }
        if !is_constant(select) {
            self.resolve_outputs(&scope, &select.projection);
        }
        Some(QueryParts {
            sources,
            outputs: vec![Output { name, value: OutputValue::Exists }],
            computed: Vec::new(),
            conditions,
            group: Vec::new(),
            order: Vec::new(),
            limit: None,
        })
    }

    /// FROM and WHERE.
    fn resolve_rows(&mut self, select: &Select) -> (Scope, Vec<Source>, Vec<Condition>) {
        self.check_select_clauses(select);
        let FromClause { mut scope, mut conditions, left_conditions, mut equations } =
            self.resolve_from(&select.from);
        if select.from.is_empty() {
            let message = format!("{} has no FROM clause", self.name());
            let span = self.places.span(select.select_token.0.span).unwrap_or(self.named.span);
            self.report("MF302", span, message, "add FROM with a table of the file");
            scope = Scope::new_unknown();
        }
        conditions.extend(select.selection.iter().flat_map(conjuncts));
        let (more, others) = self.split_equations(&mut scope, left_conditions);
        equations.extend(more);
        for condition in others {
            self.refuse(&refusal::LEFT_CONDITION, self.expression_span(condition));
        }
        let (more, conditions) = self.split_equations(&mut scope, conditions);
        equations.extend(more);
        let mut sources = self.resolve_path(&mut scope, &equations);
        let conditions = self.resolve_conditions(&scope, &conditions);
        let conditions = self.settle_left_joins(&mut scope, &mut sources, conditions);
        self.report_contradictions(&scope, &sources, &conditions);
        (scope, sources, conditions)
    }

    /// Reports unsupported clauses of a SELECT.
    fn check_select_clauses(&mut self, select: &Select) {
        let start = self.places.span(select.select_token.0.span).unwrap_or(self.named.span);
        if let Some(Distinct::On(_)) = select.distinct {
            self.refuse(&refusal::DISTINCT_ON, self.keyword_span(start, "DISTINCT"));
        }
        if let Some(having) = &select.having {
            let span = self.with_keyword_before(self.expression_span(having), "HAVING");
            self.refuse(&refusal::HAVING, span);
        }
        if let Some(window) = select.named_window.first() {
            self.refuse(&refusal::WINDOW, self.node_span(window));
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
