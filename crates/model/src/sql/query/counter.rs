//! Incremented attributes: which of them are counters.
//!
//! A counter can only be added to: it is in no key, in no condition, and no statement learns its
//! value when it changes. So an attribute that is incremented is a counter only where nothing in
//! the file asks for more. All others stay plain numbers: an increment reads the number, writes
//! the sum if the number is still the same, and is repeated otherwise.

use super::output::is_whole_number;
use crate::assumption::{Assumption, AssumptionTopic, CounterObstacle};
use crate::concept::{AttributeRef, Concept};
use crate::id::{AttributeId, IdList};
use crate::workload::{
    Column, Condition, OutputValue, Predicate, Read, Returning, Source, Upsert, Value, Workload,
    Write, WriteKind,
};

/// A write to an attribute.
#[derive(Clone, Debug)]
pub(super) struct AttributeWrite {
    pub(super) attribute: AttributeRef,
    pub(super) how: WriteMode,
    /// The name of the write.
    pub(super) write: String,
}

/// How a write changes an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteMode {
    /// `n = n + ?`
    Added,
    /// `n = ?`
    Set,
    /// INSERT.
    Inserted,
    /// INSERT of 0, where a counter begins.
    InsertedZero,
    /// INSERT of a default other than 0.
    Defaulted,
    /// INSERT of null, to which nothing can be added.
    InsertedNull,
}

/// Marks the counters among the attributes that are incremented. The others stay plain numbers,
/// which is noted unless `@exact` asks for it.
pub(super) fn decide_counters(
    concept: &mut Concept,
    workload: &Workload,
    assigned: &[AttributeWrite],
    assumptions: &mut Vec<Assumption>,
) {
    let mut decided: Vec<AttributeRef> = Vec::new();
    for added in assigned.iter().filter(|it| it.how == WriteMode::Added) {
        let of = added.attribute;
        if decided.contains(&of) || concept[of].exact {
            continue;
        }
        decided.push(of);
        match find_obstacle(concept, workload, assigned, of) {
            None => concept.entities[of.entity].attributes[of.attribute].counter = true,
            Some(why) => assumptions.push(note_exact_number(concept, of, why)),
        }
    }
}

fn note_exact_number(concept: &Concept, of: AttributeRef, why: CounterObstacle) -> Assumption {
    let attribute = &concept[of];
    let topic = AssumptionTopic::ExactNumber {
        entity: concept.entities[of.entity].name.clone(),
        attribute: attribute.name.clone(),
        why,
    };
    Assumption { topic, span: attribute.span }
}

/// What keeps an attribute that is incremented from being a counter.
pub(super) fn find_obstacle(
    concept: &Concept,
    workload: &Workload,
    assigned: &[AttributeWrite],
    of: AttributeRef,
) -> Option<CounterObstacle> {
    let entity = &concept.entities[of.entity];
    if !is_whole_number(&concept[of].ty) {
        return Some(CounterObstacle::NotWhole);
    }
    if entity.keys.iter().any(|key| key.contains(&of.attribute)) {
        return Some(CounterObstacle::InKey);
    }
    if entity.references.iter().any(|reference| reference.attributes.contains(&of.attribute)) {
        return Some(CounterObstacle::Reference);
    }
    if entity.retain.is_some() {
        return Some(CounterObstacle::Expires);
    }
    if entity.generation_inputs().contains(&of.attribute) {
        return Some(CounterObstacle::Computed);
    }
    let set = assigned.iter().filter(|it| it.attribute == of).find_map(|it| match it.how {
        WriteMode::Set => Some(CounterObstacle::Set { write: it.write.clone() }),
        WriteMode::Inserted | WriteMode::Defaulted => {
            Some(CounterObstacle::Inserted { write: it.write.clone() })
        }
        WriteMode::InsertedNull => Some(CounterObstacle::LeftNull { write: it.write.clone() }),
        WriteMode::Added | WriteMode::InsertedZero => None,
    });
    let reads = workload.reads.iter();
    set.or_else(|| reads.into_iter().find_map(|read| read_obstacle(read, of)))
        .or_else(|| workload.writes.iter().find_map(|write| write_obstacle(write, of)))
}

