//! [`ReplayBuffer`]: replayed mutations are collected by shard and applied in the order of their
//! keys.
//!
//! A log has its writes in the order of their arrival, that is, for the tables in no order. Nearly
//! every one would go to another node of a map, which is not in a cache. In the order of the keys,
//! neighbours go to the same node.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cql::TableId;

use crate::Error;
use crate::memtable::{Memtable, SHARD_COUNT, shard_index};
use crate::replay_pool::{ReplayTarget, ReplayedRecord};
use crate::row::bytes::Reader;
use crate::update::{Mutation, PartitionUpdate};

/// A shard with this many bytes of records is applied.
const SHARD_BYTES_MAX: usize = 8 << 20;

/// Mutations that are not applied yet, by shard.
pub(crate) struct ReplayBuffer<'a> {
    /// Finds a table.
    find_table: &'a (dyn Fn(&TableId) -> Option<Arc<Memtable>> + Sync),
    shards: [Mutex<PendingMutations>; SHARD_COUNT],
}

#[derive(Default)]
struct PendingMutations {
    mutations: Vec<Mutation>,
    /// The bytes of their records.
    bytes: usize,
}

impl<'a> ReplayBuffer<'a> {
    pub(crate) fn new(find_table: &'a (dyn Fn(&TableId) -> Option<Arc<Memtable>> + Sync)) -> Self {
        Self { find_table, shards: std::array::from_fn(|_| Mutex::default()) }
    }

    fn lock(&self, shard: usize) -> Option<MutexGuard<'_, PendingMutations>> {
        Some(self.shards.get(shard)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Applies mutations table by table, in the order of the ring.
    fn apply_sorted(&self, mut pending: PendingMutations) {
        pending
            .mutations
            .sort_by_cached_key(|mutation| (mutation.table.0, mutation.update.key.token().0));
        let mut last: Option<(TableId, Option<Arc<Memtable>>)> = None;
        for mutation in pending.mutations {
            if last.as_ref().is_none_or(|(id, _)| *id != mutation.table) {
                last = Some((mutation.table, (self.find_table)(&mutation.table)));
            }
            if let Some((_, Some(table))) = &last {
                table.apply_owned(mutation.update);
            }
        }
    }
}

impl ReplayTarget for ReplayBuffer<'_> {
    fn add(&self, records: &mut dyn Iterator<Item = ReplayedRecord<'_>>) -> Result<(), Error> {
        let mut decoded: [PendingMutations; SHARD_COUNT] = Default::default();
        for record in records {
            let mut reader = Reader::new(record.payload.get(1..).unwrap_or_default());
            while !reader.is_empty() {
                let Some(mutation) = decode_mutation(&mut reader) else {
                    let what = "invalid mutation".to_owned();
                    let error = Error::Unreadable { what };
                    return Err(error.with_location(record.file, record.offset));
                };
                if let Some(shard) = decoded.get_mut(shard_index(mutation.update.key.as_bytes())) {
                    shard.bytes += record.payload.len();
                    shard.mutations.push(mutation);
                }
            }
        }
        for (shard, mut own) in decoded.into_iter().enumerate() {
            let Some(mut pending) = self.lock(shard) else { continue };
            pending.mutations.append(&mut own.mutations);
            pending.bytes += own.bytes;
            if pending.bytes >= SHARD_BYTES_MAX {
                let full = std::mem::take(&mut *pending);
                drop(pending);
                self.apply_sorted(full);
            }
        }
        Ok(())
    }

    fn part_count(&self) -> usize {
        SHARD_COUNT
    }

    fn finish_part(&self, shard: usize) {
        let pending = self.lock(shard).map(|mut pending| std::mem::take(&mut *pending));
        self.apply_sorted(pending.unwrap_or_default());
    }
}

fn decode_mutation(reader: &mut Reader<'_>) -> Option<Mutation> {
    let table = TableId(reader.take(16)?.try_into().ok()?);
    Some(Mutation { table, update: PartitionUpdate::decode(reader)? })
}
