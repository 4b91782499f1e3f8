//! What a SELECT reads only to leave it out again.

use super::IndexUse;
use crate::bind::restrictions::{IndexRegistry, RestrictionId, Restrictions};
use crate::catalog::ColumnKind;

/// What is read only to be left out again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtering {
    /// Over what.
    pub scope: FilterScope,
    /// The columns that rows are checked for.
    pub columns: Vec<usize>,
    /// The restrictions that rows are checked for. What an index answers is among them: its entries only say where to
    /// look.
    pub checks: Vec<RestrictionId>,
    /// Whether texts are compared as the analyzers of the columns' indexes leave them.
    pub analyzes: bool,
}

/// What has to be read to filter it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterScope {
    /// Nothing is filtered.
    None,
    /// The slices of the named partitions.
    WithinPartitions,
    /// The rows that an index finds.
    IndexedRows,
    /// The whole table, or the range of tokens.
    Everywhere,
}

impl Filtering {
    /// What restrictions leave to be filtered of the rows that an index finds, or of all.
    pub(super) fn from_restrictions(
        restrictions: &Restrictions,
        checks: Vec<RestrictionId>,
        index: Option<&IndexUse>,
    ) -> Self {
        let registry = IndexRegistry::new(&restrictions.table);
        let group = index.map_or(&[][..], |index| &index.indexes);
        let is_found = |column: &usize| index.is_some_and(|index| index.columns.contains(column));
        let mut columns: Vec<usize> = Vec::new();
        for restriction in restrictions.select(&checks) {
            if registry.needs_filtering(restriction, group).unwrap_or(true) {
                // The index may answer some columns of a tuple, or one of several CONTAINS of its own column.
                let is_part = restrictions.is_key_range && restriction.multi_column;
                let own = restriction.columns.iter().copied();
                columns.extend(own.filter(|column| !(is_part && is_found(column))));
            }
        }
        if restrictions.is_key_range {
            // Each partition is opened to look for its slice.
            columns.extend(restrictions.clustering.columns().filter(|column| !is_found(column)));
        }
        columns.sort_unstable();
        columns.dedup();
        let scope = match (columns.is_empty(), index, restrictions.is_key_range) {
            (true, ..) => FilterScope::None,
            (_, Some(_), _) => FilterScope::IndexedRows,
            (_, None, true) => FilterScope::Everywhere,
            (_, None, false) => FilterScope::WithinPartitions,
        };
        Self { scope, columns, checks, analyzes: restrictions.uses_index }
    }

    /// Whether rows are checked, and not only the keys and static columns of their partitions.
    pub(super) fn has_row_checks(&self, restrictions: &Restrictions) -> bool {
        let is_of_row = |column: &usize| {
            let kind = restrictions.table.columns()[*column].kind;
            matches!(kind, ColumnKind::Clustering | ColumnKind::Regular)
        };
        restrictions
            .select(&self.checks)
            .any(|one| !one.is_nearest() && one.columns.iter().any(is_of_row))
    }
}