/// What a read does with an attribute that a counter cannot serve.
fn read_obstacle(read: &Read, of: AttributeRef) -> Option<CounterObstacle> {
    let is_it = |column: Column| {
        column.attribute == of.attribute
            && read.sources.member(column.source).is_some_and(|source| source.entity == of.entity)
    };
    let statement = || read.name.clone();
    if read.order.iter().any(|ordering| is_it(ordering.column)) {
        return Some(CounterObstacle::Ordered { read: statement() });
    }
    if read.group.iter().any(|column| is_it(*column)) {
        return Some(CounterObstacle::Grouped { read: statement() });
    }
    let aggregated = |value: OutputValue| match value {
        OutputValue::Count(column) => column.is_some_and(is_it),
        OutputValue::Sum(column)
        | OutputValue::Average(column)
        | OutputValue::Least(column)
        | OutputValue::Greatest(column) => is_it(column),
        OutputValue::Column(_) | OutputValue::Exists => false,
    };
    if read.outputs.iter().any(|output| aggregated(output.value)) {
        return Some(CounterObstacle::Aggregated { read: statement() });
    }
    let is_optional =
        |column: Column| read.sources.member(column.source).is_some_and(Source::is_optional);
    let optional = |value: OutputValue| match value {
        OutputValue::Column(column) => is_it(column) && is_optional(column),
        _ => false,
    };
    if read.outputs.iter().any(|output| optional(output.value)) {
        return Some(CounterObstacle::Optional { read: statement() });
    }
    let filtered = |predicate: &Predicate| predicate.columns().iter().any(|column| is_it(*column));
    read.conditions
        .iter()
        .any(|condition| filtered(&condition.predicate))
        .then(|| CounterObstacle::Filtered { statement: statement() })
}

/// What a write does with an attribute that a counter cannot serve.
fn write_obstacle(write: &Write, of: AttributeRef) -> Option<CounterObstacle> {
    let returned = write.returning.iter().flat_map(Returning::attributes);
    let is_returned =
        write.entity == of.entity && returned.into_iter().any(|at| at == of.attribute);
    if is_returned && has_existing_rows(&write.kind) {
        return Some(CounterObstacle::Returned { write: write.name.clone() });
    }
    let conditions = list_conditions(&write.kind);
    let columns = conditions.iter().flat_map(|condition| condition.predicate.columns());
    let is_tested = write.entity == of.entity
        && columns.into_iter().any(|column| column.attribute == of.attribute);
    is_tested.then(|| CounterObstacle::Filtered { statement: write.name.clone() })
}

/// Whether a write may change or delete rows that exist.
fn has_existing_rows(kind: &WriteKind) -> bool {
    match kind {
        WriteKind::Insert(_) => false,
        WriteKind::Update(..) | WriteKind::Delete(_) => true,
        WriteKind::Upsert(upsert) => upsert.update.is_some(),
        WriteKind::Rows(rows) => rows.iter().any(has_existing_rows),
    }
}

/// The conditions of a write.
fn list_conditions(kind: &WriteKind) -> Vec<&Condition> {
    match kind {
        WriteKind::Insert(_) => Vec::new(),
        WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) => {
            conditions.iter().collect()
        }
        WriteKind::Upsert(upsert) => {
            upsert.update.iter().flat_map(|(_, conditions)| conditions).collect()
        }
        WriteKind::Rows(rows) => rows.iter().flat_map(list_conditions).collect(),
    }
}

/// Removes the zeros of counters from INSERTs.
pub(super) fn exclude_zeros(concept: &Concept, workload: &mut Workload) {
    for write in &mut workload.writes {
        let attributes = &concept.entities[write.entity].attributes;
        let is_zero = |attribute: AttributeId, value: &Value| {
            attributes[attribute].counter && *value == Value::Literal("0".to_owned())
        };
        for values in list_inserted_values(&mut write.kind) {
            values.retain(|(attribute, value)| !is_zero(*attribute, value));
        }
    }
}

/// The values of the rows that a write inserts.
fn list_inserted_values(kind: &mut WriteKind) -> Vec<&mut Vec<(AttributeId, Value)>> {
    match kind {
        WriteKind::Insert(values) | WriteKind::Upsert(Upsert { values, .. }) => vec![values],
        WriteKind::Rows(rows) => rows.iter_mut().flat_map(list_inserted_values).collect(),
        WriteKind::Update(..) | WriteKind::Delete(_) => Vec::new(),
    }
}
