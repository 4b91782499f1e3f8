//! Describes a read in a sentence.

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Concept};
use model::id::IdList;
use model::workload::{Column, Limit, OutputValue, Predicate, Read, Source, Value};

/// With more columns than this, none are listed.
const COLUMNS_SHOWN: usize = 3;

/// Describes a read in a sentence.
pub(crate) fn describe_read(concept: &Concept, read: &Read) -> String {
    let mut text = subject(concept, read);
    let conditions: Vec<_> = read
        .conditions
        .iter()
        .map(|condition| describe_predicate(concept, read, &condition.predicate))
        .collect();
    if !conditions.is_empty() {
        text.push_str(" where ");
        text.push_str(&conditions.join(" and "));
    }
    if !read.group.is_empty() {
        let group: Vec<_> = read.group.iter().map(|column| name(concept, read, *column)).collect();
        text.push_str(" for each ");
        text.push_str(&group.join(", "));
    }
    if !read.order.is_empty() {
        text.push_str(", ");
        text.push_str(&order(concept, read));
    }
    let most = match read.limit {
        Some(Limit::Number(most)) => most.to_string(),
        Some(Limit::Parameter(_)) => "?".to_owned(),
        None => return text,
    };
    text + ", at most " + &most
}

/// The beginning of the sentence: what is returned of which entities.
fn subject(concept: &Concept, read: &Read) -> String {
    let column = |column| name(concept, read, column);
    let first = read.outputs.iter().find_map(|output| match output.value {
        OutputValue::Column(_) => None,
        OutputValue::Count(_) => Some("Count".to_owned()),
        OutputValue::Sum(of) => Some(format!("Sum {} of", column(of))),
        OutputValue::Average(of) => Some(format!("Average {} of", column(of))),
        OutputValue::Least(of) => Some(format!("Minimum {} of", column(of))),
        OutputValue::Greatest(of) => Some(format!("Maximum {} of", column(of))),
        OutputValue::Exists => Some("Are there".to_owned()),
    });
    let mut names: Vec<&str> = Vec::new();
    for source in &read.sources {
        let name = entity(concept, source);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let first = first.unwrap_or_else(|| match output_columns(concept, read) {
        Some(columns) => format!("Find {columns} of"),
        None => "Find".to_owned(),
    });
    match names.split_first() {
        Some((of, [])) => format!("{first} {of}"),
        Some((of, with)) => format!("{first} {of} with {}", with.join(", ")),
        None => first,
    }
}

/// The columns returned, where they are few.
fn output_columns(concept: &Concept, read: &Read) -> Option<String> {
    let column = |value: &OutputValue| match value {
        OutputValue::Column(column) => Some(name(concept, read, *column)),
        _ => None,
    };
    let few = read.outputs.len() <= COLUMNS_SHOWN;
    let columns: Option<Vec<_>> = read.outputs.iter().map(|output| column(&output.value)).collect();
    columns.filter(|columns| few && !columns.is_empty()).map(|columns| columns.join(", "))
}

fn entity<'a>(concept: &'a Concept, source: &Source) -> &'a str {
    concept.entities.member(source.entity).map_or("?", |entity| entity.name.as_str())
}

fn attribute<'a>(concept: &'a Concept, read: &Read, column: Column) -> Option<&'a Attribute> {
    let source = read.sources.member(column.source)?;
    concept.entities.member(source.entity)?.attributes.member(column.attribute)
}

/// The name of a column, with its source where another has one of that name too.
fn name(concept: &Concept, read: &Read, column: Column) -> String {
    let Some(own) = attribute(concept, read, column) else { return "?".to_owned() };
    let others = read.sources.enumerate_ids().filter(|(at, _)| *at != column.source);
    let mut others = others.filter_map(|(_, source)| concept.entities.member(source.entity));
    match read.sources.member(column.source) {
        Some(source) if others.any(|entity| entity.attribute_named(&own.name).is_some()) => {
            format!("{}.{}", source.alias, own.name)
        }
        _ => own.name.clone(),
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Parameter(_) => "?".to_owned(),
        Value::Literal(text) => text.clone(),
    }
}

fn describe_predicate(concept: &Concept, read: &Read, test: &Predicate) -> String {
    let column = |column: &Column| name(concept, read, *column);
    match test {
        Predicate::Compare { column: left, comparison, value: right } => {
            format!("{} {} {}", column(left), comparison.symbol(), value(right))
        }
        Predicate::In { column: left, values } => {
            let values: Vec<_> = values.iter().map(value).collect();
            format!("{} in ({})", column(left), values.join(", "))
        }
        Predicate::AnyOf { column: left, .. } => format!("{} in ?", column(left)),
        Predicate::Holds { column: left, value: right } => {
            format!("{} contains {}", column(left), value(right))
        }
        Predicate::Row { columns, comparison, values } => {
            let columns: Vec<_> = columns.iter().map(column).collect();
            let values: Vec<_> = values.iter().map(value).collect();
            let sign = comparison.symbol();
            format!("({}) {sign} ({})", columns.join(", "), values.join(", "))
        }
        Predicate::Prefix { column: left, value: right } => {
            format!("{} starts with {}", column(left), value(right))
        }
        Predicate::NotNull { column: left } => format!("{} is not null", column(left)),
        Predicate::Null { column: left } => format!("{} is null", column(left)),
    }
}

/// `newest added_date first`, `by name, id`.
fn order(concept: &Concept, read: &Read) -> String {
    let mut parts = Vec::new();
    for (at, ordering) in read.order.iter().enumerate() {
        let name = name(concept, read, ordering.column);
        let is_time = attribute(concept, read, ordering.column).is_some_and(|own| is_time(&own.ty));
        parts.push(match (at, is_time, ordering.descending) {
            (0, true, true) => format!("newest {name} first"),
            (0, true, false) => format!("oldest {name} first"),
            (0, false, true) => format!("by {name} descending"),
            (0, false, false) => format!("by {name}"),
            (_, _, true) => format!("{name} descending"),
            (_, _, false) => name,
        });
    }
    parts.join(", ")
}

fn is_time(ty: &Type) -> bool {
    use NativeType::{Date, Timestamp, Timeuuid};
    matches!(ty, Type::Native(Date | Timestamp | Timeuuid))
}
