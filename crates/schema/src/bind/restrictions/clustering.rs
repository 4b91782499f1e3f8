//! The rules of restrictions on clustering columns (Cassandra's `ClusteringColumnRestrictions`).
//!
//! Rows of a partition are sorted by the clustering columns in key order, so the restrictions that
//! form one slice are: `=` or IN on a prefix of the columns, then at most one range. A restriction
//! after a gap or after a range, and any CONTAINS or LIKE, must be checked row by row.

use super::index::IndexRegistry;
use super::restriction::Restriction;
use super::restriction_set::RestrictionSet;
use crate::Result;
use crate::catalog::Table;
use crate::refusal::{RestrictionReason, refuse};

/// Adds a restriction and checks that no restriction follows a range, unless rows may be filtered
/// or an index supports the restriction. The check runs as relations are added, as in the server,
/// and compares with the set before the addition: which of two texts is returned depends on the
/// order in which the relations are written. Gaps are checked later, when all relations are known.
pub(super) fn add(
    set: &mut RestrictionSet,
    table: &Table,
    restriction: &Restriction,
    indexes: Option<IndexRegistry<'_>>,
    allow_filtering: bool,
) -> Result<()> {
    let before = set.clone();
    set.add(table, restriction.clone())?;
    let Some(last) = before.restrictions.last() else { return Ok(()) };
    if allow_filtering {
        return Ok(());
    }
    if let Some(indexes) = indexes
        && indexes.supports(restriction)?
    {
        return Ok(());
    }
    let (last_start, new_start) = (last.first_column(), restriction.first_column());
    let name = |column: usize| &*table.columns()[column].name;
    if last.is_slice() && new_start > last_start {
        return refuse(
            RestrictionReason::AfterRange {
                column: name(new_start).to_string(),
                preceding: name(last_start).to_string(),
            },
            restriction.span,
        );
    }
    if new_start < last_start && restriction.is_slice() {
        let next = before.columns().find(|column| *column > new_start).unwrap_or(last_start);
        return refuse(
            RestrictionReason::KeyAfterRange {
                column: name(next).to_string(),
                preceding: name(new_start).to_string(),
            },
            restriction.span,
        );
    }
    Ok(())
}

/// The restrictions in key order, each with whether rows must be checked for it one by one because
/// it does not continue the slice. A range does not advance `position`, so that everything after
/// it, except another restriction that starts at the same column, is checked by row.
pub(crate) fn classify_restrictions<'a>(
    set: &'a RestrictionSet,
    table: &'a Table,
) -> impl Iterator<Item = (&'a Restriction, bool)> {
    let mut position = 0;
    set.restrictions.iter().map(move |restriction| {
        let start = table.columns()[restriction.first_column()].position;
        let by_row = restriction.is_contains() || restriction.is_like() || start != position;
        if !by_row && !restriction.is_slice() {
            position = table.columns()[restriction.last_column()].position + 1;
        }
        (restriction, by_row)
    })
}

/// Whether some restriction must be checked row by row.
pub(super) fn is_filtering_needed(set: &RestrictionSet, table: &Table) -> bool {
    classify_restrictions(set, table).any(|(_, by_row)| by_row)
}
