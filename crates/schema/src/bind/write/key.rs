//! The keys that a write names, as far as they are known before the execution.

use cql::Span;

use super::index::replica_failure;
use super::{BoundWrite, WriteRows};
use crate::Result;
use crate::bind::function::{ComputedValue, evaluate};
use crate::bind::restrictions::{
    InList, Operand, Restriction, RestrictionKind, RestrictionSet, SliceBound,
};
use crate::bind::select::values::{self, KeyPresence};
use crate::bind::term::BoundTerm;
use crate::catalog::Column;
use crate::refusal::{ValueReason, refuse};

/// The maximum length of partition keys, and of the clustering values together.
const MAX_KEY: usize = 65_535;

/// A key by column; `None` for a value that is not known yet.
pub(super) type PartialKey = Vec<Option<Box<[u8]>>>;

/// Checks the partition keys of a write, and whether there are any.
pub(super) fn check_partitions(write: &BoundWrite) -> Result<KeyPresence> {
    let table = &write.table;
    match &write.rows {
        WriteRows::Where(restrictions) => {
            let partitions = values::resolve_partitions(&restrictions.partition, table)?;
            partitions.check_keys()?;
            return Ok(partitions.named);
        }
        WriteRows::Key(key) => {
            let sizes = sizes(table.partition_key(), key.iter(), write.span)?;
            check_partition(&sizes, write.span)?;
        }
        WriteRows::Document { .. } => {}
    }
    Ok(KeyPresence::Something)
}

fn check_partition(sizes: &[usize], span: Span) -> Result<()> {
    let total: usize = sizes.iter().sum();
    if sizes.len() == 1 && total == 0 {
        return refuse(ValueReason::EmptyKey, span);
    }
    check_length(total, span)?;
    // A composite key has three more bytes for each column.
    let frame = if sizes.len() == 1 { 0 } else { 3 * sizes.len() };
    check_length(total + frame, span)
}

/// Checks the clustering values of a write, and whether it names any rows.
pub(super) fn check_clusterings(write: &BoundWrite) -> Result<KeyPresence> {
    let table = &write.table;
    match &write.rows {
        WriteRows::Where(restrictions) => {
            let named = values::check_clustering(&restrictions.clustering, table)?;
            let is_empty = values::is_empty_range(&restrictions.clustering, table);
            Ok(if is_empty { KeyPresence::Nothing } else { named })
        }
        WriteRows::Key(key) => {
            let clustering = key.iter().skip(table.partition_key().len());
            sizes(table.clustering(), clustering, write.span).map(|_| KeyPresence::Something)
        }
        WriteRows::Document { .. } => Ok(KeyPresence::Something),
    }
}

/// The sizes of the key values in a JSON document.
fn sizes<'a>(
    columns: &[Column],
    values: impl Iterator<Item = &'a Option<BoundTerm>>,
    span: Span,
) -> Result<Vec<usize>> {
    let mut sizes = Vec::with_capacity(columns.len());
    for (column, value) in columns.iter().zip(values) {
        let reason = match value {
            Some(BoundTerm::Value(Some(bytes))) => {
                sizes.push(bytes.len());
                continue;
            }
            Some(BoundTerm::Value(None)) => {
                ValueReason::NullCondition { column: column.name.to_string() }
            }
            Some(other) => {
                evaluate(other, span)?;
                sizes.push(0);
                continue;
            }
            None => ValueReason::UnsetKey { column: column.name.to_string() },
        };
        return refuse(reason, span);
    }
    Ok(sizes)
}

/// Checks the total length of the clustering values of each named row.
pub(super) fn check_row_lengths(write: &BoundWrite) -> Result<()> {
    let longest: usize = match &write.rows {
        WriteRows::Where(restrictions) => {
            restrictions.clustering.restrictions.iter().map(longest_choice).sum()
        }
        WriteRows::Key(key) => {
            let clustering = key.iter().skip(write.table.partition_key().len());
            clustering.flatten().map(size).sum()
        }
        WriteRows::Document { .. } => 0,
    };
    check_length(longest, write.span)
}

fn size(term: &BoundTerm) -> usize {
    if let BoundTerm::Value(Some(bytes)) = term { bytes.len() } else { 0 }
}

