//! The errors of executing a write with its literal values.
//!
//! Rows are unknown here. A condition that depends on them may or may not hold, so what would
//! follow from it is refused only after `IF NOT EXISTS`, which holds for a new row.

use std::collections::HashMap;

use cql::Span;
use cql::types::Type;

use super::key::{self, PartialKey};
use super::{
    BoundBatch, BoundConditions, BoundWrite, Operation, OperationKind, WriteRows, attributes,
    evaluation, has_row_operation, index, unusable,
};
use crate::bind::function::{ComputedValue, evaluate};
use crate::bind::restrictions::StatementType;
use crate::bind::select::values::KeyPresence;
use crate::bind::term::BoundTerm;
use crate::catalog::{ColumnKind, Table};
use crate::refusal::{BatchReason, ConditionReason, ValueReason, WriteReason, refuse};
use crate::{Refusal, Result};

/// Checks the execution of a write.
pub(super) fn write(write: &BoundWrite, now_ms: i64) -> Result<()> {
    if write.is_conditional() {
        return conditional(write, now_ms);
    }
    let partitions = key::check_partitions(write)?;
    apply(write, write.using.timestamp.as_ref(), partitions, now_ms)?;
    if !write.table.is_test_table() {
        refuse_virtual(write)?;
    }
    index::check(write)
}

/// Checks the execution of a batch: first all partition keys, then the statements.
pub(super) fn batch(batch: &BoundBatch, now_ms: i64) -> Result<()> {
    if batch.is_conditional() {
        return conditional_batch(batch, now_ms);
    }
    let partitions =
        batch.statements.iter().map(key::check_partitions).collect::<Result<Vec<_>>>()?;
    for (write, partitions) in batch.statements.iter().zip(partitions) {
        let timestamp = write.using.timestamp.as_ref().or(batch.using.timestamp.as_ref());
        apply(write, timestamp, partitions, now_ms)?;
    }
    batch.statements.iter().try_for_each(refuse_virtual)?;
    batch.statements.iter().try_for_each(index::check)
}

fn refuse_virtual(write: &BoundWrite) -> Result<()> {
    if !write.table.is_virtual {
        return Ok(());
    }
    refuse(WriteReason::ReadOnlyTable { table: write.table.qualified_name() }, write.span)
}

fn apply(
    write: &BoundWrite,
    timestamp: Option<&(BoundTerm, Span)>,
    partitions: KeyPresence,
    now_ms: i64,
) -> Result<()> {
    if key::check_clusterings(write)? == KeyPresence::Nothing {
        return Ok(());
    }
    attributes::check_ttl(write, now_ms)?;
    attributes::check_timestamp(timestamp)?;
    if partitions == KeyPresence::Nothing {
        return Ok(());
    }
    if !write.is_range() {
        key::check_row_lengths(write)?;
    }
    operate(write)?;
    if write.is_range() { key::check_range(write) } else { Ok(()) }
}

/// Checks the operations: those on rows first, then those on static columns.
fn operate(write: &BoundWrite) -> Result<()> {
    let table = &write.table;
    let deletes = write.statement == StatementType::Delete;
    let on_rows = has_row_operation(table, write.statement, &write.operations);
    let names_row = !write.is_range() && (table.clustering().is_empty() || write.has_row_updates());
    if deletes && !write.operations.is_empty() && (write.is_range() || (on_rows && !names_row)) {
        let span = write.operations.iter().map(|operation| operation.span).reduce(Span::union);
        return Err(Refusal::new(WriteReason::RangeOfColumns, span.unwrap_or(write.span))
            .with_help("restrict the full primary key, or delete whole rows")
            .into());
    }
    if names_row {
        check_empty_clustering(write)?;
    }
    if !deletes && write.has_row_updates() {
        check_compact(write)?;
    }
    for kind in [ColumnKind::Regular, ColumnKind::Static] {
        let of_kind = |operation: &&Operation| table.columns()[operation.column].kind == kind;
        write
            .operations
            .iter()
            .filter(of_kind)
            .try_for_each(|operation| operate_on(table, operation))?;
    }
    Ok(())
}

