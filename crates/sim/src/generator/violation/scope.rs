//! The constraints that a write may violate: those over values that its caller chooses.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};
use model::concept::{AttributeRef, Concept, Constraint, Entity, ReferenceAction};
use model::expression::Expression;
use model::id::{AttributeId, EntityId, IdList};
use model::workload::{Assignment, AssignmentValue, Supply, Value, Write, WriteKind};
use sqlparser::ast::{Insert, OnInsert, Statement};

/// What a part of a write gives the attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OpenAttributes {
    /// Attributes whose new value depends on a value that the caller chooses.
    changed: BTreeSet<AttributeId>,
    /// Those that get the value as it is, or a sum with it: null makes them null.
    null: BTreeSet<AttributeId>,
    /// Those to which a value is added.
    added: BTreeSet<AttributeId>,
    /// The keys by which a row is found, so that it is changed and not refused.
    arbiters: Vec<Vec<AttributeId>>,
    /// A row is inserted: nothing refers to it yet.
    is_inserted: bool,
}

/// The constraints that a write may violate, by any of the values of its statement.
pub(crate) fn list_constraints(concept: &Concept, write: &Write) -> Vec<Constraint> {
    let Some(entity) = concept.entities.member(write.entity) else { return Vec::new() };
    let mut found = BTreeSet::new();
    for part in list_parts(entity, write) {
        add_row_constraints(write.entity, entity, &part, &mut found);
        for (holder, other) in concept.entities.enumerate_ids() {
            for (at, reference) in other.references.enumerate_ids() {
                let is_moved = reference.target_attributes.iter().any(|it| part.is_open(*it));
                let is_held = reference.target == write.entity && !reference.on_update.is_change();
                if is_held && is_moved && !part.is_inserted {
                    found.insert(Constraint::Restriction(holder, at));
                }
            }
        }
    }
    if matches!(write.kind, WriteKind::Delete(_)) {
        add_restrictions(concept, write.entity, &mut found);
    }
    found.into_iter().collect()
}

impl OpenAttributes {
    fn is_open(&self, at: AttributeId) -> bool {
        self.changed.contains(&at)
    }
}

fn add_row_constraints(
    at: EntityId,
    entity: &Entity,
    part: &OpenAttributes,
    found: &mut BTreeSet<Constraint>,
) {
    let is_any_open = |attributes: &[AttributeId]| attributes.iter().any(|at| part.is_open(*at));
    for (attribute, declared) in entity.attributes.enumerate_ids() {
        let of = AttributeRef { entity: at, attribute };
        let is_array = declared.ty.is_collection();
        if !declared.nullable && part.null.contains(&attribute) && !is_array {
            found.insert(Constraint::NotNull(of));
        }
        if part.added.contains(&attribute) && is_whole_number(&declared.ty) {
            found.insert(Constraint::Range(of));
        }
    }
    for (check, declared) in entity.checks.iter().enumerate() {
        let columns = declared.expression.as_ref().map(Expression::columns).unwrap_or_default();
        if columns.into_iter().any(|column| part.is_open(*column)) {
            found.insert(Constraint::Check(at, check));
        }
    }
    for (key, parts) in entity.keys.iter().enumerate() {
        if is_any_open(parts) && !part.arbiters.contains(parts) {
            found.insert(Constraint::Key(at, key));
        }
    }
    for (unique, declared) in entity.unique.iter().enumerate() {
        let condition = declared.condition.as_ref().and_then(|it| it.expression.as_ref());
        let enters = condition.is_some_and(|it| it.columns().iter().any(|it| part.is_open(**it)));
        let is_arbiter = part.arbiters.contains(&declared.attributes);
        if (is_any_open(&declared.attributes) || enters) && !is_arbiter {
            found.insert(Constraint::Unique(at, unique));
        }
    }
    for (reference, declared) in entity.references.enumerate_ids() {
        if is_any_open(&declared.attributes) {
            found.insert(Constraint::Target(at, reference));
        }
    }
}

