//! The columns of a table: what is stored beside the key, which of it is static, and their names.

use cql::types::{NativeType, Type};
use model::dependency::{Dependencies, Determinant};
use model::id::{IdList, ReadId};
use model::plan::topic::KeyTopic;
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, Note, PlannedColumn, PlannedTable, ReadPart,
};
use model::workload::{Column, OutputValue, Predicate, SortColumn};

use super::key::{KeyColumn, as_known};
use super::read_shape::ReadShape;
use super::{read_parts, refuse};

/// The table of a read with this key and these columns beside it, which has no names yet.
pub(super) fn assemble(
    shape: &ReadShape<'_>,
    key: Vec<KeyColumn>,
    stored: Vec<Column>,
) -> Result<PlannedTable, Box<Note>> {
    let mut table = key_table(shape, key)?;
    let partition: Vec<Determinant> =
        table.partition_key().filter_map(|column| as_known(&column.derivation)).collect();
    // In a partition of one row there is nothing to share.
    let one_row = table.clustering().next().is_none() || shape.dependencies.is_key(&partition);
    let partition: Vec<Column> = partition
        .into_iter()
        .filter_map(|known| match known {
            Determinant::Value(column) => Some(column),
            Determinant::Element(_) => None,
        })
        .collect();
    table
        .columns
        .extend(stored.into_iter().map(|column| value_column(shape, column, &partition, one_row)));
    table.columns.sort_by_key(|column| column.role.rank());
    Ok(table)
}

/// The table with this key and nothing else.
pub(super) fn key_table(
    shape: &ReadShape<'_>,
    key: Vec<KeyColumn>,
) -> Result<PlannedTable, Box<Note>> {
    let mut columns = Vec::with_capacity(key.len());
    for column in key {
        columns.push(PlannedColumn {
            name: String::new(),
            ty: key_type(shape, &column.derivation)?,
            role: column.role,
            derivation: column.derivation,
            reasons: column.reasons,
        });
    }
    Ok(PlannedTable {
        columns,
        holds: shape.holds.clone(),
        serves: read_parts(shape, ReadPart::Rows),
        ..PlannedTable::default()
    })
}

/// What a read needs of a row beside the key, each class of equal columns once, in the order of
/// sources and declarations.
pub(super) fn columns_to_store(
    shape: &ReadShape<'_>,
    key: &[KeyColumn],
    needed: Vec<Column>,
) -> Vec<Column> {
    let in_key = |column: Column| {
        key.iter().any(|part| {
            as_known(&part.derivation).is_some_and(|known| shape.is_same(known, column))
        })
    };
    let mut stored: Vec<Column> = needed
        .into_iter()
        .filter(|column| !in_key(*column))
        .map(|column| shape.dependencies.canonical_column(column))
        .collect();
    stored.sort_unstable();
    stored.dedup();
    stored
}

/// Every column that a read returns or the client needs.
pub(super) fn columns_needed(shape: &ReadShape<'_>) -> Vec<Column> {
    let outputs = shape.read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Column(column)
        | OutputValue::Sum(column)
        | OutputValue::Average(column)
        | OutputValue::Least(column)
        | OutputValue::Greatest(column) => Some(column),
        OutputValue::Count(column) => column,
        OutputValue::Exists => None,
    });
    let mut needed: Vec<Column> = outputs.collect();
    needed.extend(columns_compared(shape));
    needed.extend(&shape.whole_arrays);
    needed.extend(&shape.read.group);
    // What is ordered by with a constant for null is a clustering column with that constant, unless
    // it is the same in the whole partition.
    let given: Vec<_> = shape.equalities.iter().map(|equality| equality.known).collect();
    let given = shape.dependencies.closure(&given);
    let is_stored = |order: &&SortColumn| {
        let column = shape.dependencies.canonical_column(order.column);
        order.null_as.is_none() || given.contains(Determinant::Value(column))
    };
    needed.extend(shape.read.order.iter().filter(is_stored).map(|order| order.column));
    needed
}