/// The clustering value of a dense row is the name of its cell, which cannot be empty.
fn check_empty_clustering(write: &BoundWrite) -> Result<()> {
    let flags = &write.table.flags;
    match write.table.clustering() {
        [column] if flags.dense && !flags.compound && key::has_empty_clustering(write) => {
            refuse(ValueReason::EmptyClustering { column: column.name.to_string() }, write.span)
        }
        _ => Ok(()),
    }
}

/// A row of a dense table exists by its only value. A JSON document gives every column some value.
fn check_compact(write: &BoundWrite) -> Result<()> {
    let table = &write.table;
    let value = table.regulars().first().filter(|_| table.flags.dense);
    let names_columns = matches!(write.rows, WriteRows::Where(_));
    match value {
        Some(value) if names_columns && !write.has_operation_on(ColumnKind::Regular) => {
            refuse(WriteReason::CompactValueMissing { column: value.name.to_string() }, write.span)
        }
        _ => Ok(()),
    }
}

fn operate_on(table: &Table, operation: &Operation) -> Result<()> {
    for term in operation.kind.terms() {
        evaluate(term, operation.span)?;
    }
    let ty = &table.columns()[operation.column].ty;
    unusable::check(ty, operation)?;
    let reason = match &operation.kind {
        OperationKind::SetElement(BoundTerm::Value(None), _)
        | OperationKind::DeleteElement(BoundTerm::Value(None)) => match ty {
            Type::List(..) => ValueReason::NullListIndex,
            Type::Set(..) => ValueReason::NullSetElement,
            _ => ValueReason::NullMapKey,
        },
        OperationKind::SetTuple(_) => {
            let (tuple, user) = (
                "org.apache.cassandra.cql3.Tuples$Value",
                "org.apache.cassandra.cql3.UserTypes$Value",
            );
            let help = "write a user type as `{field: value, ...}`";
            return Err(Refusal::new(
                WriteReason::TupleCast { tuple: tuple.to_string(), user: user.to_string() },
                operation.span,
            )
            .with_help(help)
            .into());
        }
        OperationKind::Subtract(BoundTerm::Value(Some(bytes)))
            if ty.is_counter() && **bytes == i64::MIN.to_be_bytes() =>
        {
            ValueReason::NegationOverflow { value: i64::MIN }
        }
        _ => return Ok(()),
    };
    refuse(reason, operation.span)
}

fn conditional(write: &BoundWrite, now_ms: i64) -> Result<()> {
    check_conditional(write)?;
    evaluation::check(write)?;
    if matches!(write.conditions, BoundConditions::NotExists) {
        carry_out(write, now_ms)
    } else {
        Ok(())
    }
}

/// The errors of a conditional write before any row is read.
pub(super) fn check_conditional(write: &BoundWrite) -> Result<()> {
    key::check_partitions(write)?;
    if let WriteRows::Where(restrictions) = &write.rows
        && restrictions.is_key_in_relation()
    {
        return refuse(
            ConditionReason::PartitionIn { statements: plural(write).to_string() },
            write.span,
        );
    }
    refuse_clustering_in(write)?;
    key::check_clusterings(write)?;
    evaluation::check_values(write)
}

/// The errors once all conditions hold.
pub(super) fn carry_out(write: &BoundWrite, now_ms: i64) -> Result<()> {
    attributes::check_ttl(write, now_ms)?;
    operate(write)?;
    index::check(write)
}

fn plural(write: &BoundWrite) -> &'static str {
    if write.statement == StatementType::Update { "updates" } else { "deletions" }
}

fn refuse_clustering_in(write: &BoundWrite) -> Result<()> {
    let WriteRows::Where(restrictions) = &write.rows else { return Ok(()) };
    if !restrictions.clustering.has_in() {
        return Ok(());
    }
    refuse(ConditionReason::ClusteringIn { statements: plural(write).to_string() }, write.span)
}

/// The conditions of a conditional batch by row; the static row has no clustering.
type RowConditions = HashMap<Option<PartialKey>, RowCondition>;

