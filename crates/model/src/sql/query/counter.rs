//! Incremented attributes: they become counters, unless they are marked `@exact`.

use cql::{Diagnostic, Span};

use super::output::is_whole_number;
use super::parameter::with_article;
use crate::concept::{AttributeRef, Concept};
use crate::diagnostics::error;
use crate::id::{AttributeId, EntityId};
use crate::workload::{
    Column, Condition, OutputValue, Predicate, Read, Upsert, Value, Workload, WriteKind,
};

/// A write to an attribute.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttributeWrite {
    pub(super) attribute: AttributeRef,
    pub(super) span: Span,
    pub(super) how: WriteMode,
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
    /// INSERT of 0, which equals an absent counter.
    InsertedZero,
    /// INSERT of a default other than 0.
    Defaulted,
}

/// Marks the counters, and reports attributes that cannot be one.
pub(super) fn mark_counters(
    concept: &mut Concept,
    assigned: &[AttributeWrite],
    errors: &mut Vec<Diagnostic>,
) {
    for added in assigned.iter().filter(|it| it.how == WriteMode::Added) {
        let entity = &mut concept.entities[added.attribute.entity];
        let in_key = entity.keys.iter().any(|key| key.contains(&added.attribute.attribute));
        let attribute = &mut entity.attributes[added.attribute.attribute];
        if attribute.exact {
            continue;
        }
        let name = &attribute.name;
        if in_key {
            let message = format!("{name} is part of a key and cannot be incremented");
            let help = format!("compute it in the application: `{name} = ?`");
            errors.push(error("MF366", added.span, message, help));
        } else if is_whole_number(&attribute.ty) {
            attribute.counter = true;
        } else {
            let message =
                format!("{name} is {} and cannot be a counter", with_article(&attribute.ty));
            errors.push(error("MF366", added.span, message, exact_help(name)));
        }
    }
    let is_set = |how| matches!(how, WriteMode::Set | WriteMode::Inserted | WriteMode::Defaulted);
    for plain in assigned.iter().filter(|it| is_set(it.how)) {
        let attribute = &concept[plain.attribute];
        if !attribute.counter {
            continue;
        }
        let name = &attribute.name;
        let message = format!("{name} is a counter (another write adds to it) and cannot be set");
        let help = match plain.how {
            WriteMode::Inserted => {
                format!("leave {name} out of the INSERT, or {}", exact_help(name))
            }
            WriteMode::Defaulted => format!("declare it DEFAULT 0, or {}", exact_help(name)),
            _ => format!("only add to it, or {}", exact_help(name)),
        };
        errors.push(error("MF366", plain.span, message, help));
    }
}

fn exact_help(name: &str) -> String {
    format!("write -- @exact at the end of the line of {name}")
}

/// Removes the zeros of counters from INSERTs.
pub(super) fn exclude_zeros(concept: &Concept, workload: &mut Workload) {
    for write in &mut workload.writes {
        let attributes = &concept.entities[write.entity].attributes;
        let is_zero = |attribute: AttributeId, value: &Value| {
            attributes[attribute].counter && *value == Value::Literal("0".to_owned())
        };
        for values in inserted_values(&mut write.kind) {
            values.retain(|(attribute, value)| !is_zero(*attribute, value));
        }
    }
}

/// The values of the rows that a write inserts.
fn inserted_values(kind: &mut WriteKind) -> Vec<&mut Vec<(AttributeId, Value)>> {
    match kind {
        WriteKind::Insert(values) | WriteKind::Upsert(Upsert { values, .. }) => vec![values],
        WriteKind::Rows(rows) => rows.iter_mut().flat_map(inserted_values).collect(),
        WriteKind::Update(..) | WriteKind::Delete(_) => Vec::new(),
    }
}

/// Reports ordering, grouping and aggregation by counters: they cannot be key columns.
pub(super) fn check_ordering(concept: &Concept, read: &Read, errors: &mut Vec<Diagnostic>) {
    let ordered = read.order.iter().map(|ordering| (ordering.column, "orders by"));
    let grouped = read.group.iter().map(|&column| (column, "groups by"));
    let aggregated = read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Count(column) => Some((column?, "counts")),
        OutputValue::Sum(column) | OutputValue::Average(column) => Some((column, "sums")),
        OutputValue::Least(column) | OutputValue::Greatest(column) => {
            Some((column, "takes the minimum or maximum of"))
        }
        OutputValue::Column(_) | OutputValue::Exists => None,
    });
    for (column, verb) in ordered.chain(grouped).chain(aggregated) {
        let entity = read.sources[column.source].entity;
        if let Some(name) = counter_name(concept, entity, column) {
            errors.push(counter_error(&read.name, verb, name, read.span));
        }
    }
}

/// Reports conditions on counters, of reads and writes.
pub(super) fn check_conditions(
    concept: &Concept,
    workload: &Workload,
    errors: &mut Vec<Diagnostic>,
) {
    for read in &workload.reads {
        for condition in &read.conditions {
            let entity = |column: Column| read.sources[column.source].entity;
            errors.extend(check_condition(concept, condition, &read.name, entity));
        }
    }
    for write in &workload.writes {
        let (WriteKind::Update(_, conditions) | WriteKind::Delete(conditions)) = &write.kind else {
            continue;
        };
        for condition in conditions {
            errors.extend(check_condition(concept, condition, &write.name, |_| write.entity));
        }
    }
}

fn check_condition(
    concept: &Concept,
    condition: &Condition,
    name: &str,
    entity: impl Fn(Column) -> EntityId,
) -> Option<Diagnostic> {
    let columns = match &condition.predicate {
        Predicate::Compare { column, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. }
        | Predicate::Holds { column, .. }
        | Predicate::Prefix { column, .. }
        | Predicate::NotNull { column } => std::slice::from_ref(column),
        Predicate::Row { columns, .. } => columns,
    };
    let counter =
        columns.iter().find_map(|&column| counter_name(concept, entity(column), column))?;
    Some(counter_error(name, "filters by", counter, condition.span))
}

/// The name of a column that is a counter.
fn counter_name(concept: &Concept, entity: EntityId, column: Column) -> Option<&str> {
    let attribute = &concept.entities[entity].attributes[column.attribute];
    attribute.counter.then_some(attribute.name.as_str())
}

fn counter_error(name: &str, verb: &str, counter: &str, span: Span) -> Diagnostic {
    let message = format!("{name} {verb} {counter}, which is a counter");
    error("MF366", span, message, exact_help(counter))
}
