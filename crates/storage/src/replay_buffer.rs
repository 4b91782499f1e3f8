//! [`ReplayBuffer`]: replayed mutations are collected by shard and applied in the order of their
//! keys.
//!
//! A log has its writes in the order of their arrival, that is, for the tables in no order. Nearly
//! every one would go to another node of a map, which is not in a cache. In the order of the keys,
//! a run of rows is merged into a map node by node.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use cql::TableId;
use schema::partitioner::Token;

use crate::Error;
use crate::memtable::{Memtable, SHARD_COUNT, shard_index};
use crate::position;
use crate::replay_pool::{ReplayTarget, ReplayedRecord};
use crate::row::Row;
use crate::row::bytes::Reader;
use crate::update::{Mutation, PartitionUpdate};

/// A shard with this many bytes of records is applied, unless it has become large: the longer a run
/// is, the fewer times the entries of the map are moved.
const SHARD_BYTES_MIN: usize = 8 << 20;

/// Mutations that are not applied yet, by shard.
pub(crate) struct ReplayBuffer<'a> {
    /// Finds a table.
    find_table: &'a (dyn Fn(&TableId) -> Option<Arc<Memtable>> + Sync),
    tables: RwLock<TableNumbers>,
    shards: [Mutex<PendingShard>; SHARD_COUNT],
}

/// Short names of tables.
#[derive(Default)]
struct TableNumbers {
    numbers: HashMap<TableId, u32>,
    ids: Vec<TableId>,
}

#[derive(Default)]
struct PendingShard {
    mutations: PendingMutations,
    /// The bytes by which this shard of all tables has grown.
    growth: usize,
}

#[derive(Default)]
struct PendingMutations {
    rows: Vec<PendingRow>,
    /// The keys of the rows.
    keys: Vec<u8>,
    /// Mutations that are more than a single row.
    others: Vec<Mutation>,
    /// The bytes of their records.
    bytes: usize,
}

/// A row of a table.
struct PendingRow {
    table: u32,
    /// The first bytes of its key in the order of the ring.
    token: [u8; 8],
    /// Where its key is in the keys.
    key_start: usize,
    key_length: u32,
    row: Row,
}

impl PendingRow {
    fn key<'a>(&self, keys: &'a [u8]) -> &'a [u8] {
        let key = keys.get(self.key_start..).and_then(|keys| keys.get(..self.key_length as usize));
        key.unwrap_or_default()
    }
}

impl PendingMutations {
    fn push_row(&mut self, table: u32, token: [u8; 8], key: &[u8], row: Row) {
        let key_start = self.keys.len();
        self.keys.extend_from_slice(&token);
        self.keys.extend_from_slice(key);
        let key_length = u32::try_from(self.keys.len() - key_start).unwrap_or(u32::MAX);
        self.rows.push(PendingRow { table, token, key_start, key_length, row });
    }

    fn append(&mut self, mut other: Self) {
        let start = self.keys.len();
        self.keys.extend_from_slice(&other.keys);
        self.rows.extend(
            other.rows.into_iter().map(|row| PendingRow { key_start: row.key_start + start, ..row }),
        );
        self.others.append(&mut other.others);
        self.bytes += other.bytes;
    }
}

impl<'a> ReplayBuffer<'a> {
    pub(crate) fn new(find_table: &'a (dyn Fn(&TableId) -> Option<Arc<Memtable>> + Sync)) -> Self {
        let shards = std::array::from_fn(|_| Mutex::default());
        Self { find_table, tables: RwLock::default(), shards }
    }

    fn lock(&self, shard: usize) -> Option<MutexGuard<'_, PendingShard>> {
        Some(self.shards.get(shard)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The number of a table, which it gets when it first occurs.
    fn number(&self, table: &TableId) -> u32 {
        let known = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.numbers.get(table) {
            return *number;
        }
        drop(known);
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        let TableNumbers { numbers, ids } = &mut *tables;
        *numbers.entry(*table).or_insert_with(|| {
            ids.push(*table);
            u32::try_from(ids.len() - 1).unwrap_or(u32::MAX)
        })
    }

    fn find_numbered(&self, number: u32) -> Option<Arc<Memtable>> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        (self.find_table)(tables.ids.get(number as usize)?)
    }

