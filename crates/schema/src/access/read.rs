//! The access path of a SELECT.

use super::{
    ClusteringSlice, Count, FilterScope, Filtering, IndexUse, ListedColumns, Partitions,
    RangedColumns, ReadOrder, ReadPath,
};
use crate::bind::restrictions::{
    InList, Registry, Restriction, RestrictionKind, RestrictionSet, Restrictions,
    TokenRestrictionKind, clustering, distinct_values, partition_keys,
};
use crate::bind::select::{BoundSelect, limit_value, row_filter};
use crate::bind::term::BoundTerm;
use crate::catalog::{Index, IndexClass, Table};

/// The access path of a SELECT.
pub fn read(select: &BoundSelect) -> ReadPath {
    let restrictions = &select.restrictions;
    let partitions = partitions(restrictions);
    let expressions = row_filter::expressions(restrictions).unwrap_or_default();
    let index =
        if restrictions.uses_index { choose_index(restrictions, &expressions) } else { None };
    let filtering = filtering(restrictions, &expressions, index.as_ref());
    let mut rows = clustering_slice(&restrictions.clustering, &select.table);
    if select.is_distinct {
        rows = ClusteringSlice::default();
    }
    ReadPath {
        table: select.table.clone(),
        partitions,
        rows,
        columns: columns(select, &filtering),
        filtering,
        index,
        order: order(select),
        limit: select.limit.as_ref().map(count),
        per_partition_limit: select.per_partition_limit.as_ref().map(count),
        aggregates: select.aggregation.is_some(),
        distinct: select.is_distinct,
    }
}

fn count(limit: &BoundTerm) -> Count {
    limit_value(limit)
        .and_then(|rows| usize::try_from(rows).ok())
        .map_or(Count::Unknown, Count::Known)
}

/// Which partitions the restrictions reach.
pub(super) fn partitions(restrictions: &Restrictions) -> Partitions {
    let partition = &restrictions.partition;
    if restrictions.is_key_range {
        return match &partition.token {
            Some(token) if partition.is_on_token(&restrictions.table) => match &token.kind {
                TokenRestrictionKind::Equal(_) => Partitions::TokenRange { from: true, to: true },
                TokenRestrictionKind::Slice(slice) => {
                    Partitions::TokenRange { from: slice.start.is_some(), to: slice.end.is_some() }
                }
            },
            _ => Partitions::All,
        };
    }
    let has_nothing = |one: &Restriction| matches!(&one.kind, RestrictionKind::In(InList::Values(values)) if values.is_empty());
    if partition.columns.restrictions.iter().any(has_nothing) {
        return Partitions::None;
    }
    if !partition.columns.has_in() {
        return Partitions::One;
    }
    match partition_keys(&partition.columns).map(|keys| keys.len()) {
        Some(0) => Partitions::None,
        Some(1) => Partitions::One,
        Some(number) => Partitions::Several(Count::Known(number)),
        None => Partitions::Several(Count::Unknown),
    }
}

/// The rows that restrictions of the clustering columns reach, up to where they are filtered.
pub(super) fn clustering_slice(set: &RestrictionSet, table: &Table) -> ClusteringSlice {
    let mut slice = ClusteringSlice::default();
    let mut rows = Some(1_usize);
    let mut fixed = 0;
    for (restriction, by_row) in clustering::filtered(set, table) {
        if by_row {
            break;
        }
        match &restriction.kind {
            RestrictionKind::Equal(_) => slice.equal.extend(&restriction.columns),
            RestrictionKind::In(_) => {
                let values = distinct_values(restriction);
                rows = rows.zip(values).map(|(rows, values)| rows.saturating_mul(values));
                let values = values.map_or(Count::Unknown, Count::Known);
                slice.listed.push(ListedColumns { columns: restriction.columns.clone(), values });
            }
            RestrictionKind::Slice(range) => {
                slice.range = Some(RangedColumns {
                    columns: restriction.columns.clone(),
                    from: range.start.as_ref().map(|bound| bound.inclusive),
                    to: range.end.as_ref().map(|bound| bound.inclusive),
                });
                break;
            }
            _ => break,
        }
        fixed += restriction.columns.len();
    }
    if fixed == table.clustering().len() {
        slice.rows = Some(rows.map_or(Count::Unknown, Count::Known));
    }
    slice
}

/// The indexes the server would ask. Between several that could, it prefers those that it can intersect.
fn choose_index(restrictions: &Restrictions, expressions: &[&Restriction]) -> Option<IndexUse> {
    let table = &*restrictions.table;
    for class in [IndexClass::Sai, IndexClass::Sasi, IndexClass::Legacy] {
        let mut found = IndexUse {
            indexes: Vec::new(),
            columns: Vec::new(),
            within_partition: !restrictions.is_key_range,
        };
        for (at, index) in
            table.indexes.iter().enumerate().filter(|(_, index)| index.class == class)
        {
            for restriction in expressions {
                if serves(table, restriction, index) {
                    found.indexes.push(at);
                    found.columns.extend(
                        restriction
                            .columns
                            .iter()
                            .filter(|one| table.columns()[**one].name == index.column),
                    );
                }
            }
            if class == IndexClass::Legacy && !found.indexes.is_empty() {
                break;
            }
        }
        found.indexes.dedup();
        found.columns.sort_unstable();
        found.columns.dedup();
        if !found.indexes.is_empty() {
            return Some(found);
        }
    }
    None
}

/// Operators that an index does not know were refused before.
fn serves(table: &Table, restriction: &Restriction, index: &Index) -> bool {
    Registry::new(table).is_supported_by(restriction, index).unwrap_or_default()
}

fn filtering(
    restrictions: &Restrictions,
    expressions: &[&Restriction],
    index: Option<&IndexUse>,
) -> Filtering {
    let table = &*restrictions.table;
    let group = index.map_or(&[][..], |index| &index.indexes);
    let mut columns: Vec<usize> = Vec::new();
    for restriction in expressions {
        if Registry::new(table).needs_filtering(restriction, group).unwrap_or(true) {
            columns.extend(&restriction.columns);
        }
    }
    if restrictions.is_key_range {
        // Each partition is opened to look for its slice.
        columns.extend(restrictions.clustering.columns());
        if let Some(index) = index {
            columns.retain(|column| !index.columns.contains(column));
        }
    }
    columns.sort_unstable();
    columns.dedup();
    let scope = match (columns.is_empty(), index, restrictions.is_key_range) {
        (true, ..) => FilterScope::None,
        (_, Some(_), _) => FilterScope::IndexedRows,
        (_, None, true) => FilterScope::Everywhere,
        (_, None, false) => FilterScope::WithinPartitions,
    };
    Filtering { scope, columns }
}

fn columns(select: &BoundSelect, filtering: &Filtering) -> Vec<usize> {
    let mut columns = select.selection.columns_read.clone();
    columns.extend(&filtering.columns);
    if select.sorts_after_reading() {
        columns.extend(select.orderings.iter().map(|ordering| ordering.column));
    }
    columns.sort_unstable();
    columns.dedup();
    columns
}

fn order(select: &BoundSelect) -> ReadOrder {
    if select.restrictions.is_nearest() {
        ReadOrder::Nearest
    } else if select.sorts_after_reading() {
        ReadOrder::Sorted { reversed: select.is_reversed }
    } else if select.is_reversed {
        ReadOrder::Reversed
    } else {
        ReadOrder::Stored
    }
}
