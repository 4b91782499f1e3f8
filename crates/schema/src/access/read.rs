//! [`ReadPlan`]: the access plan of a SELECT.

use std::sync::Arc;

use super::Count;
use super::filter::Filtering;
use super::index::{IndexSearch, IndexUse, nearest};
use super::partitions::{NamedKeys, Partitions};
use super::single_row::SingleRowRead;
use super::slice::ClusteringSlice;
use crate::bind::select::{Aggregation, BoundSelect, limit_value, row_filter};
use crate::bind::term::BoundTerm;
use crate::catalog::Table;

/// The access plan of a SELECT.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a statement")]
pub struct ReadPlan {
    /// The table or view that is read.
    pub table: Arc<Table>,
    /// Which partitions are read.
    pub partitions: Partitions,
    /// The restrictions that name them, if they are named.
    pub keys: NamedKeys,
    /// The indexes that locate the rows, if any are used.
    pub index: Option<IndexUse>,
    /// Which rows of each partition.
    pub rows: ClusteringSlice,
    /// What is read only to be filtered.
    pub filtering: Filtering,
    /// The columns read, as positions among the table's: selected, filtered and sorted ones.
    pub columns: Vec<usize>,
    /// The order of the rows, within each partition or overall.
    pub order: ReadOrder,
    /// The ANN search that orders the rows, if there is one.
    pub nearest: Option<IndexSearch>,
    /// LIMIT.
    pub limit: Option<Count>,
    /// PER PARTITION LIMIT.
    pub per_partition_limit: Option<Count>,
    /// Whether reading stops at LIMIT; aggregates and sorting need all rows first.
    pub stops_at_limit: bool,
    /// Whether the result may be paged.
    pub comes_in_pages: bool,
    /// Whether it has aggregates or GROUP BY.
    pub aggregates: bool,
    /// SELECT DISTINCT, which reads one row of each partition.
    pub distinct: bool,
    /// Whether a partition without rows is returned with its static columns.
    pub gives_lone_statics: bool,
    /// The read of a single row by its full key, if the statement is one.
    pub single_row: Option<SingleRowRead>,
}

/// The order of the rows of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadOrder {
    /// The stored order, partition by partition.
    Stored,
    /// The reverse of the stored order within each partition.
    Reversed,
    /// The rows of all partitions are read, then sorted.
    Sorted {
        /// Whether partitions are read in reverse.
        reversed: bool,
    },
    /// By distance from a vector (ANN).
    Nearest,
}

impl ReadOrder {
    fn from_select(select: &BoundSelect) -> Self {
        if select.restrictions.is_nearest() {
            Self::Nearest
        } else if select.has_post_query_ordering() {
            Self::Sorted { reversed: select.is_reversed }
        } else if select.is_reversed {
            Self::Reversed
        } else {
            Self::Stored
        }
    }

    /// Whether the rows of a partition are read in reverse.
    pub fn is_reversed(self) -> bool {
        matches!(self, Self::Reversed | Self::Sorted { reversed: true })
    }

    /// Whether rows are sorted after reading.
    pub fn has_post_query_ordering(self) -> bool {
        matches!(self, Self::Sorted { .. } | Self::Nearest)
    }
}

/// Builds the access plan of a SELECT. The row filter comes first, since the choice of indexes
/// depends on it; what remains to be filtered depends on the indexes.
pub fn plan_read(select: &BoundSelect) -> ReadPlan {
    let restrictions = &select.restrictions;
    let checks = row_filter::expressions(restrictions);
    let rows = ClusteringSlice::from_restrictions(restrictions);
    let index =
        restrictions.uses_index.then(|| IndexUse::choose(restrictions, &checks, &rows)).flatten();
    let filtering = Filtering::from_restrictions(restrictions, checks, index.as_ref());
    let order = ReadOrder::from_select(select);
    let sorts = order.has_post_query_ordering();
    ReadPlan {
        table: select.table.clone(),
        partitions: Partitions::from_restrictions(restrictions),
        keys: NamedKeys::from_restrictions(restrictions),
        rows: if select.is_distinct { ClusteringSlice::default() } else { rows },
        columns: columns(select, &filtering, order),
        order,
        nearest: nearest(restrictions),
        limit: select.limit.as_ref().map(count),
        per_partition_limit: select.per_partition_limit.as_ref().map(count),
        stops_at_limit: select.aggregation != Some(Aggregation::Everything) && !sorts,
        comes_in_pages: match &select.aggregation {
            Some(Aggregation::Everything) => false,
            Some(Aggregation::KeyPrefix { .. }) => !select.is_distinct,
            None => !sorts,
        },
        aggregates: select.aggregation.is_some(),
        distinct: select.is_distinct,
        gives_lone_statics: restrictions.can_return_static_content()
            && !filtering.has_row_checks(restrictions),
        single_row: SingleRowRead::from_select(select),
        filtering,
        index,
    }
}

fn count(limit: &BoundTerm) -> Count {
    limit_value(limit)
        .and_then(|rows| usize::try_from(rows).ok())
        .map_or(Count::Unknown, Count::Known)
}

fn columns(select: &BoundSelect, filtering: &Filtering, order: ReadOrder) -> Vec<usize> {
    let mut columns = select.selection.columns_read.clone();
    columns.extend(&filtering.columns);
    if order.has_post_query_ordering() {
        columns.extend(select.orderings.iter().map(|ordering| ordering.column));
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}
