//! The row that a write is about: what is known of it before, and what it is after.

use model::concept::Entity;
use model::id::{AttributeId, EntityId, LoopId, Numbered};
use model::plan::{Loop, Operand};
use model::workload::{AssignmentValue, Comparison, Condition, Test, Value, Write, WriteKind};

use crate::Context;
use crate::writing::count::{self, Count};

/// The row (or rows) that a write is about.
#[derive(Clone, Debug)]
pub(in crate::writing) struct Target {
    pub(in crate::writing) entity: EntityId,
    /// For each attribute its value before, as far as the statement says it.
    pub(in crate::writing) known: Vec<Option<Operand>>,
    /// For each attribute a value that it has before if the write's condition holds.
    pub(in crate::writing) assumed: Vec<Option<Operand>>,
    /// For each attribute what becomes of it.
    pub(in crate::writing) after: Vec<After>,
    /// The attributes by which the row can be looked up.
    pub(in crate::writing) key: Vec<AttributeId>,
    /// What else the statement asks of the row.
    pub(in crate::writing) conditions: Vec<Condition>,
    /// What every statement is repeated over: several keys, or several rows.
    pub(in crate::writing) loops: Vec<Loop>,
    pub(in crate::writing) count: Count,
    /// There may be many rows: they are read first.
    pub(in crate::writing) rows_first: bool,
}

/// What becomes of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::writing) enum After {
    Same,
    Null,
    To(Operand),
    Plus(Operand),
    Less(Operand),
    Append(Operand),
    Remove(Operand),
}

/// A value of the workload as an operand.
pub(in crate::writing) fn operand(value: &Value) -> Operand {
    match value {
        Value::Parameter(parameter) => Operand::Parameter(*parameter),
        Value::Literal(literal) => Operand::Literal(literal.clone()),
    }
}

impl Target {
    /// What a write is about.
    pub(in crate::writing) fn of(context: Context<'_>, write: &Write, rows_first: bool) -> Self {
        let entity = context.concept.entities.at(write.entity);
        let count = entity.map_or(0, |entity| entity.attributes.len());
        let mut target = Self {
            entity: write.entity,
            known: vec![None; count],
            assumed: vec![None; count],
            after: vec![After::Same; count],
            key: Vec::new(),
            conditions: Vec::new(),
            loops: Vec::new(),
            count: Count::ONE,
            rows_first,
        };
        match &write.kind {
            WriteKind::Insert(values) => {
                target.after = vec![After::Null; count];
                for (attribute, value) in values {
                    target.set(*attribute, given(value));
                }
            }
            WriteKind::Update(assignments, conditions) => {
                for assignment in assignments {
                    target.set(assignment.attribute, after(&assignment.value));
                }
                target.read_conditions(context, entity, conditions);
            }
            WriteKind::Delete(conditions) => target.read_conditions(context, entity, conditions),
        }
        target
    }

    fn set(&mut self, attribute: AttributeId, after: After) {
        if let Some(slot) = self.after.get_mut(attribute.index()) {
            *slot = after;
        }
    }

    /// Whether the write changes an attribute.
    pub(in crate::writing) fn changes(&self, attribute: AttributeId) -> bool {
        self.after.get(attribute.index()).is_some_and(|after| *after != After::Same)
    }

    /// The attributes that change.
    pub(in crate::writing) fn changed(&self) -> impl Iterator<Item = AttributeId> {
        (0..self.after.len()).map(AttributeId::new).filter(|attribute| self.changes(*attribute))
    }

    /// Takes apart the WHERE clause: the key that it fixes, and what else it asks.
    fn read_conditions(
        &mut self,
        context: Context<'_>,
        entity: Option<&Entity>,
        conditions: &[Condition],
    ) {
        let Some(entity) = entity else { return };
        let tenant = context.concept.tenant.as_deref();
        let is_tenant = |attribute: AttributeId| {
            tenant.is_some() && entity.attributes.at(attribute).map(|a| a.name.as_str()) == tenant
        };
        let fixed = |attribute: AttributeId| conditions.iter().any(|c| fixes(&c.test, attribute));
        let key = entity
            .keys
            .iter()
            .find(|key| !key.is_empty() && key.iter().all(|attribute| fixed(*attribute)));
        for condition in conditions {
            let equal = equality(&condition.test);
            let part = fixed_attribute(&condition.test).is_some_and(|attribute| {
                key.map_or(equal.is_some(), |key| key.contains(&attribute)) || is_tenant(attribute)
            });
            if !part {
                self.conditions.push(condition.clone());
                if let Some((attribute, value)) = equal {
                    self.assumed[attribute.index()] = Some(operand(value));
                }
                continue;
            }
            self.fix(&condition.test);
        }
        self.rows_first |= key.is_none();
    }

    /// Takes the value (or the values, in turns) of a column of the key.
    fn fix(&mut self, test: &Test) {
        let Some(attribute) = fixed_attribute(test) else { return };
        self.key.push(attribute);
        let known = match test {
            Test::Compare { value, .. } => operand(value),
            Test::In { values, .. } => {
                self.count = self.count.times(Count::of(values.len()));
                self.turn(Loop::Values(values.clone()))
            }
            Test::AnyOf { parameter, .. } => {
                self.count = self.count.times(count::LISTED);
                self.turn(Loop::Elements(Operand::Parameter(*parameter)))
            }
            _ => return,
        };
        if let Some(slot) = self.known.get_mut(attribute.index()) {
            *slot = Some(known);
        }
    }

    fn turn(&mut self, turn: Loop) -> Operand {
        self.loops.push(turn);
        Operand::Turn(LoopId::new(self.loops.len() - 1))
    }
}

/// What an INSERT gives an attribute.
fn given(value: &Value) -> After {
    match value {
        Value::Literal(literal) if literal.eq_ignore_ascii_case("null") => After::Null,
        _ => After::To(operand(value)),
    }
}

fn after(value: &AssignmentValue) -> After {
    match value {
        AssignmentValue::Set(value) => given(value),
        AssignmentValue::Null => After::Null,
        AssignmentValue::Add(value) => After::Plus(operand(value)),
        AssignmentValue::Subtract(value) => After::Less(operand(value)),
        AssignmentValue::Append(value) => After::Append(operand(value)),
        AssignmentValue::Remove(value) => After::Remove(operand(value)),
    }
}

/// The attribute and value of an equality.
fn equality(test: &Test) -> Option<(AttributeId, &Value)> {
    match test {
        Test::Compare { column, comparison: Comparison::Equal, value } => {
            Some((column.attribute, value))
        }
        _ => None,
    }
}

/// The attribute that a test fixes to one value or to each of several.
fn fixed_attribute(test: &Test) -> Option<AttributeId> {
    match test {
        Test::Compare { column, comparison: Comparison::Equal, .. }
        | Test::In { column, .. }
        | Test::AnyOf { column, .. } => Some(column.attribute),
        _ => None,
    }
}

fn fixes(test: &Test, attribute: AttributeId) -> bool {
    fixed_attribute(test) == Some(attribute)
}
