//! The values of keys and rows in a WHERE clause at execution: nulls, empty keys and keys that are
//! too long are refused only then.

use std::collections::BTreeSet;

use cql::{Span, value};

use crate::bind::restrictions::{
    InList, Operand, PartitionRestrictions, Restriction, RestrictionKind, RestrictionSet, Slice,
    TokenRestriction, clustering, is_null, partition_keys,
};
use crate::bind::term::BoundTerm;
use crate::catalog::Table;
use crate::partitioner::Token;
use crate::refusal::{ValueReason, refuse};
use crate::{Refusal, Result};

/// The maximum length of a partition key.
const MAX_KEY: usize = 65_535;

/// The maximum number of keys that are checked individually.
const MAX_KEYS: usize = 10_000;

/// Whether restrictions name any keys or rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bind) enum KeyPresence {
    /// None: some IN has no value.
    Nothing,
    /// Some, or unknown until markers are bound.
    Something,
}

/// Checks the values of the partition key columns and the length of the keys.
fn check_partition(set: &RestrictionSet, table: &Table) -> Result<KeyPresence> {
    let mut keys: Option<Vec<Vec<usize>>> = Some(vec![Vec::new()]);
    for restriction in &set.restrictions {
        if check_restriction(restriction, table)? == KeyPresence::Nothing {
            return Ok(KeyPresence::Nothing);
        }
        keys = keys.and_then(|keys| extend_keys(&keys, restriction));
    }
    let span = set.restrictions.first().map(|restriction| restriction.span).unwrap_or_default();
    for key in keys.unwrap_or_default() {
        let size: usize = key.iter().sum();
        if size > MAX_KEY {
            return refuse(
                ValueReason::KeyTooLong { size: size.to_string(), most: MAX_KEY.to_string() },
                span,
            );
        }
    }
    Ok(KeyPresence::Something)
}

/// The partitions that a statement names, without those that its token restriction excludes.
#[derive(Debug)]
pub(in crate::bind) struct NamedPartitions {
    /// Whether there are any.
    pub(in crate::bind) named: KeyPresence,
    /// Their keys; empty if they are not known.
    keys: BTreeSet<Vec<u8>>,
    span: Span,
}

/// The partitions that a statement names by key.
pub(in crate::bind) fn resolve_partitions(
    partition: &PartitionRestrictions,
    table: &Table,
) -> Result<NamedPartitions> {
    let span = partition
        .columns
        .restrictions
        .first()
        .map(|restriction| restriction.span)
        .unwrap_or_default();
    let mut named = check_partition(&partition.columns, table)?;
    let mut keys = partition_keys(&partition.columns);
    if let Some(token) = &partition.token {
        token.check_calls()?;
        refuse_null_token(token)?;
        let admits = |key: &Vec<u8>| token.admits(Token::from_key(key)).unwrap_or(true);
        keys = keys.map(|keys| keys.into_iter().filter(admits).collect());
    }
    if keys.as_ref().is_some_and(BTreeSet::is_empty) {
        named = KeyPresence::Nothing;
    }
    Ok(NamedPartitions { named, keys: keys.unwrap_or_default(), span })
}

impl NamedPartitions {
    /// Checks that the composed keys are neither empty nor too long.
    pub(in crate::bind) fn check_keys(&self) -> Result<()> {
        for key in &self.keys {
            if key.is_empty() {
                return refuse(ValueReason::EmptyKey, self.span);
            }
            if key.len() > MAX_KEY {
                return refuse(
                    ValueReason::KeyTooLong {
                        size: key.len().to_string(),
                        most: MAX_KEY.to_string(),
                    },
                    self.span,
                );
            }
        }
        Ok(())
    }
}

/// The server fails on a null token when it checks named partitions.
fn refuse_null_token(token: &TokenRestriction) -> Result<()> {
    if !token.has_null() {
        return Ok(());
    }
    refuse(ValueReason::NullTokenArgument, token.span)
}

/// Checks the values of the clustering columns that name rows or bound a slice.
pub(in crate::bind) fn check_clustering(
    set: &RestrictionSet,
    table: &Table,
) -> Result<KeyPresence> {
    for (restriction, by_row) in clustering::classify_restrictions(set, table) {
        if by_row {
            return Ok(KeyPresence::Something);
        }
        if let RestrictionKind::Slice(slice) = &restriction.kind {
            restriction.check_calls()?;
            check_slice(restriction, slice, table)?;
            return Ok(KeyPresence::Something);
        }
        if check_restriction(restriction, table)? == KeyPresence::Nothing {
            return Ok(KeyPresence::Nothing);
        }
    }
    Ok(KeyPresence::Something)
}

