//! The partition keys and tokens that a statement names, as far as its constants give them.

use std::collections::BTreeSet;

use super::{
    InList, Operand, Restriction, RestrictionKind, RestrictionSet, SliceBound, TokenRestriction,
    TokenRestrictionKind,
};
use crate::Result;
use crate::bind::function::{FunctionKind, FunctionName, SYSTEM, evaluate};
use crate::bind::term::BoundTerm;
use crate::partitioner::{self, Token};

/// The maximum number of keys that are listed: INs on several columns multiply.
const MAX_KEYS: usize = 10_000;

/// The serialised partition keys that restrictions of the whole key name, without duplicates;
/// `None` if a value is a marker or a function, a value is too long, or there are too many keys.
pub fn partition_keys(key: &RestrictionSet) -> Option<BTreeSet<Vec<u8>>> {
    let mut keys: Vec<Vec<&[u8]>> = vec![Vec::new()];
    for restriction in &key.restrictions {
        let values = single_values(restriction)?;
        if keys.len().saturating_mul(values.len()) > MAX_KEYS {
            return None;
        }
        let extend = |key: &[_], value| key.iter().copied().chain([value]).collect();
        keys = keys
            .iter()
            .flat_map(|key| values.iter().map(move |value| extend(key, *value)))
            .collect();
    }
    keys.iter().map(|key| partitioner::partition_key(key)).collect()
}

/// The serialised partition key of these values, one for each column.
pub(crate) fn key_of(values: &[&BoundTerm]) -> Option<Vec<u8>> {
    let values: Option<Vec<&[u8]>> = values.iter().map(|value| constant(value)).collect();
    partitioner::partition_key(&values?)
}

/// The number of distinct values of an IN, if all are constants.
pub(crate) fn distinct_values(restriction: &Restriction) -> Option<usize> {
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

/// Whether a term is null: the literal, or a call with a null argument of a function that returns
/// null for null.
pub(crate) fn is_null(term: &BoundTerm) -> bool {
    match term {
        BoundTerm::Value(value) => value.is_none(),
        BoundTerm::Call { function, arguments } => {
            let returns_null = match &function.kind {
                FunctionKind::Cast(_) | FunctionKind::Operator(_) | FunctionKind::Negation => true,
                FunctionKind::Scalar => is_token(&function.name),
                _ => false,
            };
            returns_null && arguments.iter().any(is_null)
        }
        _ => false,
    }
}

impl TokenRestriction {
    /// Evaluates the function calls in it, for their errors.
    pub(in crate::bind) fn check_calls(&self) -> Result<()> {
        self.terms().try_for_each(|term| evaluate(term, self.span).map(drop))
    }

    /// Whether it compares with null.
    pub(crate) fn has_null(&self) -> bool {
        self.terms().any(is_null)
    }

    /// Whether it admits partitions with that token; `None` if a bound is not a constant.
    pub fn admits(&self, token: Token) -> Option<bool> {
        let slice = match &self.kind {
            TokenRestrictionKind::Equal(term) => return Some(constant_token(term)? == token),
            TokenRestrictionKind::Slice(slice) => slice,
        };
        let bound = |bound: &Option<SliceBound>| match bound {
            Some(SliceBound { value: Operand::Terms(terms), inclusive }) => {
                Some(Some((constant_token(terms.first()?)?, *inclusive)))
            }
            Some(_) => None,
            None => Some(None),
        };
        let (start, end) = (bound(&slice.start)?, bound(&slice.end)?);
        let above =
            start.is_none_or(|(start, inclusive)| token > start || (inclusive && token == start));
        let below = end.is_none_or(|(end, inclusive)| token < end || (inclusive && token == end));
        // A range whose start is after its end wraps around the ring.
        let wraps = start.zip(end).is_some_and(|((start, _), (end, _))| start > end);
        Some(if wraps { above || below } else { above && below })
    }

    fn terms(&self) -> impl Iterator<Item = &BoundTerm> {
        let (equal, slice) = match &self.kind {
            TokenRestrictionKind::Equal(term) => (Some(term), None),
            TokenRestrictionKind::Slice(slice) => (None, Some(slice)),
        };
        let bounds =
            slice.into_iter().flat_map(|slice| [&slice.start, &slice.end].into_iter().flatten());
        let terms = bounds.filter_map(|bound| match &bound.value {
            Operand::Terms(terms) => terms.first(),
            Operand::TupleMarker(_) => None,
        });
        equal.into_iter().chain(terms)
    }
}

/// The token that a term gives: a number, or `token()` of constants.
fn constant_token(term: &BoundTerm) -> Option<Token> {
    match term {
        BoundTerm::Value(value) => {
            Some(Token(i64::from_be_bytes(value.as_deref()?.try_into().ok()?)))
        }
        BoundTerm::Call { function, arguments } if is_token(&function.name) => {
            let arguments: Vec<&BoundTerm> = arguments.iter().collect();
            Some(Token::from_key(&key_of(&arguments)?))
        }
        _ => None,
    }
}

fn is_token(name: &FunctionName) -> bool {
    &*name.keyspace == SYSTEM && &*name.name == "token"
}
