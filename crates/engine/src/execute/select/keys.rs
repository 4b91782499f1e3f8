//! [`PartitionSelection`]: the partitions that a SELECT reads, by name or by a range of the ring.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Bound;

use schema::access::{NamedKeys, Partitions as PlannedPartitions, ReadPlan};
use schema::bind::restrictions::{
    Restriction, Restrictions, SliceBound, TokenRestriction, TokenRestrictionKind,
};
use schema::bind::term::BoundTerm;
use schema::partitioner::Token;
use storage::{DecoratedKey, RingRange};

use crate::access_recorder::PartitionsRecord;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::rows::value::{self, cartesian_product};

/// The time limit is checked after this many keys.
const KEYS_PER_CHECK: usize = 1024;

/// The partitions that are read.
#[derive(Clone, Debug)]
pub(crate) enum PartitionSelection {
    /// Partitions by key, in the order of reading.
    Named(Vec<DecoratedKey>),
    /// A range of the ring, in token order.
    Range(RingRange),
}

impl PartitionSelection {
    /// Whether an index can be searched for them: a search covers one range of the ring.
    pub(crate) fn can_search_index(&self) -> bool {
        !matches!(self, Self::Named(keys) if keys.len() != 1)
    }

    /// The smallest range of the ring with these partitions, if it is a single partition; otherwise
    /// the whole ring.
    pub(crate) fn ring_range(&self) -> RingRange {
        let Self::Named(keys) = self else { return RingRange::ALL };
        let [key] = &keys[..] else { return RingRange::ALL };
        RingRange { start: Bound::Included(key.clone()), end: Bound::Included(key.clone()) }
    }

    /// The range of the ring, if partitions are not named.
    pub(crate) fn range(&self) -> Option<&RingRange> {
        if let Self::Range(range) = self { Some(range) } else { None }
    }

    /// The form for the access recorder.
    pub(crate) fn to_record(&self) -> PartitionsRecord {
        match self {
            Self::Named(keys) => {
                PartitionsRecord::Named(keys.iter().map(|key| key.key().into()).collect())
            }
            Self::Range(range) => PartitionsRecord::Range {
                from: range.start != Bound::Unbounded,
                to: range.end != Bound::Unbounded,
            },
        }
    }
}

/// The partitions of a plan, with values.
pub(crate) fn select_partitions(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &ReadPlan,
    restrictions: &Restrictions,
) -> Result<PartitionSelection> {
    let token = restrictions.partition.token.as_ref();
    match (plan.partitions, token) {
        (PlannedPartitions::TokenRange { .. }, Some(token)) => {
            Ok(match token_range(execution, token)? {
                Some(range) => PartitionSelection::Range(range),
                None => PartitionSelection::Named(Vec::new()),
            })
        }
        (PlannedPartitions::TokenRange { .. } | PlannedPartitions::All, _) => {
            Ok(PartitionSelection::Range(RingRange::ALL))
        }
        _ => build_keys(execution, handle, &plan.keys, restrictions).map(PartitionSelection::Named),
    }
}

/// The keys of all combinations of values, without duplicates, in the order of the values.
fn build_keys(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &NamedKeys,
    restrictions: &Restrictions,
) -> Result<Vec<DecoratedKey>> {
    let mut keys: Vec<Vec<Cow<'_, [u8]>>> = vec![Vec::new()];
    let columns = handle.definition.partition_key();
    for (restriction, column) in restrictions.select(&plan.values).zip(columns) {
        let mut values = key_values(execution, restriction)?;
        if values.len() > 1 {
            values.sort_by(|a, b| cql::value::compare(&column.ty, a, b));
            values.dedup_by(|a, b| cql::value::compare(&column.ty, a, b) == Ordering::Equal);
        }
        let choices: Vec<Vec<_>> = values.into_iter().map(|value| vec![value]).collect();
        keys = cartesian_product(keys, &choices, &|bytes| execution.check_result_size(bytes))?;
    }
    let token = restrictions.partition.token.as_ref().filter(|_| plan.within_token);
    let mut named = Vec::with_capacity(keys.len());
    for key in keys {
        let key = handle.partition_key(&key).ok_or_else(|| Error::invalid("Key is too long"))?;
        if token.and_then(|token| token.admits(key.token())).unwrap_or(true) {
            named.push(key);
        }
        if named.len().is_multiple_of(KEYS_PER_CHECK) {
            execution.check_time()?;
        }
    }
    Ok(named)
}

fn key_values<'t>(
    execution: &Execution<'_>,
    restriction: &'t Restriction,
) -> Result<Vec<Cow<'t, [u8]>>> {
    let choices = value::evaluate_choices(&execution.env(), restriction)?;
    Ok(choices.into_iter().flatten().flatten().collect())
}

/// The range of the ring that a token restriction admits; `None` for no range.
///
/// No partition has the minimum token: as a lower bound it is the start of the ring, as an upper
/// bound its end.
fn token_range(
    execution: &Execution<'_>,
    restriction: &TokenRestriction,
) -> Result<Option<RingRange>> {
    let ((start, with_start), (end, with_end)) = match &restriction.kind {
        TokenRestrictionKind::Equal(term) => {
            let token = evaluate_token(execution, term)?;
            ((token, true), (token, true))
        }
        TokenRestrictionKind::Slice(slice) => {
            let bound = |bound: &Option<SliceBound>| match bound {
                None => Ok((Token::MINIMUM, true)),
                Some(bound) => match bound.value.terms().first() {
                    Some(term) => Ok((evaluate_token(execution, term)?, bound.inclusive)),
                    None => Err(invalid_null()),
                },
            };
            (bound(&slice.start)?, bound(&slice.end)?)
        }
    };
    let is_open = start == Token::MINIMUM || end == Token::MINIMUM;
    if !is_open && (start > end || (start == end && !(with_start && with_end))) {
        return Ok(None);
    }
    let before = |token: Token| DecoratedKey::with_token(token, &[]);
    let after = |token: Token| match token.0.checked_add(1) {
        Some(next) => Bound::Included(before(Token(next))),
        None => Bound::Unbounded,
    };
    let range_start = match (start, with_start) {
        (Token::MINIMUM, _) => Bound::Unbounded,
        (start, true) => Bound::Included(before(start)),
        (Token(i64::MAX), false) => return Ok(None),
        (start, false) => after(start),
    };
    let range_end = match (end, with_end) {
        (Token::MINIMUM, _) => Bound::Unbounded,
        (end, false) => Bound::Excluded(before(end)),
        (end, true) => match after(end) {
            Bound::Included(next) => Bound::Excluded(next),
            other => other,
        },
    };
    Ok(Some(RingRange { start: range_start, end: range_end }))
}

fn evaluate_token(execution: &Execution<'_>, term: &BoundTerm) -> Result<Token> {
    let value = value::evaluate_nullable(&execution.env(), term)?.ok_or_else(invalid_null)?;
    let bytes = value.as_ref().try_into().map_err(|_| invalid_null())?;
    Ok(Token(i64::from_be_bytes(bytes)))
}

fn invalid_null() -> Error {
    Error::invalid("Invalid null token value")
}
