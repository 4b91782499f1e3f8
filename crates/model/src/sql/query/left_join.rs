//! LEFT JOIN: which joins are optional, and what may be done with columns that they make null.

use cql::Span;

use super::output::ResultColumn;
use super::refusal;
use super::resolver::Resolver;
use super::scope::Scope;
use crate::id::{IdList, SourceId};
use crate::workload::{
    Column, Condition, OutputValue, Predicate, SortColumn, Source, join_reference, settle_joins,
};

impl Resolver<'_> {
    /// Marks the joins that are optional, in the scope as well, and resolves `IS NULL` on their
    /// columns.
    pub(super) fn settle_left_joins(
        &mut self,
        scope: &mut Scope,
        sources: &mut [Source],
        conditions: Vec<Condition>,
    ) -> Vec<Condition> {
        settle_joins(self.concept, sources, &conditions);
        for (table, source) in scope.tables.iter_mut().zip(sources.iter()) {
            table.left = source.is_optional();
        }
        for at in sources.ids().filter(|at| sources[*at].is_optional()) {
            let lives = |at: SourceId| {
                self.concept.entities[sources[at].entity].retain.unwrap_or(f64::INFINITY)
            };
            let reference = join_reference(self.concept, sources, at);
            if reference.is_some_and(|(holder, _)| lives(at) < lives(holder)) {
                self.refuse(&refusal::LEFT_EXPIRES, scope.tables[at].span);
            }
        }
        let tested = conditions.into_iter();
        tested.filter_map(|condition| self.settle_null_test(scope, sources, condition)).collect()
    }

    /// `IS NULL` on a column that is null only where the LEFT JOIN finds no row: its reference is
    /// null.
    fn settle_null_test(
        &mut self,
        scope: &Scope,
        sources: &[Source],
        condition: Condition,
    ) -> Option<Condition> {
        let Predicate::Null { column } = condition.predicate else { return Some(condition) };
        if !sources.member(column.source).is_some_and(Source::is_optional) {
            return Some(condition);
        }
        let is_nullable = self.attribute_of(scope, column).nullable;
        let reference = join_reference(self.concept, sources, column.source);
        let found = reference.filter(|_| !is_nullable).and_then(|(holder, reference)| {
            let entity = self.concept.entities.member(sources.member(holder)?.entity)?;
            let nullable = |at: &&crate::id::AttributeId| {
                entity.attributes.member(**at).is_some_and(|it| it.nullable)
            };
            let mut nullable = reference.attributes.iter().filter(nullable);
            let (attribute, None) = (*nullable.next()?, nullable.next()) else { return None };
            let is_there = sources.member(holder).is_some_and(|it| !it.is_optional());
            is_there.then_some(Column { source: holder, attribute })
        });
        let Some(column) = found else {
            self.refuse(&refusal::LEFT_IS_NULL, condition.span);
            return None;
        };
        Some(Condition { predicate: Predicate::Null { column }, span: condition.span })
    }

    /// Reports uses of optional columns that no table can serve.
    pub(super) fn check_left_uses(
        &mut self,
        scope: &Scope,
        sources: &[Source],
        shown: &[ResultColumn],
        (group, order): (&[Column], &[SortColumn]),
    ) {
        let is_optional =
            |column: Column| sources.member(column.source).is_some_and(Source::is_optional);
        if let Some(ordering) =
            order.iter().find(|it| is_optional(it.column) && it.null_as.is_none())
        {
            let name = &self.attribute_of(scope, ordering.column).name;
            let alias = &scope.tables[ordering.column.source].alias;
            let message = format!(
                "{} orders by {alias}.{name}, which a LEFT JOIN may leave null",
                self.name()
            );
            let help = format!("order by `COALESCE({alias}.{name}, constant)`");
            self.report("MF351", self.keyword_span(self.named.span, "ORDER BY"), message, help);
        }
        if group.iter().any(|column| is_optional(*column)) {
            let place = self.keyword_span(self.named.span, "GROUP BY");
            self.refuse(&refusal::LEFT_GROUP, place);
        }
        for shown in shown {
            let OutputValue::Column(column) = shown.output.value else { continue };
            if is_optional(column) {
                self.check_left_key(scope, sources, column, shown.span);
            }
        }
    }

    /// Reports a column that the reference of several columns equates: where one of them is null,
    /// the others are not, so the column of the joined row is not that of the row that refers to
    /// it.
    fn check_left_key(&mut self, scope: &Scope, sources: &[Source], column: Column, span: Span) {
        let Some((holder, reference)) = join_reference(self.concept, sources, column.source) else {
            return;
        };
        let at = reference.target_attributes.iter().position(|it| *it == column.attribute);
        let Some(own) = at.and_then(|at| reference.attributes.get(at)) else { return };
        if reference.attributes.len() < 2 {
            return;
        }
        let own = Column { source: holder, attribute: *own };
        let name = &self.attribute_of(scope, own).name;
        let alias = &scope.tables[holder].alias;
        let message = format!(
            "{} returns a column of the reference from the row that a LEFT JOIN may not find",
            self.name()
        );
        self.report("MF332", span, message, format!("return {alias}.{name}"));
    }
}
