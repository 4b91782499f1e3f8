//! The resolution of a write's target: its partitions, and rows or ranges of rows in them.

use std::borrow::Cow;
use std::cmp::Ordering;

use schema::access::{WriteKey, WriteTarget};
use schema::bind::restrictions::{Operand, Restriction};
use schema::bind::write::WriteRows;
use storage::{DecoratedKey, Slice};

use super::PlannedWrite;
use crate::access_recorder::TargetRecord;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::execute::select::slices::build_slices;
use crate::node::handle::TableHandle;
use crate::rows::value::{self, cartesian_product};

/// Values of the first columns of a key.
type KeyPrefix<'a> = Vec<Cow<'a, [u8]>>;

/// Which rows of its partitions a write changes.
#[derive(Debug)]
pub(super) enum RowTarget<'a> {
    /// No rows are named: the whole partition, its static columns, or the only row of a table
    /// without clustering columns.
    Partition,
    /// Rows by their clustering values; null where a table with COMPACT STORAGE has none.
    Rows(Vec<Vec<Option<Cow<'a, [u8]>>>>),
    /// Ranges of rows.
    Ranges(Vec<Slice>),
}

impl RowTarget<'_> {
    /// The form for the access recorder.
    pub(super) fn to_record(&self) -> TargetRecord {
        match self {
            Self::Partition => TargetRecord::Partition,
            Self::Rows(rows) => TargetRecord::Rows(rows.len()),
            Self::Ranges(slices) => TargetRecord::Ranges(slices.len()),
        }
    }
}

/// The partitions that a write names, without duplicates.
pub(super) fn resolve_partitions(
    execution: &Execution<'_>,
    handle: &TableHandle,
    PlannedWrite { write, plan }: PlannedWrite<'_>,
) -> Result<Vec<DecoratedKey>> {
    let columns = handle.definition.partition_key().len();
    let mut keys = match (&plan.key, &write.rows) {
        (WriteKey::Where(keys), WriteRows::Where(clause)) => {
            key_combinations(execution, handle, clause.select(&keys.values))?
        }
        (WriteKey::Document, WriteRows::Key(key)) => {
            vec![document_key(execution, handle, key.iter().take(columns))?]
        }
        _ => Vec::new(),
    };
    // The server takes them in the order of their values; of equal values with different bytes,
    // such as 1.0 and 1.00, it takes the first.
    keys.sort_by(|a, b| compare_keys(handle, a, b));
    keys.dedup_by(|later, first| compare_keys(handle, later, first).is_eq());
    let too_long = || Error::invalid("Key length is longer than maximum of 65535");
    keys.iter().map(|key| handle.partition_key(key).ok_or_else(too_long)).collect()
}

/// The rows that a write names.
pub(super) fn resolve_rows<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    PlannedWrite { write, plan }: PlannedWrite<'a>,
) -> Result<RowTarget<'a>> {
    let clustering = handle.definition.clustering().len();
    let is_whole = matches!(plan.target, WriteTarget::Statics | WriteTarget::Partition);
    if is_whole || clustering == 0 {
        return Ok(RowTarget::Partition);
    }
    let keys = match &write.rows {
        WriteRows::Where(clause) if plan.target == WriteTarget::Range => {
            return build_slices(execution, handle, &plan.rows, clause).map(RowTarget::Ranges);
        }
        WriteRows::Where(clause) => {
            key_combinations(execution, handle, clause.select(&plan.rows.prefix))?
        }
        WriteRows::Key(key) => {
            let values = key.iter().skip(handle.definition.partition_key().len());
            vec![document_key(execution, handle, values)?]
        }
        WriteRows::Document { .. } => Vec::new(),
    };
    let mut rows: Vec<Vec<Option<Cow<'a, [u8]>>>> = Vec::with_capacity(keys.len());
    for key in keys {
        let mut row: Vec<_> = key.into_iter().map(Some).collect();
        row.resize(clustering, None);
        rows.push(row);
    }
    if rows.len() > 1 {
        let position = |row: &Vec<Option<Cow<'_, [u8]>>>| {
            handle.row_position(&row.iter().map(Option::as_deref).collect::<Vec<_>>())
        };
        rows.sort_by_cached_key(position);
        rows.dedup_by(|a, b| position(a) == position(b));
    }
    Ok(RowTarget::Rows(rows))
}

/// Compares two partition keys by their values.
fn compare_keys(handle: &TableHandle, a: &[Cow<'_, [u8]>], b: &[Cow<'_, [u8]>]) -> Ordering {
    let columns = handle.definition.partition_key().iter();
    let pairs = columns.zip(a.iter().zip(b));
    let mut orders = pairs.map(|(column, (a, b))| cql::value::compare(&column.ty, a, b));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The key in a JSON document.
fn document_key<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    values: impl Iterator<Item = &'a Option<schema::bind::term::BoundTerm>>,
) -> Result<KeyPrefix<'a>> {
    let name = &handle.definition.name;
    let given = values.flatten().map(|term| value::evaluate_required(&execution.env(), term, name));
    given.collect()
}

/// The Cartesian product of the values of restrictions.
fn key_combinations<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    restrictions: impl Iterator<Item = &'a Restriction>,
) -> Result<Vec<KeyPrefix<'a>>> {
    let mut keys: Vec<KeyPrefix<'a>> = vec![Vec::new()];
    for restriction in restrictions {
        let choices = restriction.choices().iter();
        let choices =
            choices.map(|operand| evaluate_operand(execution, handle, restriction, operand));
        let choices = choices.collect::<Result<Vec<_>>>()?;
        keys = cartesian_product(keys, &choices, &|bytes| execution.check_result_size(bytes))?;
    }
    Ok(keys)
}

/// The values of an operand for the columns of its restriction.
fn evaluate_operand<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    restriction: &Restriction,
    operand: &'a Operand,
) -> Result<KeyPrefix<'a>> {
    let mut values = Vec::with_capacity(operand.terms().len());
    for (column, term) in restriction.columns.iter().zip(operand.terms()) {
        let name = handle.definition.columns().get(*column).map_or("", |column| &column.name);
        values.push(value::evaluate_required(&execution.env(), term, name)?);
    }
    Ok(values)
}
