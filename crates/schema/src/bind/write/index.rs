//! Values that an index refuses when they are stored.

use cql::Span;
use cql::types::Type;

use super::{BoundWrite, Operation, OperationKind, key};
use crate::bind::term::BoundTerm;
use crate::catalog::{Column, ColumnKind, Index, IndexClass, IndexPart, Table};
use crate::java::order::{sort_by_hash, string_hash};
use crate::refusal::{ValueReason, WriteReason, refuse};
use crate::{Refusal, Result};

/// The maximum length of values in a legacy index, exclusive.
const MAX_INDEXED: usize = 65_535;
/// The maximum magnitude of components in a vector index.
const MAX_COMPONENT: f32 = 1e17;

/// The errors of the table's indexes for a write.
pub(super) fn check(write: &BoundWrite) -> Result<()> {
    let in_server_order = sort_by_hash(&write.table.indexes, |index| string_hash(&index.name));
    for index in in_server_order {
        let Some(column) = write.table.column_index(&index.column) else { continue };
        let definition = &write.table.columns()[column];
        let operations = write.operations.iter().filter(|operation| operation.column == column);
        match (&index.class, definition.kind) {
            (IndexClass::Legacy, ColumnKind::Clustering) => {
                check_clustering(write, index, definition)?;
            }
            (IndexClass::Legacy, _) => {
                for operation in operations {
                    check_sizes(&write.table, index, definition, operation)?;
                }
            }
            (IndexClass::Sai, _) => {
                for operation in operations {
                    check_vector(index, definition, operation)?;
                    if index.part == IndexPart::Entries {
                        check_composites(operation)?;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_clustering(write: &BoundWrite, index: &Index, column: &Column) -> Result<()> {
    let clustering = key::first_clustering(write).unwrap_or_default();
    match clustering.get(column.position) {
        Some(Some(value)) => check_size(value.len(), index, column, &write.table, write.span),
        _ => Ok(()),
    }
}

fn check_sizes(table: &Table, index: &Index, column: &Column, operation: &Operation) -> Result<()> {
    if index.part == IndexPart::Entries {
        return check_entries(table, index, column, operation);
    }
    let size = |value: &[u8]| check_size(value.len(), index, column, table, operation.span);
    let of_keys = index.part == IndexPart::Keys;
    match &operation.kind {
        OperationKind::SetElement(BoundTerm::Value(Some(key)), _) if of_keys => size(key),
        OperationKind::SetElement(_, BoundTerm::Value(Some(value))) if !of_keys => size(value),
        OperationKind::DeleteElement(BoundTerm::Value(Some(key)))
            if of_keys || matches!(column.ty, Type::Set(..)) =>
        {
            size(key)
        }
        OperationKind::Subtract(BoundTerm::Value(Some(keys)))
            if of_keys || matches!(column.ty, Type::Set(..)) =>
        {
            elements(keys).iter().try_for_each(|element| size(element))
        }
        OperationKind::Set(BoundTerm::Value(Some(value)))
        | OperationKind::Add(BoundTerm::Value(Some(value)))
        | OperationKind::Prepend(BoundTerm::Value(Some(value))) => {
            if !column.ty.is_multi_cell() {
                return size(value);
            }
            let elements = elements(value);
            let step = if matches!(column.ty, Type::Map(..)) { 2 } else { 1 };
            let first = usize::from(step == 2 && !of_keys);
            elements.iter().skip(first).step_by(step).try_for_each(|element| size(element))
        }
        _ => Ok(()),
    }
}

/// Entries are indexed as a composite of key and value.
fn check_entries(
    table: &Table,
    index: &Index,
    column: &Column,
    operation: &Operation,
) -> Result<()> {
    collect_entries(operation).as_chunks::<2>().0.iter().try_for_each(|[key, value]| {
        let size = composite_size(key, value, operation.span)?;
        check_size(size, index, column, table, operation.span)
    })
}

/// A storage-attached index bounds the keys and values of its composites, not their sum.
fn check_composites(operation: &Operation) -> Result<()> {
    let entries = collect_entries(operation);
    let mut pairs = entries.as_chunks::<2>().0.iter();
    pairs.try_for_each(|[key, value]| composite_size(key, value, operation.span).map(drop))
}

/// The keys and values that are written to a map, one after the other.
fn collect_entries(operation: &Operation) -> Vec<&[u8]> {
    match &operation.kind {
        OperationKind::SetElement(BoundTerm::Value(Some(key)), BoundTerm::Value(Some(value))) => {
            vec![&**key, &**value]
        }
        OperationKind::Set(BoundTerm::Value(Some(map)))
        | OperationKind::Add(BoundTerm::Value(Some(map))) => elements(map),
        _ => Vec::new(),
    }
}

/// The size of a composite of two values: a length and an end before and after each of them.
pub fn composite_size(first: &[u8], second: &[u8], span: Span) -> Result<usize> {
    match [first, second].iter().find(|part| part.len() > MAX_INDEXED) {
        Some(part) => refuse(ValueReason::ComponentTooLong { length: part.len() }, span),
        None => Ok(first.len() + second.len() + 6),
    }
}

fn check_size(
    size: usize,
    index: &Index,
    column: &Column,
    table: &Table,
    span: Span,
) -> Result<()> {
    if size < MAX_INDEXED {
        return Ok(());
    }
    refuse(
        ValueReason::IndexedTooLong {
            size: size.to_string(),
            index: index.name.to_string(),
            table: table.qualified_name(),
            column: column.name.to_string(),
            most: MAX_INDEXED.to_string(),
        },
        span,
    )
}

/// The elements of a serialised collection; the keys and values of a map alternate.
fn elements(bytes: &[u8]) -> Vec<&[u8]> {
    let mut elements = Vec::new();
    let mut rest = bytes.get(4..).unwrap_or_default();
    while let Some((length, tail)) = rest.split_first_chunk::<4>() {
        let length = usize::try_from(i32::from_be_bytes(*length)).unwrap_or(0);
        let Some((element, tail)) = tail.split_at_checked(length) else { break };
        elements.push(element);
        rest = tail;
    }
    elements
}

/// The replica refuses a vector that cannot be compared.
fn check_vector(index: &Index, column: &Column, operation: &Operation) -> Result<()> {
    let OperationKind::Set(BoundTerm::Value(Some(bytes))) = &operation.kind else { return Ok(()) };
    if !matches!(column.ty, Type::Vector(..)) {
        return Ok(());
    }
    let components: Vec<f32> =
        bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_be_bytes(*chunk)).collect();
    let similarity = index.options.get("similarity_function");
    let is_cosine = similarity.is_none_or(|function| function.eq_ignore_ascii_case("cosine"));
    let help = if components
        .iter()
        .any(|component| !component.is_finite() || component.abs() > MAX_COMPONENT)
    {
        format!("use finite components up to {MAX_COMPONENT:e}")
    } else if is_cosine && components.iter().all(|component| *component == 0.0) {
        "use a nonzero vector; cosine similarity is undefined for the zero vector".to_owned()
    } else {
        return Ok(());
    };
    Err(replica_failure(operation.span).with_help(help).into())
}

/// The failure of a replica, which the coordinator reports without a reason.
pub(super) fn replica_failure(span: Span) -> Refusal {
    Refusal::new(WriteReason::ReplicaFailure, span)
}