/// The condition of a conditional batch on one row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowCondition {
    Exists,
    NotExists,
    Columns,
}

fn conditional_batch(batch: &BoundBatch, now_ms: i64) -> Result<()> {
    check_conditional_batch(batch)?;
    batch.statements.iter().try_for_each(evaluation::check)?;
    let inserts = |write: &BoundWrite| {
        matches!(write.conditions, BoundConditions::None | BoundConditions::NotExists)
    };
    if batch.statements.iter().all(inserts) {
        batch.statements.iter().try_for_each(|write| carry_out(write, now_ms))?;
    }
    Ok(())
}

/// The errors of a conditional batch before any row is read.
pub(super) fn check_conditional_batch(batch: &BoundBatch) -> Result<()> {
    let mut first: Option<Vec<ComputedValue>> = None;
    let mut row_conditions = RowConditions::new();
    for write in &batch.statements {
        key::check_partitions(write)?;
        if let WriteRows::Where(restrictions) = &write.rows
            && restrictions.is_key_in_relation()
        {
            return refuse(BatchReason::PartitionIn, write.span);
        }
        match (&first, key::first_partition(write)?) {
            (None, key) => first = key,
            (Some(first), Some(key)) if has_difference(first, &key) => {
                return refuse(BatchReason::ManyPartitions, write.span);
            }
            _ => {}
        }
        refuse_clustering_in(write)?;
        if write.is_range() {
            continue;
        }
        key::check_clusterings(write)?;
        add_conditions(&mut row_conditions, write, key::first_clustering(write))?;
    }
    batch.statements.iter().try_for_each(evaluation::check_values)
}

fn has_difference(one: &[ComputedValue], other: &[ComputedValue]) -> bool {
    one.iter().zip(other).any(|pair| match pair {
        (ComputedValue::Unique, _) | (_, ComputedValue::Unique) => true,
        (ComputedValue::Known(one), ComputedValue::Known(other)) => one != other,
        _ => false,
    })
}

/// Adds the conditions of a statement, and refuses contradictions.
fn add_conditions(
    row_conditions: &mut RowConditions,
    write: &BoundWrite,
    clustering: Option<PartialKey>,
) -> Result<()> {
    let has_unknown = clustering.as_ref().is_none_or(|key| key.iter().any(Option::is_none));
    let row = if write.is_static_only() && !has_clustering(write) { None } else { clustering };
    if has_unknown && row.is_some() {
        return Ok(());
    }
    match &write.conditions {
        BoundConditions::None => Ok(()),
        BoundConditions::Exists => {
            add_row_condition(row_conditions, row, RowCondition::Exists, write.span)
        }
        BoundConditions::NotExists => {
            add_row_condition(row_conditions, row, RowCondition::NotExists, write.span)
        }
        conditions @ BoundConditions::All(_) => {
            if conditions.has_column_of(&write.table, ColumnKind::Regular) {
                add_row_condition(row_conditions, row, RowCondition::Columns, write.span)?;
            }
            if conditions.has_column_of(&write.table, ColumnKind::Static) {
                add_row_condition(row_conditions, None, RowCondition::Columns, write.span)?;
            }
            Ok(())
        }
    }
}

fn has_clustering(write: &BoundWrite) -> bool {
    !write.table.clustering().is_empty() && write.has_row_updates()
}

fn add_row_condition(
    row_conditions: &mut RowConditions,
    row: Option<PartialKey>,
    what: RowCondition,
    span: Span,
) -> Result<()> {
    let earlier = *row_conditions.entry(row).or_insert(what);
    let reason = match (earlier, what) {
        (earlier, what) if earlier == what => return Ok(()),
        (RowCondition::Columns, RowCondition::Exists) => BatchReason::ConditionsAndExists,
        (RowCondition::Columns, _) | (_, RowCondition::Columns) => {
            BatchReason::ConditionsAndNotExists
        }
        _ => BatchReason::ExistsAndNotExists,
    };
    refuse(reason, span)
}
