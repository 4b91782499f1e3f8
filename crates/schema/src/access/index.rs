//! Which index finds the rows of a SELECT.

use super::ClusteringSlice;
use crate::bind::restrictions::{
    IndexRegistry, Restriction, RestrictionId, RestrictionKind, Restrictions,
};
use crate::catalog::{Index, IndexClass, Table};

/// The indexes that find the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexUse {
    /// As positions among the table's indexes; several only where the implementation intersects them.
    pub indexes: Vec<usize>,
    /// The columns whose restrictions they answer.
    pub columns: Vec<usize>,
    /// Whether they are asked within named partitions only.
    pub within_partition: bool,
    /// What can be looked up, in which index. The lookup with the fewest entries says where to look, and rows found there
    /// are checked for the rest: this intersects storage-attached indexes, and of built-in ones, which the server does
    /// not intersect, it is the choice that the server makes.
    pub searches: Vec<IndexSearch>,
    /// Whether built-in indexes of static columns find nothing: their entries are of partitions, and the server looks
    /// among them for those of the rows of a slice.
    pub loses_statics: bool,
}

/// A restriction that an index answers, at least in part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSearch {
    /// The index, as a position among the table's.
    pub index: usize,
    /// What is looked up in it.
    pub restriction: RestrictionId,
}

impl IndexUse {
    /// The indexes that the server would ask for restrictions of the row filter. Between several that could answer, it
    /// prefers those that it can intersect.
    pub(super) fn choose(
        restrictions: &Restrictions,
        expressions: &[RestrictionId],
        slice: &ClusteringSlice,
    ) -> Option<Self> {
        let classes = [IndexClass::Sai, IndexClass::Sasi, IndexClass::Legacy];
        let searches = classes.iter().map(|class| searches(restrictions, expressions, class));
        let searches = searches.into_iter().find(|found| !found.is_empty())?;
        let table = &*restrictions.table;
        let first = searches.first()?.index;
        let is_built_in = |at: usize| {
            table.indexes.get(at).is_some_and(|index| index.class == IndexClass::Legacy)
        };
        let asked = searches.iter().filter(|search| !is_built_in(first) || search.index == first);
        let mut indexes = Vec::new();
        let mut columns = Vec::new();
        for search in asked {
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

    /// The built-in indexes that are asked instead of the named one where they have fewer entries.
    pub fn alternatives(&self) -> Vec<usize> {
        let mut others: Vec<usize> = self.searches.iter().map(|search| search.index).collect();
        others.retain(|index| !self.indexes.contains(index));
        others.dedup();
        others
    }
}

/// What can be looked up in the indexes of a class.
fn searches(
    restrictions: &Restrictions,
    expressions: &[RestrictionId],
    class: &IndexClass,
) -> Vec<IndexSearch> {
    let table = &*restrictions.table;
    let own = table.indexes.iter().enumerate().filter(|(_, index)| index.class == *class);
    let mut found = Vec::new();
    for (at, index) in own {
        for id in expressions {
            if restrictions.get(*id).is_some_and(|one| can_serve(table, one, index)) {
                found.push(IndexSearch { index: at, restriction: *id });
            }
        }
    }
    found
}

/// Operators that an index does not know were refused before.
fn can_serve(table: &Table, restriction: &Restriction, index: &Index) -> bool {
    IndexRegistry::new(table).index_supports(restriction, index).unwrap_or_default()
}

fn search_column(restrictions: &Restrictions, search: IndexSearch) -> Option<usize> {
    let table = &*restrictions.table;
    let index = table.indexes.get(search.index)?;
    let columns = &restrictions.get(search.restriction)?.columns;
    columns.iter().copied().find(|one| table.columns()[*one].name == index.column)
}

/// The ordering by distance, with the index of its column, which knows what distance is.
pub(super) fn nearest(restrictions: &Restrictions) -> Option<IndexSearch> {
    let others = &restrictions.others.restrictions;
    let at = others.iter().position(|one| matches!(one.kind, RestrictionKind::Nearest(_)))?;
    let table = &*restrictions.table;
    let column = table.columns().get(others.get(at)?.first_column())?;
    let index = table.indexes.iter().position(|index| index.column == column.name)?;
    Some(IndexSearch { index, restriction: RestrictionId::Other(at) })
}
