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
/// A large shard is applied when the records have this share of the bytes that it has.
const GROWTH_SHARE: usize = 4;

/// Mutations that are not applied yet, by shard.
pub(crate) struct ReplayBuffer<'a> {
    /// Finds a table.
    find_table: &'a (dyn Fn(&TableId) -> Option<Arc<Memtable>> + Sync),
    tables: RwLock<TableNumbers>,
    shards: [Mutex<PendingShard>; SHARD_COUNT],
    /// Empty lists, whose memory is used again.
    spare: Mutex<Vec<Vec<PendingRow>>>,
}

/// Short names of tables.
#[derive(Default)]
struct TableNumbers {
    numbers: HashMap<TableId, u32>,
    ids: Vec<TableId>,
}

#[derive(Default)]
struct PendingShard {
    /// What the threads have decoded, batch by batch.
    blocks: Vec<PendingBlock>,
    /// The bytes of its records.
    bytes: usize,
    /// The bytes by which this shard of all tables has grown.
    growth: usize,
}

impl PendingShard {
    fn take_blocks(&mut self) -> Vec<PendingBlock> {
        self.bytes = 0;
        std::mem::take(&mut self.blocks)
    }
}

/// Decoded mutations of a batch of records.
#[derive(Default)]
struct PendingBlock {
    rows: Vec<PendingRow>,
    /// The keys of the rows.
    keys: Vec<u8>,
    /// Mutations that are more than a single row.
    others: Vec<Mutation>,
    /// The bytes of the records.
    bytes: usize,
}

/// A row of a table.
struct PendingRow {
    /// The start of its key, as a number in the order of the ring.
    token: u64,
    table: u32,
    /// Where its key is: the block, the start in the keys of the block, and the length.
    block: u32,
    key_start: u32,
    key_length: u32,
    row: Row,
}

impl PendingRow {
    fn key<'a>(&self, blocks: &'a [PendingBlock]) -> &'a [u8] {
        let keys = blocks.get(self.block as usize).map_or(&[][..], |block| &block.keys);
        let key = keys.get(self.key_start as usize..);
        key.and_then(|key| key.get(..self.key_length as usize)).unwrap_or_default()
    }
}

impl PendingBlock {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.others.is_empty()
    }

    fn push_row(&mut self, table: u32, token: [u8; 8], key: &[u8], row: Row) -> Option<()> {
        let key_start = u32::try_from(self.keys.len()).ok()?;
        self.keys.extend_from_slice(&token);
        self.keys.extend_from_slice(key);
        let key_length = u32::try_from(self.keys.len()).ok()? - key_start;
        let token = u64::from_be_bytes(token);
        self.rows.push(PendingRow { token, table, block: 0, key_start, key_length, row });
        Some(())
    }
}

/// Moves the rows of blocks into one list, which is in the order of the tables and of the ring then.
fn collect_rows(blocks: &mut [PendingBlock], rows: &mut Vec<PendingRow>) {
    // The blocks of a checkpoint are in order then, and so are their rows.
    blocks.sort_by_key(|block| block.rows.first().map(|row| (row.table, row.token)));
    rows.reserve_exact(blocks.iter().map(|block| block.rows.len()).sum());
    for (at, block) in blocks.iter_mut().enumerate() {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let own = std::mem::take(&mut block.rows);
        rows.extend(own.into_iter().map(|row| PendingRow { block: at, ..row }));
    }
    rows.sort_unstable_by(|a, b| {
        let order = a.table.cmp(&b.table).then(a.token.cmp(&b.token));
        order.then_with(|| a.key(blocks).cmp(b.key(blocks)))
    });
}

/// The keys of rows one after the other. They are all over the memory, and a loop that does nothing
/// but copy them waits for several at once.
fn gather_keys(rows: &[PendingRow], blocks: &[PendingBlock]) -> Vec<u8> {
    let length = rows.iter().map(|row| row.key_length as usize).sum();
    let mut keys = Vec::with_capacity(length);
    for row in rows {
        keys.extend_from_slice(row.key(blocks));
    }
    keys
}

impl<'a> ReplayBuffer<'a> {
    pub(crate) fn new(find_table: &'a (dyn Fn(&TableId) -> Option<Arc<Memtable>> + Sync)) -> Self {
        let shards = std::array::from_fn(|_| Mutex::default());
        Self { find_table, tables: RwLock::default(), shards, spare: Mutex::default() }
    }

    fn lock(&self, shard: usize) -> Option<MutexGuard<'_, PendingShard>> {
        Some(self.shards.get(shard)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<PendingRow>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn apply_sorted(&self, shard: usize, mut blocks: Vec<PendingBlock>) {
        let mut rows = self.spare().pop().unwrap_or_default();
        collect_rows(&mut blocks, &mut rows);
        let keys = gather_keys(&rows, &blocks);
        let mut keys_left = &*keys;
        let runs = rows.chunk_by(|a, b| a.table == b.table);
        let runs: Vec<_> = runs.filter_map(|run| Some((run.first()?.table, run.len()))).collect();
        let mut growth = 0;
        let mut sorted = rows.drain(..);
        for (table, count) in runs {
            let run = sorted.by_ref().take(count).map(|row| {
                let key = keys_left.split_off(..row.key_length as usize).unwrap_or_default();
                (key, row.row)
            });
            match self.find_numbered(table) {
                Some(table) => growth += table.merge_sorted(shard, run),
                None => run.for_each(drop),
            }
        }
        drop(sorted);
        self.spare().push(rows);
        let mut others: Vec<_> = blocks.into_iter().flat_map(|block| block.others).collect();
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
        decoded: &mut [PendingBlock; SHARD_COUNT],
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
                shard.push_row(number, token, key, Row::from_bytes(row)?)?;
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
        let mut decoded: [PendingBlock; SHARD_COUNT] = Default::default();
        let mut last_table = None;
        for record in records {
            if self.decode(record.payload, &mut last_table, &mut decoded).is_none() {
                let what = "invalid mutation".to_owned();
                let error = Error::Unreadable { what };
                return Err(error.with_location(record.file, record.offset));
            }
        }
        for (shard, block) in decoded.into_iter().enumerate() {
            let Some(mut pending) = self.lock(shard).filter(|_| !block.is_empty()) else {
                continue;
            };
            pending.bytes += block.bytes;
            pending.blocks.push(block);
            if pending.bytes >= SHARD_BYTES_MIN.max(pending.growth / GROWTH_SHARE) {
                let full = pending.take_blocks();
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
        let pending = self.lock(shard).map(|mut pending| pending.take_blocks());
        self.apply_sorted(shard, pending.unwrap_or_default());
    }
}