/// The foreign keys that forbid to delete a row of an entity, or one that is deleted with it.
fn add_restrictions(concept: &Concept, start: EntityId, found: &mut BTreeSet<Constraint>) {
    let (mut open, mut seen) = (vec![start], BTreeSet::from([start]));
    while let Some(target) = open.pop() {
        for (holder, entity) in concept.entities.enumerate_ids() {
            for (at, reference) in entity.references.enumerate_ids() {
                if reference.target != target {
                    continue;
                }
                if !reference.on_delete.is_change() {
                    found.insert(Constraint::Restriction(holder, at));
                } else if reference.on_delete == ReferenceAction::Cascade && seen.insert(holder) {
                    open.push(holder);
                }
            }
        }
    }
}

/// What each part of a write gives: each inserted row, and what is set.
fn list_parts(entity: &Entity, write: &Write) -> Vec<OpenAttributes> {
    let kinds = match &write.kind {
        WriteKind::Rows(rows) => rows.iter().collect(),
        other => vec![other],
    };
    let mut parts = Vec::new();
    for kind in kinds {
        match kind {
            WriteKind::Insert(values) => {
                let keys =
                    if has_conflict_clause(write) { entity.keys.clone() } else { Vec::new() };
                parts.push(list_inserted(write, values, keys));
            }
            WriteKind::Update(assignments, _) => parts.push(list_assigned(write, assignments)),
            WriteKind::Upsert(upsert) => {
                parts.push(list_inserted(write, &upsert.values, upsert.keys.clone()));
                let update = upsert.update.as_ref();
                parts.extend(update.map(|(assignments, _)| list_assigned(write, assignments)));
            }
            WriteKind::Delete(_) | WriteKind::Rows(_) => {}
        }
    }
    for part in &mut parts {
        add_generated(entity, part);
    }
    parts
}

fn list_inserted(
    write: &Write,
    values: &[(AttributeId, Value)],
    arbiters: Vec<Vec<AttributeId>>,
) -> OpenAttributes {
    let open = values.iter().filter(|(_, value)| is_chosen(write, value));
    let changed: BTreeSet<_> = open.map(|(at, _)| *at).collect();
    let null = changed.clone();
    OpenAttributes { changed, null, arbiters, is_inserted: true, ..OpenAttributes::default() }
}

fn list_assigned(write: &Write, assignments: &[Assignment]) -> OpenAttributes {
    let mut part = OpenAttributes::default();
    for assignment in assignments {
        let at = assignment.attribute;
        match &assignment.value {
            AssignmentValue::Set(value) if is_chosen(write, value) => {
                part.null.insert(at);
            }
            AssignmentValue::Add(value) | AssignmentValue::Subtract(value)
                if is_chosen(write, value) =>
            {
                part.null.insert(at);
                part.added.insert(at);
            }
            AssignmentValue::SetUnlessNull(value) if is_chosen(write, value) => {}
            _ => continue,
        }
        part.changed.insert(at);
    }
    part
}

/// A generated column depends on its inputs.
fn add_generated(entity: &Entity, part: &mut OpenAttributes) {
    for (at, attribute) in entity.attributes.enumerate_ids() {
        let generation = attribute.generated.as_ref().and_then(|it| it.expression.as_ref());
        let Some(expression) = generation else { continue };
        if expression.columns().into_iter().any(|input| part.changed.contains(input)) {
            part.changed.insert(at);
        }
    }
}

/// Whether an INSERT does nothing where its row exists: `ON CONFLICT DO NOTHING` under the only key
/// there is. One that is `@strict` is refused instead.
pub(super) fn has_conflict_clause(write: &Write) -> bool {
    write.strict
        && matches!(
            model::sql::parse_statement(&write.sql),
            Ok(Statement::Insert(Insert { on: Some(OnInsert::OnConflict(_)), .. }))
        )
}

/// Whether the caller chooses a value: it is a parameter that the client does not make.
pub(super) fn is_chosen(write: &Write, value: &Value) -> bool {
    let Value::Parameter(at) = value else { return false };
    let supply = write.parameters.member(*at).map(|parameter| &parameter.supply);
    supply.is_some_and(|supply| !matches!(supply, Supply::Client(_)))
}

const fn is_whole_number(ty: &Type) -> bool {
    matches!(ty, Type::Native(NativeType::Smallint | NativeType::Int | NativeType::Bigint))
}
