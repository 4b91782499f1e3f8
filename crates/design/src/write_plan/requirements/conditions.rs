//! The IF of the deciding statement, and guards of all statements where no IF can express a
//! condition.

use cql::relation::Operator;
use model::id::{AttributeId, IdList};
use model::plan::{
    ColumnRole, Derivation, Guard, IfClause, Operand, PlanRemark, PlannedColumn, Relation,
};
use model::workload::{Column, DerivedPart, Predicate, WriteKind};

use super::RowWriter;
use super::membership::evaluate_predicate;
use super::row_values::NullableValue;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::target::{AttributeChange, operand};
use crate::write_plan::impact::{ConditionTable, Impact, is_supported_by_if};
use crate::write_plan::scope::Scope;

impl<'a> RowWriter<'a> {
    /// The condition of the statement that decides whether the others are sent.
    pub(super) fn main_condition(&mut self, scope: &Scope<'a>) -> IfClause {
        if self.values.main != Some(ConditionTable::Here(scope.at)) {
            return IfClause::Always;
        }
        let mut relations: Vec<Relation> = Vec::new();
        let impact = &self.values.impact;
        // A condition on a number that is added to is checked on what was read, which must still be
        // there.
        let conditions = impact.target.conditions.iter();
        for condition in conditions.filter(|it| !impact.is_on_increment(&it.predicate)) {
            relations.extend(relation(scope, &condition.predicate));
        }
        if impact.can_hold_without_row() {
            relations.extend(presence(scope));
        }
        let added: Vec<_> = self.values.impact.increments().collect();
        for attribute in added {
            let column = Column { source: scope.source, attribute };
            let stored =
                scope.table.columns.iter().find(|planned| scope.is_stored_by(planned, column));
            if let Some(stored) = stored {
                let before = self.values.read_before(attribute);
                relations.push(Relation::equal(&stored.name, before));
                self.remark(PlanRemark::ReadAgain { column: stored.name.clone() });
            }
        }
        if relations.is_empty() { IfClause::Exists } else { IfClause::Columns(relations) }
    }

    /// Guards every statement by what no `IF` checks.
    pub(super) fn guard_conditions(&mut self) {
        let main = self.values.main.is_some();
        let is_optional = self.can_be_omitted();
        let conditions = self.values.impact.target.conditions.clone();
        let impact = self.values.impact.clone();
        let left = conditions.iter().filter(|condition| {
            !main
                || is_optional
                || !is_supported_by_if(&condition.predicate)
                || impact.is_on_increment(&condition.predicate)
        });
        let is_increment = impact.increments().next().is_some();
        if main && (is_increment || is_optional || self.can_be_absent()) {
            // An absent row has nulls in all columns, which the IF would take for the values read.
            let is_never_null = |at: &AttributeId| {
                let attribute = impact.entity().and_then(|entity| entity.attributes.member(*at));
                attribute.is_some_and(|attribute| !attribute.nullable)
            };
            let present = match impact.increments().find(is_never_null) {
                Some(at) => GuardExpression::If(Guard::NotNull(self.values.read_before(at))),
                None => self.values.row_existence(),
            };
            if let GuardExpression::If(guard) = present {
                self.guards.push(guard);
            }
        }
        if is_single_reference(&impact)
            && let GuardExpression::If(guard) = self.values.row_existence()
        {
            self.guards.push(guard);
        }
        for condition in left {
            let truth = evaluate_predicate(&condition.predicate, |column| {
                NullableValue::Is(self.values.read_before(column.attribute))
            });
            if let GuardExpression::If(guard) = truth {
                self.guards.push(guard);
            }
        }
    }
}

