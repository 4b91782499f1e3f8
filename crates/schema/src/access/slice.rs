//! Which rows of a partition a statement touches.

use super::Count;
use crate::bind::restrictions::{
    RestrictionId, RestrictionKind, Restrictions, clustering, distinct_values,
};
use crate::catalog::Table;

/// Which rows of a partition are touched, by the clustering columns in key order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusteringSlice {
    /// Columns fixed to one value.
    pub equal: Vec<usize>,
    /// Columns with a list of values.
    pub listed: Vec<ListedColumns>,
    /// The columns with a range, which come last.
    pub range: Option<RangedColumns>,
    /// How many rows there can be in each partition, when the slice names them; `None` for a range of rows.
    pub rows: Option<Count>,
    /// The restrictions that fix the first columns, in key order: `=` and IN.
    pub prefix: Vec<RestrictionId>,
    /// The restriction that gives the range after them.
    pub bounds: Option<RestrictionId>,
}

/// Columns with a list of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedColumns {
    /// One column, or those of a tuple.
    pub columns: Vec<usize>,
    /// How many values; repeated ones are counted once.
    pub values: Count,
}

/// Columns with a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangedColumns {
    /// One column, or those of a tuple.
    pub columns: Vec<usize>,
    /// The lower end, and whether it is included.
    pub from: Option<bool>,
    /// The upper end, and whether it is included.
    pub to: Option<bool>,
}

impl ClusteringSlice {
    /// The rows that restrictions of the clustering columns reach, up to where they are filtered.
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

    /// The one row of the whole key.
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

    /// The restrictions that it answers.
    pub fn restrictions(&self) -> impl Iterator<Item = RestrictionId> + '_ {
        self.prefix.iter().copied().chain(self.bounds)
    }

    /// Whether no restriction bounds it.
    pub fn is_unbounded(&self) -> bool {
        self.prefix.is_empty() && self.bounds.is_none()
    }
}
