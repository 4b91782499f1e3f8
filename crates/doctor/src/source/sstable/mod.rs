//! Output of the tools that read `SSTables`.

pub(super) mod metadata;
pub(super) mod partitions;

use std::collections::HashMap;

use super::collector::Target;
use crate::snapshot::{LargestPartition, SstableFacts, TableName};

/// The most files that are kept of a table.
const SSTABLES_MAX: usize = 10_000;
/// The most partitions that are kept of a file.
const PARTITIONS_MAX: usize = 100;

/// The positions of the files of each node and table.
pub(super) type KnownFiles = HashMap<(String, TableName, String), usize>;

/// Adds facts about a file to those that another tool told.
fn add_sstable(table: TableName, facts: SstableFacts, target: &mut Target<'_>) {
    let file = (target.node.clone(), table.clone(), file_name(&facts.path).to_owned());
    let at = target.known_files.get(&file).copied();
    let known = target.node().sstables.entry(table).or_default();
    if let Some(same) = at.and_then(|at| known.get_mut(at)) {
        merge(same, facts);
    } else if known.len() < SSTABLES_MAX {
        known.push(facts);
        let at = known.len() - 1;
        target.known_files.insert(file, at);
    }
}

/// The name of a file without its folder and component.
fn file_name(path: &str) -> &str {
    path.trim_end_matches("-Data.db").rsplit('/').next().unwrap_or_default()
}

/// Adds a partition to a list of bounded length that keeps the largest.
fn insert_partition(list: &mut Vec<LargestPartition>, partition: LargestPartition) {
    if list.contains(&partition) {
        return;
    }
    if list.len() >= PARTITIONS_MAX {
        let smallest = list.iter().enumerate().min_by_key(|(_, known)| known.value);
        match smallest.map(|(at, known)| (at, known.value)) {
            Some((at, value)) if value < partition.value => list.swap_remove(at),
            _ => return,
        };
    }
    list.push(partition);
}

fn merge(known: &mut SstableFacts, facts: SstableFacts) {
    known.min_timestamp_us = facts.min_timestamp_us.or(known.min_timestamp_us);
    known.max_timestamp_us = facts.max_timestamp_us.or(known.max_timestamp_us);
    known.min_ttl = facts.min_ttl.or(known.min_ttl);
    known.max_ttl = facts.max_ttl.or(known.max_ttl);
    known.droppable_tombstone_ratio =
        facts.droppable_tombstone_ratio.or(known.droppable_tombstone_ratio);
    known.repaired_at_ms = facts.repaired_at_ms.or(known.repaired_at_ms);
    known.level = facts.level.or(known.level);
    known.rows = facts.rows.or(known.rows);
    known.cells = facts.cells.or(known.cells);
    known.partitions = facts.partitions.or(known.partitions);
    for partition in facts.largest_partitions {
        insert_partition(&mut known.largest_partitions, partition);
    }
}