    /// Applies mutations table by table, in the order of the ring.
    fn apply_sorted(&self, shard: usize, pending: PendingMutations) {
        let PendingMutations { mut rows, keys, mut others, .. } = pending;
        // Stable, as that is fast where most rows are in order, which those of a checkpoint are.
        rows.sort_by(|a, b| {
            let order = (a.table, a.token).cmp(&(b.table, b.token));
            order.then_with(|| a.key(&keys).cmp(b.key(&keys)))
        });
        let runs = rows.chunk_by(|a, b| a.table == b.table);
        let runs: Vec<_> = runs.filter_map(|run| Some((run.first()?.table, run.len()))).collect();
        let mut rows = rows.into_iter();
        let mut growth = 0;
        for (table, count) in runs {
            let run = rows.by_ref().take(count).map(|row| (row.key(&keys), row.row));
            match self.find_numbered(table) {
                Some(table) => growth += table.merge_sorted(shard, run),
                None => run.for_each(drop),
            }
        }
        others.sort_by_cached_key(|mutation| (mutation.table.0, mutation.update.key.token().0));
        for mutation in others {
            if let Some(table) = (self.find_table)(&mutation.table) {
                growth += table.apply_owned(mutation.update);
            }
        }
        if let Some(mut pending) = self.lock(shard) {
            pending.growth = pending.growth.saturating_add_signed(growth);
        }
    }

    /// Decodes the mutations of a record.
    fn decode(
        &self,
        payload: &[u8],
        last_table: &mut Option<(TableId, u32)>,
        decoded: &mut [PendingMutations; SHARD_COUNT],
    ) -> Option<()> {
        let mut reader = Reader::new(payload.get(1..).unwrap_or_default());
        while !reader.is_empty() {
            let table = TableId(reader.take(16)?.try_into().ok()?);
            if let Some((key, row)) = PartitionUpdate::decode_single_row(&mut reader) {
                let number = match last_table {
                    Some((last, number)) if *last == table => *number,
                    _ => last_table.insert((table, self.number(&table))).1,
                };
                let token = position::token_bytes(Token::from_key(key));
                let shard = decoded.get_mut(shard_index(&token))?;
                shard.push_row(number, token, key, Row::from_bytes(row)?);
                shard.bytes += payload.len();
            } else {
                let update = PartitionUpdate::decode(&mut reader)?;
                let shard = decoded.get_mut(shard_index(update.key.as_bytes()))?;
                shard.others.push(Mutation { table, update });
                shard.bytes += payload.len();
            }
        }
        Some(())
    }
}

impl ReplayTarget for ReplayBuffer<'_> {
    fn add(&self, records: &mut dyn Iterator<Item = ReplayedRecord<'_>>) -> Result<(), Error> {
        let mut decoded: [PendingMutations; SHARD_COUNT] = Default::default();
        let mut last_table = None;
        for record in records {
            if self.decode(record.payload, &mut last_table, &mut decoded).is_none() {
                let what = "invalid mutation".to_owned();
                let error = Error::Unreadable { what };
                return Err(error.with_location(record.file, record.offset));
            }
        }
        for (shard, own) in decoded.into_iter().enumerate() {
            let Some(mut pending) = self.lock(shard) else { continue };
            pending.mutations.append(own);
            if pending.mutations.bytes >= SHARD_BYTES_MIN.max(pending.growth / 2) {
                let full = std::mem::take(&mut pending.mutations);
                drop(pending);
                self.apply_sorted(shard, full);
            }
        }
        Ok(())
    }

    fn part_count(&self) -> usize {
        SHARD_COUNT
    }

    fn finish_part(&self, shard: usize) {
        let pending = self.lock(shard).map(|mut pending| std::mem::take(&mut pending.mutations));
        self.apply_sorted(shard, pending.unwrap_or_default());
    }
}
