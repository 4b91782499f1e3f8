//! The tables of the relational database, and the indexes that keep its queries fast.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};
use cql::value::bytes_to_hex;
use model::concept::{Attribute, Check, Concept, DefaultValue, Entity, Reference};
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::workload::{Comparison, Condition, Predicate, Workload, WriteKind};
use rusqlite::types::Value;

use super::own_text::find_own_text;
use super::rewrite::constant_bytes;
use super::sqlite_expression::write_expression;
use super::sqlite_value::encode;
use crate::value::{parse_constant, round_to_scale};

/// A name in quotes.
pub(super) fn quote_name(name: &str) -> String {
    format!("\"{}\"", mark_capitals(name).replace('"', "\"\""))
}

/// A name that differs from all others also for `SQLite`, which ignores the case of letters.
pub(super) fn mark_capitals(name: &str) -> String {
    let mut marked = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_ascii_uppercase() || character == '^' {
            marked.push('^');
        }
        marked.push(character.to_ascii_lowercase());
    }
    marked
}

/// The statements that create the tables.
pub(super) fn table_statements(concept: &Concept) -> Vec<String> {
    let tables = concept.entities.iter().map(|entity| table_statement(concept, entity));
    let unique = concept.entities.iter().flat_map(unique_statements);
    tables.chain(unique).collect()
}

/// The statements that create the indexes.
pub(super) fn index_statements(concept: &Concept, workload: &Workload) -> Vec<String> {
    let mut statements = Vec::new();
    for (position, (entity, columns)) in lookup_columns(concept, workload).into_iter().enumerate() {
        let Some(entity) = concept.entities.member(entity) else { continue };
        let columns = column_list(entity, &columns);
        let table = quote_name(&entity.name);
        statements.push(format!("CREATE INDEX \"index {position}\" ON {table} ({columns})"));
    }
    statements
}

/// The constant default of an attribute, in its stored form: as the file spells it, or else as it
/// was resolved.
pub(super) fn default_value(attribute: &Attribute) -> Option<Value> {
    let default = attribute.default.as_ref()?;
    let DefaultValue::Constant(resolved) = &default.value else { return None };
    let expression = model::sql::parse_expression(&default.sql).ok();
    let bytes = expression
        .and_then(|expression| constant_bytes(&expression, &attribute.ty))
        .or_else(|| parse_constant(&attribute.ty, resolved).bytes);
    let bytes = round_to_scale(attribute, bytes);
    bytes.and_then(|bytes| encode(&attribute.ty, &bytes).ok())
}

/// A stored value as a literal of `SQLite`.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => format!("{number:?}"),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Blob(bytes) => format!("X'{}'", bytes_to_hex(bytes)),
    }
}

/// Columns have no type affinity: a value is stored as it is.
fn column_definition(entity: &Entity, attribute: &Attribute) -> String {
    let start = if attribute.counter { Some(Value::Integer(0)) } else { None };
    let default = default_value(attribute).or(start);
    let default = default.map(|value| format!(" DEFAULT {}", literal(&value))).unwrap_or_default();
    let not_null = if attribute.nullable { "" } else { " NOT NULL" };
    let expression = attribute.generated.as_ref().and_then(|it| it.expression.as_ref());
    let generated = expression.map(|expression| {
        let sql = attribute.generated.as_ref().and_then(|it| find_own_text(entity, &it.sql));
        let sql = sql.unwrap_or_else(|| write_expression(entity, expression));
        format!(" GENERATED ALWAYS AS ({sql}) STORED")
    });
    let generated = generated.unwrap_or_default();
    let name = quote_name(&attribute.name);
    // A sum may be out of range, which SQLite does not notice.
    let range = match attribute.ty {
        Type::Native(NativeType::Smallint) => format!(" CHECK ({name} BETWEEN -32768 AND 32767)"),
        Type::Native(NativeType::Int) => {
            format!(" CHECK ({name} BETWEEN {} AND {})", i32::MIN, i32::MAX)
        }
        _ => String::new(),
    };
    format!("{name}{not_null}{default}{generated}{range}")
}

/// The UNIQUE constraints that are no keys: as indexes, which may be partial.
fn unique_statements(entity: &Entity) -> Vec<String> {
    let mut statements = Vec::new();
    for (at, unique) in entity.unique.iter().enumerate() {
        let columns = column_list(entity, &unique.attributes);
        let condition = match &unique.condition {
            None => String::new(),
            Some(check) => match write_check(entity, check) {
                Some(condition) => format!(" WHERE {condition}"),
                // Which rows are compared is not known.
                None => continue,
            },
        };
        let name = quote_name(&format!("unique {at} of {}", entity.name));
        let table = quote_name(&entity.name);
        statements.push(format!("CREATE UNIQUE INDEX {name} ON {table} ({columns}){condition}"));
    }
    statements
}