impl RowWriter<'_> {
    /// Whether the deciding statement is not sent where all values that it would set are null, so
    /// that its IF decides neither other statements nor what is returned.
    fn can_be_omitted(&self) -> bool {
        let impact = &self.values.impact;
        let Some(ConditionTable::Here(main)) = self.values.main else { return false };
        let scopes = impact.scopes();
        let is_alone = scopes.len() == 1 && impact.write.returning.is_none();
        let mut of_main = scopes.iter().filter(|scope| scope.at == main);
        let is_optional = |scope: &Scope<'_>, column: &PlannedColumn| match column.derivation {
            Derivation::Attribute(of) => {
                matches!(impact.attribute_change(scope, of), Some(AttributeChange::ToUnlessNull(_)))
            }
            _ => false,
        };
        let is_update = matches!(impact.write.kind, WriteKind::Update(..));
        is_update
            && !is_alone
            && of_main.all(|scope| {
                let mut columns = scope.table.columns.iter();
                columns.all(|it| !impact.is_column_affected(scope, it) || is_optional(scope, it))
            })
    }

    /// Whether the IF would hold where there is no row, and the table has no column to tell.
    fn can_be_absent(&self) -> bool {
        let impact = &self.values.impact;
        let Some(ConditionTable::Here(main)) = self.values.main else { return false };
        let scopes = impact.scopes();
        let of_main = scopes.iter().filter(|scope| scope.at == main);
        impact.can_hold_without_row() && of_main.into_iter().all(|scope| presence(scope).is_none())
    }
}

/// Whether it is the write of a reference that one row has at most, or none.
fn is_single_reference(impact: &Impact<'_>) -> bool {
    matches!(impact.write.derived, Some(DerivedPart::Referring { .. }))
        && matches!(impact.write.kind, WriteKind::Update(..))
        && impact.target.loops.is_empty()
}

/// The condition that the row exists: a column that is never null has a value. `IF EXISTS` cannot
/// stand beside other conditions.
fn presence(scope: &Scope<'_>) -> Option<Relation> {
    let entity = scope.shape.entity(scope.source)?;
    let is_never_null = |planned: &&PlannedColumn| match planned.derivation {
        Derivation::Attribute(of) if planned.role == ColumnRole::Regular => {
            of.source == scope.source
                && entity.attributes.member(of.attribute).is_some_and(|it| !it.nullable)
        }
        _ => false,
    };
    let stored = scope.table.columns.iter().find(is_never_null)?;
    Some(Relation::Column {
        column: stored.name.clone(),
        operator: Operator::Neq,
        value: Operand::Literal("null".to_owned()),
    })
}

/// A predicate as conditions of an `IF`.
fn relation(scope: &Scope<'_>, test: &Predicate) -> Vec<Relation> {
    let name = |column: &Column| {
        let column = Column { source: scope.source, attribute: column.attribute };
        let stored = scope.table.columns.iter().find(|planned| scope.is_stored_by(planned, column));
        stored.map(|stored| stored.name.clone()).unwrap_or_default()
    };
    let compare = |column: &Column, operator, value| Relation::Column {
        column: name(column),
        operator,
        value,
    };
    match test {
        Predicate::Compare { column, comparison, value } => {
            vec![compare(column, comparison.operator(), operand(value))]
        }
        Predicate::In { column, values } => vec![match values.as_slice() {
            [single] => compare(column, Operator::Eq, operand(single)),
            several => {
                Relation::In { column: name(column), values: several.iter().map(operand).collect() }
            }
        }],
        Predicate::AnyOf { column, parameter } => {
            let list = Operand::Parameter(*parameter);
            vec![Relation::InList { column: name(column), list }]
        }
        Predicate::Holds { column, value } => {
            vec![compare(column, Operator::Contains, operand(value))]
        }
        Predicate::Prefix { column, value } => {
            let end = Operand::AfterPrefix(Box::new(operand(value)));
            vec![compare(column, Operator::Gte, operand(value)), compare(column, Operator::Lt, end)]
        }
        Predicate::NotNull { column } => {
            vec![compare(column, Operator::Neq, Operand::Literal("null".to_owned()))]
        }
        Predicate::Null { column } => {
            vec![compare(column, Operator::Eq, Operand::Literal("null".to_owned()))]
        }
        Predicate::Row { .. } => Vec::new(),
    }
}
