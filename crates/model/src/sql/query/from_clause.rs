//! The FROM clause: its tables and the conditions of its joins.

use cql::Span;
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor,
    TableWithJoins,
};

use super::join::Equation;
use super::refusal::{self, Refusal};
use super::resolver::{Resolver, fold_name};
use super::scope::{Scope, ScopeTable};
use super::shape::{column_name, strip_brackets};
use crate::id::{EntityId, IdList, SourceId};
use crate::workload::Column;

/// The most tables that a query may join.
const TABLES_MAX: usize = 32;

/// A resolved FROM clause.
#[derive(Default)]
pub(super) struct FromClause<'e> {
    pub(super) scope: Scope,
    /// The conditions of ON, all of which must hold.
    pub(super) conditions: Vec<&'e Expr>,
    /// The conditions of the ON of LEFT JOINs.
    pub(super) left_conditions: Vec<&'e Expr>,
    /// The equations of USING.
    pub(super) equations: Vec<Equation>,
}

impl Resolver<'_> {
    /// Reads a FROM clause.
    pub(super) fn resolve_from<'e>(&mut self, tables: &'e [TableWithJoins]) -> FromClause<'e> {
        let mut from = FromClause::default();
        for table in tables {
            self.resolve_joins(&mut from, table);
        }
        if from.scope.tables.len() > TABLES_MAX {
            let message = format!("{} joins more than {TABLES_MAX} tables", self.name());
            let span = from.scope.tables[TABLES_MAX].span;
            self.report("MF326", span, message, "split the query");
            return FromClause { scope: Scope::new_unknown(), ..FromClause::default() };
        }
        from
    }

    fn resolve_joins<'e>(&mut self, from: &mut FromClause<'e>, tables: &'e TableWithJoins) {
        self.resolve_factor(from, &tables.relation);
        for join in &tables.joins {
            let before = from.scope.tables.last().map_or(self.named.span, |table| table.span);
            if let Some((refused, word)) = join_refusal(&join.join_operator) {
                self.refuse(refused, self.keyword_span(before, word));
            }
            let is_left =
                matches!(join.join_operator, JoinOperator::Left(_) | JoinOperator::LeftOuter(_));
            let first = from.scope.tables.len();
            if let (true, TableFactor::NestedJoin { .. }) = (is_left, &join.relation) {
                self.refuse(&refusal::LEFT_NESTED, self.keyword_span(before, "LEFT"));
            }
            self.resolve_factor(from, &join.relation);
            for table in from.scope.tables.iter_mut().skip(first).filter(|_| is_left) {
                table.left = true;
            }
            let unconditional = matches!(
                join_constraint(&join.join_operator),
                None | Some(JoinConstraint::Natural)
            );
            // Rejected above; the search for a join path would report it again.
            from.scope.torn |= unconditional;
            match join_constraint(&join.join_operator) {
                Some(JoinConstraint::On(condition)) if is_left => {
                    from.left_conditions.extend(conjuncts(condition));
                }
                Some(JoinConstraint::On(condition)) => from.conditions.extend(conjuncts(condition)),
                Some(JoinConstraint::Using(columns)) => self.resolve_using(from, columns),
                Some(JoinConstraint::Natural) => {
                    self.refuse(&refusal::NATURAL_JOIN, self.keyword_span(before, "NATURAL"));
                }
                Some(JoinConstraint::None) | None => {}
            }
        }
    }

    fn resolve_factor<'e>(&mut self, from: &mut FromClause<'e>, factor: &'e TableFactor) {
        match factor {
            TableFactor::Table { name, alias, args: None, .. } => {
                self.resolve_table(from, name, alias.as_ref());
            }
            TableFactor::NestedJoin { table_with_joins, .. } => {
                self.resolve_joins(from, table_with_joins);
            }
            TableFactor::Derived { subquery, alias, .. } => {
                self.refuse(&refusal::SUB_QUERY, self.node_span(&**subquery));
                from.scope
                    .unknown
                    .push(alias.as_ref().map_or(String::new(), |it| fold_name(&it.name)));
            }
            other => {
                self.refuse(&refusal::TABLE_EXPRESSION, self.node_span(other));
                from.scope.unknown.push(String::new());
            }
        }
    }

    fn resolve_table(
        &mut self,
        from: &mut FromClause<'_>,
        name: &ObjectName,
        alias: Option<&TableAlias>,
    ) {
        if let Some(column) = alias.and_then(|alias| alias.columns.first()) {
            self.refuse(&refusal::CLAUSE, self.node_span(column));
        }
        let entity = self.resolve_entity(name);
        let own = name.0.last().and_then(|part| part.as_ident()).map(fold_name).unwrap_or_default();
        let alias_span = alias.and_then(|alias| self.places.span(alias.name.span));
        let span = self.node_span(name).union(alias_span.unwrap_or_else(|| self.node_span(name)));
        let alias = alias.map_or(own, |alias| fold_name(&alias.name));
        // A table without columns has an error in its declaration, which was reported.
        let known = |entity: &EntityId| !self.concept.entities[*entity].attributes.is_empty();
        let Some(entity) = entity.filter(known) else {
            from.scope.unknown.push(alias);
            return;
        };
        if from.scope.tables.iter().any(|table| table.alias == alias) {
            let message = format!("{} reads from two tables named {alias}", self.name());
            let table = &self.concept.entities[entity].name;
            self.report("MF305", span, message, format!("give it a different alias: `{table} a`"));
            from.scope.unknown.push(alias);
            return;
        }
        from.scope.tables.push(ScopeTable { entity, alias, span, left: false });
    }

    /// Each column of USING is a column of the table just joined and of an earlier one.
    fn resolve_using(&mut self, from: &mut FromClause<'_>, columns: &[ObjectName]) {
        let Some(joined) = from.scope.tables.ids().next_back() else { return };
        for name in columns {
            let Some(name) = name.0.last().and_then(|part| part.as_ident()) else { continue };
            let folded = fold_name(name);
            let span = self.places.span(name.span).unwrap_or(self.named.span);
            let found = |source: SourceId| {
                let entity = &self.concept.entities[from.scope.entity(source)];
                let attribute = entity.attribute_named(&folded)?;
                Some(Column { source, attribute })
            };
            let earlier = from.scope.tables.ids().take(joined.index()).find_map(found);
            let (Some(own), Some(earlier)) = (found(joined), earlier) else {
                if from.scope.unknown.is_empty() {
                    self.report_unshared(&folded, span);
                }
                from.scope.torn = true;
                continue;
            };
            from.equations.push(Equation { left: earlier, right: own, span });
            if !from.scope.merged.iter().any(|(merged, _)| *merged == folded) {
                from.scope.merged.push((folded, earlier));
            }
        }
    }

    fn report_unshared(&mut self, column: &str, span: Span) {
        let message = format!("USING column {column} does not exist in both tables");
        self.report("MF303", span, message, "use ON instead: `ON a.x = b.y`");
    }

    /// The equations between columns of two tables among conditions, and the conditions that are
    /// none.
    pub(super) fn split_equations<'e>(
        &mut self,
        scope: &mut Scope,
        conditions: Vec<&'e Expr>,
    ) -> (Vec<Equation>, Vec<&'e Expr>) {
        let mut equations = Vec::new();
        let mut others = Vec::new();
        for condition in conditions {
            let sides = match condition {
                Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                    let (left, right) =
                        (self.strip_idle_cast(scope, left), self.strip_idle_cast(scope, right));
                    column_name(left).zip(column_name(right))
                }
                _ => None,
            };
            let Some((left, right)) = sides else {
                others.push(condition);
                continue;
            };
            let span = self.expression_span(condition);
            let (left, right) =
                (self.resolve_column(scope, left), self.resolve_column(scope, right));
            match left.zip(right) {
                Some((left, right)) if left.source == right.source => {
                    self.refuse(&refusal::COLUMNS_COMPARED, span);
                }
                Some((left, right)) => equations.push(Equation { left, right, span }),
                None => scope.torn = true,
            }
        }
        (equations, others)
    }
}

/// The conditions that must all hold for the whole to hold, in the order of the text.
pub(super) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    let mut open = vec![condition];
    let mut found = Vec::new();
    while let Some(next) = open.pop() {
        match strip_brackets(next) {
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                open.extend([&**right, &**left]);
            }
            other => found.push(other),
        }
    }
    found
}

fn join_constraint(operator: &JoinOperator) -> Option<&JoinConstraint> {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => Some(constraint),
        _ => None,
    }
}

/// The refusal of a kind of join, and its keyword.
fn join_refusal(operator: &JoinOperator) -> Option<(&'static Refusal, &'static str)> {
    match operator {
        JoinOperator::Join(_)
        | JoinOperator::Inner(_)
        | JoinOperator::Left(_)
        | JoinOperator::LeftOuter(_) => None,
        JoinOperator::Right(_) | JoinOperator::RightOuter(_) => {
            Some((&refusal::OUTER_JOIN, "RIGHT"))
        }
        JoinOperator::FullOuter(_) => Some((&refusal::OUTER_JOIN, "FULL")),
        JoinOperator::CrossJoin(_) => Some((&refusal::CROSS_JOIN, "CROSS JOIN")),
        _ => Some((&refusal::CLAUSE, "JOIN")),
    }
}