fn longest_choice(restriction: &Restriction) -> usize {
    let total = |operand: &Operand| match operand {
        Operand::Terms(terms) => terms.iter().map(size).sum(),
        Operand::TupleMarker(_) => 0,
    };
    match &restriction.kind {
        RestrictionKind::Equal(operand) => total(operand),
        RestrictionKind::In(InList::Values(operands)) => {
            operands.iter().map(total).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// Whether a row that a write names has an empty clustering value.
pub(super) fn has_empty_clustering(write: &BoundWrite) -> bool {
    let is_empty = |term: &BoundTerm| matches!(term, BoundTerm::Value(Some(b)) if b.is_empty());
    let has_empty = |operand: &Operand| match operand {
        Operand::Terms(terms) => terms.iter().any(is_empty),
        Operand::TupleMarker(_) => false,
    };
    match &write.rows {
        WriteRows::Where(restrictions) => {
            restrictions.clustering.restrictions.iter().any(|restriction| match &restriction.kind {
                RestrictionKind::Equal(operand) => has_empty(operand),
                RestrictionKind::In(InList::Values(operands)) => operands.iter().any(has_empty),
                _ => false,
            })
        }
        WriteRows::Key(key) => {
            key.iter().skip(write.table.partition_key().len()).flatten().any(is_empty)
        }
        WriteRows::Document { .. } => false,
    }
}

fn check_length(length: usize, span: Span) -> Result<()> {
    if length <= MAX_KEY {
        return Ok(());
    }
    refuse(ValueReason::KeyTooLong { size: length.to_string(), most: MAX_KEY.to_string() }, span)
}

/// The term of a bound on one column.
fn single(bound: &SliceBound) -> Option<&BoundTerm> {
    match &bound.value {
        Operand::Terms(terms) => terms.first().filter(|_| terms.len() == 1),
        Operand::TupleMarker(_) => None,
    }
}

/// No replica stores a range that starts or ends at null.
pub(super) fn check_range(write: &BoundWrite) -> Result<()> {
    let WriteRows::Where(restrictions) = &write.rows else { return Ok(()) };
    let slices = restrictions.clustering.restrictions.iter().filter_map(|restriction| {
        match &restriction.kind {
            RestrictionKind::Slice(slice) => Some((restriction, slice)),
            _ => None,
        }
    });
    for (restriction, slice) in slices {
        let bounds = [&slice.start, &slice.end];
        if bounds.into_iter().flatten().any(|bound| single(bound) == Some(&BoundTerm::NULL)) {
            return Err(replica_failure(restriction.span)
                .with_help("use a bound that is not null")
                .into());
        }
    }
    Ok(())
}

/// The first partition key that a write names, if it names keys by values.
pub(super) fn first_partition(write: &BoundWrite) -> Result<Option<Vec<ComputedValue>>> {
    let terms: Vec<&BoundTerm> = match &write.rows {
        WriteRows::Where(restrictions) => {
            let restrictions = &restrictions.partition.columns.restrictions;
            if !restrictions.iter().all(Restriction::is_equal) {
                return Ok(None);
            }
            restrictions.iter().flat_map(Restriction::terms).collect()
        }
        WriteRows::Key(key) => {
            key.iter().take(write.table.partition_key().len()).flatten().collect()
        }
        WriteRows::Document { .. } => return Ok(None),
    };
    terms.into_iter().map(|term| evaluate(term, write.span)).collect::<Result<_>>().map(Some)
}

/// The clustering values of the first row that a write names; `None` if it names no row.
pub(super) fn first_clustering(write: &BoundWrite) -> Option<PartialKey> {
    match &write.rows {
        WriteRows::Where(restrictions) => first_of(&restrictions.clustering),
        WriteRows::Key(key) => Some(
            key.iter()
                .skip(write.table.partition_key().len())
                .map(|value| constant_bytes(value.as_ref()))
                .collect(),
        ),
        WriteRows::Document { .. } => None,
    }
}

fn constant_bytes(value: Option<&BoundTerm>) -> Option<Box<[u8]>> {
    if let Some(BoundTerm::Value(value)) = value { value.clone() } else { None }
}

fn first_of(set: &RestrictionSet) -> Option<PartialKey> {
    let mut key = PartialKey::new();
    for restriction in &set.restrictions {
        let RestrictionKind::Equal(Operand::Terms(terms)) = &restriction.kind else { return None };
        key.extend(terms.iter().map(|term| constant_bytes(Some(term))));
    }
    Some(key)
}
