//! Candidates whose columns decide how they are split.
//!
//! A key with a few small columns may stay within the limits by the month, and need days with a
//! large one. The search prices the reads and columns of a candidate one by one, so each of them
//! would be priced by its own split, and the table that stores all of them has another. Such a
//! candidate is replaced by one for each split.

use std::collections::BTreeSet;

use model::id::IdList;
use model::plan::{Bucket, PlannedColumn, PlannedTable};
use model::workload::Column;

use super::CandidateTable;
use super::complete_table::{columns_used, has_same_split};
use crate::Context;
use crate::partition_split::{self, columns};

/// The candidates, with those whose split depends on their columns once for each split.
pub(crate) fn separate_splits(
    context: Context<'_>,
    candidates: Vec<CandidateTable>,
) -> Vec<CandidateTable> {
    let mut separate = Vec::with_capacity(candidates.len());
    for mut candidate in candidates {
        let others = other_splits(context, &candidate);
        candidate.is_split_as_key = !others.is_empty();
        separate.push(candidate);
        separate.extend(others);
    }
    separate
}

/// The candidate with the splits that it needs with the columns of its own read, and with those of
/// all reads, where these are others than with its key alone.
fn other_splits(context: Context<'_>, candidate: &CandidateTable) -> Vec<CandidateTable> {
    let table = &candidate.table;
    let is_split = table.bucket().is_some() || table.shards() > 1;
    if is_split || table.is_counter() || partition_split::is_forced(table) {
        return Vec::new();
    }
    let mut splits = vec![candidate.table_with(context, &BTreeSet::new()).table];
    let mut others = Vec::new();
    for columns in [own_columns(context, table), all_columns(context, table)] {
        let filled = candidate.table_with(context, &columns).table;
        if splits.iter().any(|known| has_same_split(known, &filled)) {
            continue;
        }
        let Some(other) = with_split(context, table, &filled) else { return Vec::new() };
        others.push(CandidateTable::new(other));
        splits.push(filled);
    }
    others
}

/// The columns that the read needs for which a candidate was made.
fn own_columns(context: Context<'_>, table: &PlannedTable) -> BTreeSet<Column> {
    let served = table.serves.iter().filter_map(|served| {
        let read = context.workload.reads.member(served.read)?;
        Some(columns_used(read).filter_map(|column| served.column(column)))
    });
    served.flatten().collect()
}

/// The columns that reads need of the rows that a candidate is made of.
pub(super) fn all_columns(context: Context<'_>, table: &PlannedTable) -> BTreeSet<Column> {
    let reads = context.workload.reads.iter();
    let used = reads.flat_map(|read| {
        let entity = |column: &Column| Some(read.sources.member(column.source)?.entity);
        columns_used(read).filter_map(move |column| Some((entity(&column)?, column.attribute)))
    });
    let used: BTreeSet<_> = used.collect();
    let sources = table.holds.sources.enumerate_ids();
    let all = sources.flat_map(|(source, held)| {
        let own = used.iter().filter(move |(entity, _)| *entity == held.entity);
        own.map(move |(_, attribute)| Column { source, attribute: *attribute })
    });
    all.collect()
}

/// The key with the split of a table that has it, with the reasons for it.
fn with_split(
    context: Context<'_>,
    key: &PlannedTable,
    filled: &PlannedTable,
) -> Option<PlannedTable> {
    let mut table = key.clone();
    if let Some((_, _, bucket)) = filled.bucket() {
        let of = match bucket {
            Bucket::Range(_) => partition_split::range_column(context, key)?,
            _ => partition_split::bucket_time(context, key)?,
        };
        table = columns::with_bucket(context, &table, of, bucket);
    }
    if filled.shards() > 1 {
        let of = columns::shard_columns(context, &table);
        table = columns::with_shards(&table, of, filled.shards());
    }
    let is_same = |one: &PlannedColumn, other: &PlannedColumn| {
        one.name == other.name && one.role == other.role && one.reasons.is_empty()
    };
    for column in &mut table.columns {
        let split = filled.partition_key().find(|other| is_same(column, other));
        column.reasons.extend(split.into_iter().flat_map(|split| split.reasons.clone()));
    }
    Some(table)
}

impl CandidateTable {
    /// Whether it may be used with these columns.
    pub(crate) fn can_store(&self, context: Context<'_>, columns: &BTreeSet<Column>) -> bool {
        !self.is_split_as_key || {
            let bare = self.table_with(context, &BTreeSet::new()).table;
            has_same_split(&bare, &self.table_with(context, columns).table)
        }
    }
}
