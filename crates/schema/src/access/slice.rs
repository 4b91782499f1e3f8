//! [`ClusteringSlice`]: which rows of a partition a statement touches.

use super::Count;
use crate::bind::restrictions::{
    RestrictionId, RestrictionKind, Restrictions, clustering, distinct_values,
};
use crate::catalog::Table;

/// Which rows of a partition are touched, by the clustering columns in key order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusteringSlice {
    /// Columns restricted by `=`.
    pub equal: Vec<usize>,
    /// Columns restricted by IN.
    pub listed: Vec<ListedColumns>,
    /// The columns restricted by a range, which come last.
    pub range: Option<RangedColumns>,
    /// The maximum number of rows in each partition if the slice names them; `None` for a range.
    pub rows: Option<Count>,
    /// The restrictions of the prefix by `=` and IN, in key order.
    pub prefix: Vec<RestrictionId>,
    /// The range restriction after the prefix.
    pub bounds: Option<RestrictionId>,
}

/// Columns restricted by IN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedColumns {
    /// One column, or those of a tuple.
    pub columns: Vec<usize>,
    /// The number of values without duplicates.
    pub values: Count,
}

/// Columns restricted by a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangedColumns {
    /// One column, or those of a tuple.
    pub columns: Vec<usize>,
    /// Whether the lower bound is inclusive, if there is one.
    pub from: Option<bool>,
    /// Whether the upper bound is inclusive, if there is one.
    pub to: Option<bool>,
}

impl ClusteringSlice {
    /// The slice that restrictions of the clustering columns form: the longest prefix of
    /// restrictions that need no check by row (see `clustering`).
    pub(super) fn from_restrictions(restrictions: &Restrictions) -> Self {
        let mut slice = Self::default();
        let mut rows = Some(1_usize);
        let mut fixed = 0;
        let table = &*restrictions.table;
        let set = clustering::classify_restrictions(&restrictions.clustering, table);
        for (at, (restriction, by_row)) in set.enumerate() {
            if by_row {
                break;
            }
            let id = RestrictionId::Clustering(at);
            match &restriction.kind {
                RestrictionKind::Equal(_) => slice.equal.extend(&restriction.columns),
                RestrictionKind::In(_) => {
                    let values = distinct_values(restriction);
                    rows = rows.zip(values).map(|(rows, values)| rows.saturating_mul(values));
                    let values = values.map_or(Count::Unknown, Count::Known);
                    let columns = restriction.columns.clone();
                    slice.listed.push(ListedColumns { columns, values });
                }
                RestrictionKind::Slice(range) => {
                    slice.bounds = Some(id);
                    slice.range = Some(RangedColumns {
                        columns: restriction.columns.clone(),
                        from: range.start.as_ref().map(|bound| bound.inclusive),
                        to: range.end.as_ref().map(|bound| bound.inclusive),
                    });
                    break;
                }
                _ => break,
            }
            slice.prefix.push(id);
            fixed += restriction.columns.len();
        }
        if fixed == table.clustering().len() {
            slice.rows = Some(rows.map_or(Count::Unknown, Count::Known));
        }
        slice
    }

    /// The single row of a full key.
    pub(super) fn whole_key(table: &Table) -> Self {
        let start = table.partition_key().len();
        let equal = (start..start + table.clustering().len()).collect();
        Self { equal, rows: Some(Count::Known(1)), ..Self::default() }
    }

    /// Whether it is the whole partition.
    pub fn is_whole_partition(&self) -> bool {
        self.equal.is_empty()
            && self.listed.is_empty()
            && self.range.is_none()
            && self.rows.is_none()
    }

    /// The restrictions that it covers.
    pub fn restrictions(&self) -> impl Iterator<Item = RestrictionId> + '_ {
        self.prefix.iter().copied().chain(self.bounds)
    }

    /// Whether no restriction bounds it.
    pub fn is_unbounded(&self) -> bool {
        self.prefix.is_empty() && self.bounds.is_none()
    }
}
