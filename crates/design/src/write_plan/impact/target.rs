//! The row written: what is known of it before the write, and what it is after.

use cql::types::NativeType;
use model::concept::Entity;
use model::expression::Expression;
use model::id::{AttributeId, EntityId, IdList, LoopId};
use model::plan::{Loop, Operand};
use model::workload::{AssignmentValue, Comparison, Condition, Predicate, Value, Write, WriteKind};

use crate::Context;
use crate::write_plan::count::{self, Count};

/// The row (or rows) written.
#[derive(Clone, Debug)]
pub(in crate::write_plan) struct WriteTarget {
    pub(in crate::write_plan) entity: EntityId,
    /// For each attribute its value before the write, where the statement fixes it.
    pub(in crate::write_plan) known: Vec<Option<Operand>>,
    /// For each attribute the value that it has before the write if the condition holds.
    pub(in crate::write_plan) assumed: Vec<Option<Operand>>,
    /// For each attribute what becomes of it.
    pub(in crate::write_plan) after: Vec<AttributeChange>,
    /// The attributes by which the row can be looked up.
    pub(in crate::write_plan) key: Vec<AttributeId>,
    /// The other conditions of the statement.
    pub(in crate::write_plan) conditions: Vec<Condition>,
    /// What every statement is repeated over: several keys, or several rows.
    pub(in crate::write_plan) loops: Vec<Loop>,
    pub(in crate::write_plan) count: Count,
    /// There may be many rows: they are read first.
    pub(in crate::write_plan) rows_first: bool,
}

/// What becomes of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::write_plan) enum AttributeChange {
    Same,
    Null,
    To(Operand),
    /// To the value; the same where that is null.
    ToUnlessNull(Operand),
    Plus(Operand),
    Less(Operand),
    Append(Operand),
    Remove(Operand),
    /// It is generated from attributes of which one changes.
    Computed,
}

/// A value of the workload as an operand.
pub(in crate::write_plan) fn operand(value: &Value) -> Operand {
    match value {
        Value::Parameter(parameter) => Operand::Parameter(*parameter),
        Value::Literal(literal) => Operand::Literal(literal.clone()),
    }
}

impl WriteTarget {
    /// The target of a write.
    pub(in crate::write_plan) fn new(
        context: Context<'_>,
        write: &Write,
        rows_first: bool,
    ) -> Self {
        let entity = context.concept.entities.member(write.entity);
        let count = entity.map_or(0, |entity| entity.attributes.len());
        let mut target = Self {
            entity: write.entity,
            known: vec![None; count],
            assumed: vec![None; count],
            after: vec![AttributeChange::Same; count],
            key: Vec::new(),
            conditions: Vec::new(),
            loops: Vec::new(),
            count: Count::ONE,
            rows_first,
        };
        match &write.kind {
            WriteKind::Insert(values) => {
                target.after = vec![AttributeChange::Null; count];
                for (attribute, value) in values {
                    target.set(*attribute, insert_change(value));
                }
                target.round_values(entity);
            }
            WriteKind::Update(assignments, conditions) => {
                for assignment in assignments {
                    target.set(assignment.attribute, assignment_change(&assignment.value));
                }
                target.round_values(entity);
                target.read_conditions(context, entity, conditions);
            }
            WriteKind::Delete(conditions) => target.read_conditions(context, entity, conditions),
            // The derived writes have the rows.
            WriteKind::Upsert(_) | WriteKind::Rows(_) => {}
        }
        target.compute_generated(entity);
        target
    }

    fn set(&mut self, attribute: AttributeId, after: AttributeChange) {
        if let Some(slot) = self.after.get_mut(attribute.index()) {
            *slot = after;
        }
    }

    /// Rounds the values of attributes with so many digits after the point.
    fn round_values(&mut self, entity: Option<&Entity>) {
        let attributes = entity.map(|entity| entity.attributes.as_slice()).unwrap_or_default();
        for (after, attribute) in self.after.iter_mut().zip(attributes) {
            let Some(scale) = attribute.scale() else { continue };
            if let AttributeChange::To(value) | AttributeChange::ToUnlessNull(value) = after {
                *value = round_operand(value.clone(), scale);
            }
        }
    }

    /// Marks the generated attributes that change along with others.
    fn compute_generated(&mut self, entity: Option<&Entity>) {
        let attributes = entity.map(|entity| entity.attributes.as_slice()).unwrap_or_default();
        for (at, attribute) in attributes.enumerate_ids() {
            let generation = attribute.generated.as_ref();
            let Some(expression) = generation.and_then(|it| it.expression.as_ref()) else {
                continue;
            };
            if expression.columns().into_iter().any(|input| self.is_changed(*input)) {
                self.set(at, AttributeChange::Computed);
            }
        }
    }