/// Whether the last restriction is an empty range.
pub(in crate::bind) fn is_empty_range(set: &RestrictionSet, table: &Table) -> bool {
    let Some(restriction) = set.restrictions.last() else { return false };
    let RestrictionKind::Slice(Slice { start: Some(start), end: Some(end) }) = &restriction.kind
    else {
        return false;
    };
    let (low, high) = (start.value.terms(), end.value.terms());
    let columns = &restriction.columns;
    // If the table's order is not that of the values, a range of tuples is several ranges.
    let is_plain = columns.len() == 1 || columns.iter().all(|at| !table.columns()[*at].descending);
    if !is_plain || low.len() != columns.len() || high.len() != columns.len() {
        return false;
    }
    for (column, bounds) in columns.iter().zip(low.iter().zip(high)) {
        let order = match bounds {
            (BoundTerm::Value(Some(low)), BoundTerm::Value(Some(high))) => {
                value::compare(&table.columns()[*column].ty, low, high)
            }
            // Null is less than all values.
            (BoundTerm::Value(low), BoundTerm::Value(high)) => low.is_some().cmp(&high.is_some()),
            _ => return false,
        };
        if order.is_ne() {
            return order.is_gt();
        }
    }
    !(start.inclusive && end.inclusive)
}

fn check_restriction(restriction: &Restriction, table: &Table) -> Result<KeyPresence> {
    restriction.check_calls()?;
    match &restriction.kind {
        RestrictionKind::Equal(operand) => {
            if let Some(column) = null_column(restriction, operand) {
                let name = &table.columns()[column].name;
                let reason = if restriction.multi_column {
                    ValueReason::NullColumn { columns: name.to_string() }
                } else {
                    ValueReason::NullCondition { column: name.to_string() }
                };
                return refuse(reason, restriction.span);
            }
        }
        RestrictionKind::In(InList::Values(values)) => {
            if values.is_empty() {
                return Ok(KeyPresence::Nothing);
            }
            if values.iter().any(|value| null_column(restriction, value).is_some()) {
                return Err(null_in_list(restriction, table).into());
            }
        }
        _ => {}
    }
    Ok(KeyPresence::Something)
}

fn null_in_list(restriction: &Restriction, table: &Table) -> Refusal {
    let names: Vec<&str> =
        restriction.columns.iter().map(|column| &*table.columns()[*column].name).collect();
    let reason = if restriction.multi_column {
        ValueReason::NullConditions { columns: names.join(", ") }
    } else {
        ValueReason::NullCondition { column: names.join(", ") }
    };
    Refusal::new(reason, restriction.span)
}

/// The bounds of a single column may be null (an empty range), those of a tuple may not.
fn check_slice(restriction: &Restriction, slice: &Slice, table: &Table) -> Result<()> {
    if !restriction.multi_column {
        return Ok(());
    }
    for bound in [&slice.start, &slice.end].into_iter().flatten() {
        if let Some(column) = null_column(restriction, &bound.value) {
            let name = &table.columns()[column].name;
            return refuse(
                ValueReason::NullCondition { column: name.to_string() },
                restriction.span,
            );
        }
    }
    Ok(())
}

/// The first column for which the operand is null.
fn null_column(restriction: &Restriction, operand: &Operand) -> Option<usize> {
    let Operand::Terms(terms) = operand else { return None };
    restriction.columns.iter().zip(terms).find(|(_, term)| is_null(term)).map(|(column, _)| *column)
}

/// The sizes of the components of each key; `None` if they are not known.
fn extend_keys(keys: &[Vec<usize>], restriction: &Restriction) -> Option<Vec<Vec<usize>>> {
    let sizes = |operand: &Operand| match operand {
        Operand::Terms(terms) => match terms.as_slice() {
            [BoundTerm::Value(Some(value))] => Some(value.len()),
            _ => None,
        },
        Operand::TupleMarker(_) => None,
    };
    let values: Vec<usize> = match &restriction.kind {
        RestrictionKind::Equal(operand) => vec![sizes(operand)?],
        RestrictionKind::In(InList::Values(values)) => {
            values.iter().map(sizes).collect::<Option<_>>()?
        }
        _ => return None,
    };
    if keys.len().saturating_mul(values.len()) > MAX_KEYS {
        return None;
    }
    let with = |key: &Vec<usize>, value: usize| key.iter().copied().chain([value]).collect();
    Some(keys.iter().flat_map(|key| values.iter().map(move |value| with(key, *value))).collect())
}