/// A condition on rows; `None` where it is not known.
fn write_check(entity: &Entity, check: &Check) -> Option<String> {
    let expression = check.expression.as_ref()?;
    Some(find_own_text(entity, &check.sql).unwrap_or_else(|| write_expression(entity, expression)))
}

fn table_statement(concept: &Concept, entity: &Entity) -> String {
    let mut parts: Vec<String> =
        entity.attributes.iter().map(|attribute| column_definition(entity, attribute)).collect();
    let checks = entity.checks.iter().filter_map(|check| write_check(entity, check));
    let checks = checks.map(|check| format!("CHECK ({check})"));
    for (at, key) in entity.keys.iter().enumerate() {
        let is_generated = |part: &AttributeId| {
            entity.attributes.member(*part).is_some_and(|it| it.generated.is_some())
        };
        // A primary key of SQLite has no generated columns.
        let is_primary = at == 0 && !key.iter().any(is_generated);
        let kind = if is_primary { "PRIMARY KEY" } else { "UNIQUE" };
        parts.push(format!("{kind} ({})", column_list(entity, key)));
    }
    parts.extend(checks);
    let constrained = entity.references.iter().filter(|it| is_enforceable(concept, entity, it));
    parts.extend(constrained.filter_map(|reference| reference_clause(concept, entity, reference)));
    format!("CREATE TABLE {} ({})", quote_name(&entity.name), parts.join(", "))
}

/// The foreign key of a reference, with its actions.
fn reference_clause(concept: &Concept, entity: &Entity, reference: &Reference) -> Option<String> {
    let target = concept.entities.member(reference.target)?;
    Some(format!(
        "FOREIGN KEY ({}) REFERENCES {} ({}) ON DELETE {} ON UPDATE {}",
        column_list(entity, &reference.attributes),
        quote_name(&target.name),
        column_list(target, &reference.target_attributes),
        reference.on_delete.text(),
        reference.on_update.text(),
    ))
}

/// Whether `SQLite` can check a reference: to a key that its table declares, of values that are
/// stored alike.
fn is_enforceable(concept: &Concept, entity: &Entity, reference: &Reference) -> bool {
    let Some(target) = concept.entities.member(reference.target) else { return false };
    let is_key = target.keys.iter().any(|key| {
        key.len() == reference.target_attributes.len()
            && key.iter().all(|part| reference.target_attributes.contains(part))
    });
    let is_decimal = |entity: &Entity, at: AttributeId| {
        let attribute = entity.attributes.member(at);
        attribute.is_some_and(|it| it.ty == Type::Native(NativeType::Decimal))
    };
    let mut pairs = reference.attributes.iter().zip(&reference.target_attributes);
    is_key && pairs.all(|(own, other)| is_decimal(entity, *own) == is_decimal(target, *other))
}

fn column_list(entity: &Entity, attributes: &[AttributeId]) -> String {
    let named = attributes.iter().filter_map(|at| entity.attributes.member(*at));
    named.map(|attribute| quote_name(&attribute.name)).collect::<Vec<_>>().join(", ")
}

/// The columns that are looked up: references, and what is compared for equality.
fn lookup_columns(
    concept: &Concept,
    workload: &Workload,
) -> BTreeSet<(EntityId, Vec<AttributeId>)> {
    let mut found = BTreeSet::new();
    for (at, entity) in concept.entities.enumerate_ids() {
        for reference in &entity.references {
            found.insert((at, reference.attributes.clone()));
        }
    }
    for read in &workload.reads {
        for (source, from) in read.sources.enumerate_ids() {
            let mut columns = equality_columns(&read.conditions, source);
            let own = |ordering: &&model::workload::SortColumn| ordering.column.source == source;
            let order = read.order.iter().take_while(own);
            columns.extend(order.map(|ordering| ordering.column.attribute));
            found.insert((from.entity, columns));
        }
    }
    for write in &workload.writes {
        if let WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) = &write.kind {
            found.insert((write.entity, equality_columns(conditions, SourceId::new(0))));
        }
    }
    found.retain(|(entity, columns)| {
        let primary = concept.entities.member(*entity).map(Entity::primary_key);
        !columns.is_empty() && primary.is_none_or(|key| !key.starts_with(columns))
    });
    found
}

/// The columns of a source that are compared for equality, each once.
fn equality_columns(conditions: &[Condition], source: SourceId) -> Vec<AttributeId> {
    let mut columns = Vec::new();
    for condition in conditions {
        let (Predicate::Compare { column, comparison: Comparison::Equal, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. }) = &condition.predicate
        else {
            continue;
        };
        if column.source == source && !columns.contains(&column.attribute) {
            columns.push(column.attribute);
        }
    }
    columns
}