    /// Whether the write changes an attribute.
    pub(in crate::write_plan) fn is_changed(&self, attribute: AttributeId) -> bool {
        self.after.get(attribute.index()).is_some_and(|after| *after != AttributeChange::Same)
    }

    /// The attributes that change.
    pub(in crate::write_plan) fn attributes_changed(&self) -> impl Iterator<Item = AttributeId> {
        (0..self.after.len()).map(AttributeId::new).filter(|attribute| self.is_changed(*attribute))
    }

    /// Splits the WHERE clause into the key that it fixes and the other conditions.
    fn read_conditions(
        &mut self,
        context: Context<'_>,
        entity: Option<&Entity>,
        conditions: &[Condition],
    ) {
        let Some(entity) = entity else { return };
        let tenant = context.concept.tenant.as_deref();
        let is_tenant = |attribute: AttributeId| {
            tenant.is_some()
                && entity.attributes.member(attribute).map(|a| a.name.as_str()) == tenant
        };
        let fixed = |attribute: AttributeId| {
            conditions.iter().any(|c| has_equality_on(&c.predicate, attribute))
        };
        let key = entity
            .keys
            .iter()
            .find(|key| !key.is_empty() && key.iter().all(|attribute| fixed(*attribute)));
        for condition in conditions {
            let equal = equality(&condition.predicate);
            let part = equality_attribute(&condition.predicate).is_some_and(|attribute| {
                key.map_or(equal.is_some(), |key| key.contains(&attribute)) || is_tenant(attribute)
            });
            if !part {
                self.conditions.push(condition.clone());
                if let Some((attribute, value)) = equal {
                    self.assumed[attribute.index()] = Some(operand(value));
                }
                continue;
            }
            self.fix(&condition.predicate);
        }
        self.rows_first |= key.is_none();
    }

    /// Takes the value of a key column; a loop where there are several.
    fn fix(&mut self, test: &Predicate) {
        let Some(attribute) = equality_attribute(test) else { return };
        self.key.push(attribute);
        let known = match test {
            Predicate::Compare { value, .. } => operand(value),
            Predicate::In { values, .. } => {
                self.count = self.count.times(Count::new(values.len()));
                self.add_loop(Loop::Values(values.clone()))
            }
            Predicate::AnyOf { parameter, .. } => {
                self.count = self.count.times(count::LIST_ELEMENTS);
                self.add_loop(Loop::Elements(Operand::Parameter(*parameter)))
            }
            _ => return,
        };
        if let Some(slot) = self.known.get_mut(attribute.index()) {
            *slot = Some(known);
        }
    }

    fn add_loop(&mut self, turn: Loop) -> Operand {
        self.loops.push(turn);
        Operand::Turn(LoopId::new(self.loops.len() - 1))
    }
}

/// A decimal with so many digits after the point.
pub(in crate::write_plan) fn round_operand(value: Operand, scale: u32) -> Operand {
    let inside = match &value {
        // The digits of a constant can be counted.
        Operand::Literal(text) => {
            let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
            if digits <= scale as usize && !text.contains(['e', 'E']) {
                return value;
            }
            Expression::Constant(text.clone(), NativeType::Decimal)
        }
        _ => Expression::Column(value),
    };
    Operand::Computed(Box::new(Expression::Round(Box::new(inside), scale)))
}

/// What an INSERT gives an attribute.
fn insert_change(value: &Value) -> AttributeChange {
    match value {
        Value::Literal(literal) if literal.eq_ignore_ascii_case("null") => AttributeChange::Null,
        _ => AttributeChange::To(operand(value)),
    }
}

fn assignment_change(value: &AssignmentValue) -> AttributeChange {
    match value {
        AssignmentValue::Set(value) => insert_change(value),
        AssignmentValue::Null => AttributeChange::Null,
        AssignmentValue::SetUnlessNull(value) => AttributeChange::ToUnlessNull(operand(value)),
        AssignmentValue::Add(value) => AttributeChange::Plus(operand(value)),
        AssignmentValue::Subtract(value) => AttributeChange::Less(operand(value)),
        AssignmentValue::Append(value) => AttributeChange::Append(operand(value)),
        AssignmentValue::Remove(value) => AttributeChange::Remove(operand(value)),
    }
}

/// The attribute and value of an equality.
fn equality(test: &Predicate) -> Option<(AttributeId, &Value)> {
    match test {
        Predicate::Compare { column, comparison: Comparison::Equal, value } => {
            Some((column.attribute, value))
        }
        _ => None,
    }
}

/// The attribute that a predicate fixes to one value or to each of several.
fn equality_attribute(test: &Predicate) -> Option<AttributeId> {
    match test {
        Predicate::Compare { column, comparison: Comparison::Equal, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. } => Some(column.attribute),
        _ => None,
    }
}

fn has_equality_on(test: &Predicate, attribute: AttributeId) -> bool {
    equality_attribute(test) == Some(attribute)
}
