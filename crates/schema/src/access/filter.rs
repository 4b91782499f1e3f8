//! [`Filtering`]: which restrictions are checked row by row, and over what.

use super::IndexUse;
use crate::bind::restrictions::{IndexRegistry, RestrictionId, Restrictions};
use crate::catalog::ColumnKind;

/// The row filter of a SELECT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtering {
    /// What is read for it.
    pub scope: FilterScope,
    /// The columns whose restrictions neither the slice nor an index covers.
    pub columns: Vec<usize>,
    /// The restrictions that rows are checked for. Those that an index serves are among them: its
    /// entries only locate candidates.
    pub checks: Vec<RestrictionId>,
    /// Whether texts are compared after the analyzers of the columns' indexes.
    pub analyzes: bool,
}

/// What is read for filtering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterScope {
    /// There is no filtering.
    None,
    /// The slices of the named partitions.
    WithinPartitions,
    /// The rows that an index returns.
    IndexedRows,
    /// The whole table or the token range.
    Everywhere,
}

impl Filtering {
    /// The filtering that restrictions need beyond the slice and the chosen indexes.
    pub(super) fn from_restrictions(
        restrictions: &Restrictions,
        checks: Vec<RestrictionId>,
        index: Option<&IndexUse>,
    ) -> Self {
        let registry = IndexRegistry::new(&restrictions.table);
        let group = index.map_or(&[][..], |index| &index.indexes);
        let is_indexed = |column: &usize| index.is_some_and(|index| index.columns.contains(column));
        let mut columns: Vec<usize> = Vec::new();
        for restriction in restrictions.select(&checks) {
            if registry.needs_filtering(restriction, group).unwrap_or(true) {
                // The index may serve some columns of a tuple, but of several CONTAINS on its own
                // column only one.
                let is_partial = restrictions.is_key_range && restriction.multi_column;
                let restricted = restriction.columns.iter().copied();
                columns.extend(restricted.filter(|column| !(is_partial && is_indexed(column))));
            }
        }
        if restrictions.is_key_range {
            // In a scan even the slice is a filter: every partition is opened to look for it.
            columns.extend(restrictions.clustering.columns().filter(|column| !is_indexed(column)));
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

    /// Whether a check is on columns of rows, not only on partition keys and static columns.
    pub(super) fn has_row_checks(&self, restrictions: &Restrictions) -> bool {
        let is_row_column = |column: &usize| {
            let kind = restrictions.table.columns()[*column].kind;
            matches!(kind, ColumnKind::Clustering | ColumnKind::Regular)
        };
        restrictions
            .select(&self.checks)
            .any(|check| !check.is_nearest() && check.columns.iter().any(is_row_column))
    }
}
