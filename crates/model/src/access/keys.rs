//! The partition keys that a statement names, as far as its text tells.

use std::collections::BTreeSet;

use crate::bind::restrictions::{InList, Operand, Restriction, RestrictionKind, RestrictionSet};
use crate::bind::term::BoundTerm;
use crate::partitioner;

/// More keys than this are not listed.
const MAX_KEYS: usize = 10_000;

/// The bytes of the partition keys that restrictions of the whole key name, without repetition; `None` when a marker
/// or a function takes part, a value is too long, or there are too many.
pub fn partition_keys(key: &RestrictionSet) -> Option<BTreeSet<Vec<u8>>> {
    let mut keys: Vec<Vec<&[u8]>> = vec![Vec::new()];
    for restriction in &key.restrictions {
        let values = single_values(restriction)?;
        if keys.len().saturating_mul(values.len()) > MAX_KEYS {
            return None;
        }
        let longer = |key: &[_], value| key.iter().copied().chain([value]).collect();
        keys = keys
            .iter()
            .flat_map(|key| values.iter().map(move |value| longer(key, *value)))
            .collect();
    }
    keys.iter().map(|key| partitioner::partition_key(key)).collect()
}

/// The bytes of the partition key of these values, one for each column.
pub(super) fn key_of(values: &[&BoundTerm]) -> Option<Vec<u8>> {
    let values: Option<Vec<&[u8]>> = values.iter().map(|value| constant(value)).collect();
    partitioner::partition_key(&values?)
}

/// How many distinct values a list of constants holds.
pub(super) fn distinct_values(restriction: &Restriction) -> Option<usize> {
    let RestrictionKind::In(InList::Values(operands)) = &restriction.kind else { return None };
    let distinct: Option<BTreeSet<Vec<&[u8]>>> = operands.iter().map(constants).collect();
    distinct.map(|values| values.len())
}

fn single_values(restriction: &Restriction) -> Option<BTreeSet<&[u8]>> {
    let operands = match &restriction.kind {
        RestrictionKind::Equal(operand) => std::slice::from_ref(operand),
        RestrictionKind::In(InList::Values(operands)) => operands,
        _ => return None,
    };
    operands.iter().map(|operand| constants(operand)?.first().copied()).collect()
}

fn constants(operand: &Operand) -> Option<Vec<&[u8]>> {
    let Operand::Terms(terms) = operand else { return None };
    terms.iter().map(constant).collect()
}

fn constant(term: &BoundTerm) -> Option<&[u8]> {
    match term {
        BoundTerm::Value(value) => value.as_deref(),
        _ => None,
    }
}