/// The columns whose values are compared with parameters.
pub(super) fn columns_compared(shape: &ReadShape<'_>) -> Vec<Column> {
    let compares =
        |test: &Predicate| !matches!(test, Predicate::Holds { .. } | Predicate::NotNull { .. });
    let conditions = shape.read.conditions.iter();
    conditions
        .filter(|condition| {
            compares(&condition.predicate) && !shape.holds.filters.contains(condition)
        })
        .flat_map(|condition| condition.predicate.columns())
        .copied()
        .collect()
}

/// A column beside the key: static when its entity is the same for the whole partition.
fn value_column(
    shape: &ReadShape<'_>,
    column: Column,
    partition: &[Column],
    one_row: bool,
) -> PlannedColumn {
    let is_static = !one_row && shape.dependencies.key_within(column.source, partition).is_some();
    let of = (shape.position, shape.read.name.as_str());
    PlannedColumn {
        name: String::new(),
        ty: shape.attribute(column).ty.clone(),
        role: if is_static { ColumnRole::Static } else { ColumnRole::Regular },
        derivation: Derivation::Attribute(column),
        reasons: vec![column_reason(&shape.dependencies, column, is_static, of)],
    }
}

/// Why a column is stored beside the key: for a read (its position and its name).
pub(crate) fn column_reason(
    dependencies: &Dependencies<'_>,
    column: Column,
    is_static: bool,
    (read, name): (Option<ReadId>, &str),
) -> MappingReason {
    let entity = dependencies.entity(column.source);
    let attribute = entity.attributes.member(column.attribute).map_or("", |found| &found.name);
    let entity = &entity.name;
    if is_static {
        let text = format!(
            "the key of `{entity}` is part of the partition key, so `{attribute}` is the same for the whole partition and stored once"
        );
        return MappingReason { rule: MappingRule::Static, read, text };
    }
    MappingReason {
        rule: MappingRule::Stored,
        read,
        text: format!("`{name}` needs `{attribute}` of `{entity}`"),
    }
}

/// The type of a key column; or why it cannot be one.
fn key_type(shape: &ReadShape<'_>, derivation: &Derivation) -> Result<Type, Box<Note>> {
    let (of, ty) = match derivation {
        Derivation::Attribute(column) | Derivation::Coalesced(column, _) => {
            (*column, shape.attribute(*column).ty.freeze())
        }
        Derivation::Element(column) => (*column, element_type(&shape.attribute(*column).ty)),
        Derivation::Prefix(..) => return Ok(Type::Native(NativeType::Text)),
        _ => return Ok(Type::Native(NativeType::Int)),
    };
    let attribute = shape.attribute(of);
    let is_counter = attribute.counter || attribute.ty.is_counter();
    let (read, attribute) = (shape.read.name.clone(), attribute.name.clone());
    let entity = shape.dependencies.entity(of.source).name.clone();
    if is_counter {
        return refuse(shape, KeyTopic::Counter { read, entity, attribute });
    }
    if contains_duration(&ty) {
        return refuse(shape, KeyTopic::Interval { read, entity, attribute });
    }
    Ok(ty)
}

/// The type of an array's elements, as part of a key.
pub(super) fn element_type(array: &Type) -> Type {
    match array {
        Type::List(element, _) | Type::Set(element, _) => element.freeze(),
        Type::Map(entry, _) => entry.0.freeze(),
        other => other.freeze(),
    }
}

/// Whether values of a type hold durations, which have no order. Types nest at most
/// [`cql::types::MAX_TYPE_DEPTH`] deep.
fn contains_duration(ty: &Type) -> bool {
    match ty {
        Type::Native(native) => *native == NativeType::Duration,
        Type::List(element, _) | Type::Set(element, _) | Type::Vector(element, _) => {
            contains_duration(element)
        }
        Type::Map(entry, _) => contains_duration(&entry.0) || contains_duration(&entry.1),
        Type::Tuple(types) => types.iter().any(contains_duration),
        Type::User(user, _) => user.fields.iter().any(|(_, ty)| contains_duration(ty)),
        Type::Custom(_) => false,
    }
}
