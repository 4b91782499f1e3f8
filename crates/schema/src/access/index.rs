//! [`IndexUse`]: which indexes locate the rows of a SELECT.

use super::ClusteringSlice;
use crate::bind::restrictions::{IndexRegistry, Restriction, RestrictionId, Restrictions};
use crate::catalog::{Index, IndexClass, Table};

/// The indexes that locate the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexUse {
    /// The indexes, as positions among the table's; several only where the server intersects them.
    pub indexes: Vec<usize>,
    /// The columns whose restrictions they serve.
    pub columns: Vec<usize>,
    /// Whether they are searched within named partitions only.
    pub within_partition: bool,
    /// The possible searches. At execution the one with the fewest entries is run, and its rows are
    /// checked for the other restrictions. For storage-attached indexes that gives the rows of the
    /// intersection; for legacy indexes, which the server does not intersect, it is the server's
    /// own choice (the index with the fewest estimated rows).
    pub searches: Vec<IndexSearch>,
    /// Whether legacy indexes on static columns return no rows: their entries are of partitions,
    /// but the server searches them for the rows of a slice. The server's behaviour is reproduced.
    pub loses_statics: bool,
}

/// A restriction that an index serves, at least in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSearch {
    /// The index, as a position among the table's.
    pub index: usize,
    /// The restriction that is looked up in it.
    pub restriction: RestrictionId,
}

impl IndexUse {
    /// Chooses the indexes for restrictions of the row filter as the server does: of the classes
    /// that support any restriction, SAI first, which it can intersect, then SASI, then legacy
    /// indexes.
    pub(super) fn choose(
        restrictions: &Restrictions,
        expressions: &[RestrictionId],
        slice: &ClusteringSlice,
    ) -> Option<Self> {
        let classes = [IndexClass::Sai, IndexClass::Sasi, IndexClass::Legacy];
        let searches = classes.iter().map(|class| searches(restrictions, expressions, class));
        let searches = searches.into_iter().find(|searches| !searches.is_empty())?;
        let table = &*restrictions.table;
        let first = searches.first()?.index;
        let is_legacy = |at: usize| {
            table.indexes.get(at).is_some_and(|index| index.class == IndexClass::Legacy)
        };
        // Of legacy indexes one is used; which one depends on the data, so the plan names the
        // first.
        let used = searches.iter().filter(|search| !is_legacy(first) || search.index == first);
        let mut indexes = Vec::new();
        let mut columns = Vec::new();
        for search in used {
            indexes.push(search.index);
            columns.extend(search_column(restrictions, *search));
        }
        indexes.dedup();
        columns.sort_unstable();
        columns.dedup();
        let within_partition = !restrictions.is_key_range;
        let loses_statics = within_partition && !slice.is_unbounded();
        Some(Self { indexes, columns, within_partition, searches, loses_statics })
    }

    /// The legacy indexes that are used instead of the named one if they have fewer entries.
    pub fn alternatives(&self) -> Vec<usize> {
        let mut others: Vec<usize> = self.searches.iter().map(|search| search.index).collect();
        others.retain(|index| !self.indexes.contains(index));
        others.dedup();
        others
    }
}

/// The possible searches in the indexes of a class.
fn searches(
    restrictions: &Restrictions,
    expressions: &[RestrictionId],
    class: &IndexClass,
) -> Vec<IndexSearch> {
    let table = &*restrictions.table;
    let indexes = table.indexes.iter().enumerate().filter(|(_, index)| index.class == *class);
    let mut searches = Vec::new();
    for (at, index) in indexes {
        for id in expressions {
            let restriction = restrictions.get(*id);
            if restriction.is_some_and(|restriction| can_serve(table, restriction, index)) {
                searches.push(IndexSearch { index: at, restriction: *id });
            }
        }
    }
    searches
}

/// Whether an index supports a restriction. Operators on which SASI fails were refused by the
/// binder.
fn can_serve(table: &Table, restriction: &Restriction, index: &Index) -> bool {
    IndexRegistry::new(table).index_supports(restriction, index).unwrap_or_default()
}

fn search_column(restrictions: &Restrictions, search: IndexSearch) -> Option<usize> {
    let table = &*restrictions.table;
    let index = table.indexes.get(search.index)?;
    let columns = &restrictions.get(search.restriction)?.columns;
    columns.iter().copied().find(|column| table.columns()[*column].name == index.column)
}

/// The ordering by ANN with the index of its column, which defines the similarity function.
pub(super) fn nearest(restrictions: &Restrictions) -> Option<IndexSearch> {
    let others = &restrictions.others.restrictions;
    let at = others.iter().position(Restriction::is_nearest)?;
    let table = &*restrictions.table;
    let column = table.columns().get(others.get(at)?.first_column())?;
    let index = table.indexes.iter().position(|index| index.column == column.name)?;
    Some(IndexSearch { index, restriction: RestrictionId::Other(at) })
}
