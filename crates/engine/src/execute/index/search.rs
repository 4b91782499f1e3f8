//! Index searches: which rows a SELECT has to look at.

use std::ops::Bound;
use std::sync::Arc;

use schema::Refusal;
use schema::access::IndexUse;
use schema::bind::restrictions::{
    ContainsRestriction, Restriction, RestrictionKind, Restrictions, SliceBound,
};
use schema::bind::term::BoundTerm;
use schema::bind::write::composite_size;
use schema::catalog::{IndexClass, IndexPart};
use schema::refusal::ValueReason;
use storage::RingRange;

use super::candidates::IndexCandidates;
use crate::error::Result;
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::node::index::entry::IndexEntry;
use crate::node::index::target::IndexTarget;
use crate::node::index::{BuildContext, IndexHandle};

/// The limit up to which entries are counted to find the index with the fewest.
const COUNT_MAX: usize = 1024;

/// The lookup in an index.
#[derive(Debug)]
pub(super) enum IndexPredicate {
    /// A lookup that no entry can match.
    Nothing,
    /// The entries of one value.
    Term(Vec<u8>),
    /// The entries of a range of values.
    Between(Bound<Vec<u8>>, Bound<Vec<u8>>),
}

/// Runs the search of the plan with the fewest entries; `None` if all rows must be read.
pub(crate) fn search(
    execution: &Execution<'_>,
    handle: &TableHandle,
    plan: &IndexUse,
    restrictions: &Restrictions,
    range: RingRange,
) -> Result<Option<IndexCandidates>> {
    let check = || execution.check_time();
    let context = BuildContext { table: &handle.rows, store: &execution.node.store, check: &check };
    let mut best: Option<(usize, Arc<IndexHandle>, IndexPredicate)> = None;
    for search in &plan.searches {
        let Some(index) = handle.indexes.get(search.index) else { continue };
        let Some(target) = &index.target else { continue };
        let Some(restriction) = restrictions.get(search.restriction) else { continue };
        let Some(mut predicate) = index_predicate(handle, index, target, restriction) else {
            continue;
        };
        let is_built_in = index.definition.class == IndexClass::Legacy;
        if is_built_in {
            check_expression(index, restriction)?;
        }
        if plan.loses_statics && target.is_static() && is_built_in {
            predicate = IndexPredicate::Nothing;
        }
        let needs_entries = !matches!(predicate, IndexPredicate::Nothing);
        if needs_entries && !index.ensure_complete(target, &context)? {
            continue;
        }
        let count = count_entries(index, &predicate);
        if best.as_ref().is_none_or(|(fewest, ..)| count < *fewest) {
            best = Some((count, Arc::clone(index), predicate));
        }
    }
    let Some((_, index, predicate)) = best else { return Ok(None) };
    IndexCandidates::new(execution, handle, index, predicate, range)
}

/// Refuses values that a built-in index cannot hold; entries are composites of key and value.
fn check_expression(index: &IndexHandle, restriction: &Restriction) -> Result<()> {
    const MAX_VALUE: usize = 65_535;
    let length = match &restriction.kind {
        RestrictionKind::Contains(contains) if index.definition.part == IndexPart::Entries => {
            let entry = contains.entries.first();
            let entry =
                entry.and_then(|(key, value)| Some((constant_value(key)?, constant_value(value)?)));
            entry.map_or(Ok(0), |(key, value)| composite_size(key, value, restriction.span))?
        }
        _ => restriction
            .terms()
            .into_iter()
            .filter_map(constant_value)
            .map(<[u8]>::len)
            .max()
            .unwrap_or(0),
    };
    if length > MAX_VALUE {
        let refusal = Refusal::new(ValueReason::IndexExpression, restriction.span);
        return Err(Box::new(refusal).into());
    }
    Ok(())
}

fn count_entries(index: &IndexHandle, predicate: &IndexPredicate) -> usize {
    let state = index.read();
    match predicate {
        IndexPredicate::Nothing => 0,
        IndexPredicate::Term(term) => {
            let first = IndexEntry::new(term, &[], &[]);
            state.entries.iter_term(term, Bound::Included(&first)).take(COUNT_MAX).count()
        }
        // One more than for a single value, whose entries need no sorting.
        IndexPredicate::Between(start, end) => {
            state.entries.iter_range(start, end).take(COUNT_MAX).count() + 1
        }
    }
}

/// The lookup of a restriction; `None` if it is not known before rows are read.
fn index_predicate(
    handle: &TableHandle,
    index: &IndexHandle,
    target: &IndexTarget,
    restriction: &Restriction,
) -> Option<IndexPredicate> {
    let column = handle.definition.column_index(&index.definition.column)?;
    let at = restriction.columns.iter().position(|one| *one == column)?;
    let of_term =
        |term: Option<Vec<u8>>| term.map_or(IndexPredicate::Nothing, IndexPredicate::Term);
    match &restriction.kind {
        RestrictionKind::Equal(operand) => {
            constant_value(operand.terms().get(at)?).map(|value| of_term(target.encode_term(value)))
        }
        RestrictionKind::Slice(slice) if index.definition.class == IndexClass::Sai => {
            let start = encode_bound(target, slice.start.as_ref(), at)?;
            Some(IndexPredicate::Between(start, encode_bound(target, slice.end.as_ref(), at)?))
        }
        RestrictionKind::Contains(contains) => contains_predicate(index, target, contains),
        _ => None,
    }
}

fn encode_bound(
    target: &IndexTarget,
    bound: Option<&SliceBound>,
    at: usize,
) -> Option<Bound<Vec<u8>>> {
    let Some(bound) = bound else { return Some(Bound::Unbounded) };
    let term = target.encode_term(constant_value(bound.value.terms().get(at)?)?)?;
    Some(if bound.inclusive { Bound::Included(term) } else { Bound::Excluded(term) })
}

/// The lookup of CONTAINS, CONTAINS KEY or an entry.
fn contains_predicate(
    index: &IndexHandle,
    target: &IndexTarget,
    contains: &ContainsRestriction,
) -> Option<IndexPredicate> {
    let of_term =
        |term: Option<Vec<u8>>| term.map_or(IndexPredicate::Nothing, IndexPredicate::Term);
    match index.definition.part {
        IndexPart::Entries => {
            let (key, value) = contains.entries.first()?;
            Some(of_term(target.encode_entry_term(constant_value(key)?, constant_value(value)?)))
        }
        IndexPart::Keys => {
            constant_value(contains.keys.first()?).map(|key| of_term(target.encode_term(key)))
        }
        // The elements of a set are its keys as well.
        _ => {
            let element = contains.values.first().or(contains.keys.first())?;
            constant_value(element).map(|element| of_term(target.encode_term(element)))
        }
    }
}

fn constant_value(term: &BoundTerm) -> Option<&[u8]> {
    if let BoundTerm::Value(Some(value)) = term { Some(value) } else { None }
}
