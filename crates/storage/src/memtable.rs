//! [`Memtable`]: a table in memory, its partitions in token order in separately locked shards.

use std::convert::Infallible;
use std::ops::Bound;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use byte_map::ByteMap;

use crate::layout::Layout;
use crate::memory::{self, DerivedMemory};
use crate::partition::{Partition, PartitionSlice, SliceFilter};
use crate::position::DecoratedKey;
use crate::row::Row;
use crate::update::PartitionUpdate;

/// The number of shards. A shard holds the keys with the same four leading bits of the token, so
/// that scanning shard after shard is in token order.
pub(crate) const SHARD_COUNT: usize = 16;

type Shard = ByteMap<Partition>;

/// The rows of a table in memory. Unlike Cassandra's it is never flushed: it holds the whole table.
#[derive(Debug)]
pub struct Memtable {
    layout: RwLock<Arc<Layout>>,
    shards: [RwLock<Shard>; SHARD_COUNT],
    bytes: AtomicIsize,
    derived: Arc<DerivedMemory>,
}

/// A version of a table: its rows at one moment, which later writes do not reach.
#[derive(Clone, Debug)]
pub struct MemtableVersion {
    layout: Arc<Layout>,
    shards: [Shard; SHARD_COUNT],
    bytes: isize,
}

/// A range of the ring.
#[derive(Clone, Debug)]
pub struct RingRange {
    /// The lower bound.
    pub start: Bound<DecoratedKey>,
    /// The upper bound.
    pub end: Bound<DecoratedKey>,
}

impl RingRange {
    /// The whole ring.
    pub const ALL: Self = Self { start: Bound::Unbounded, end: Bound::Unbounded };
}

impl Memtable {
    /// An empty table.
    pub fn new(layout: Layout) -> Self {
        Self {
            layout: RwLock::new(layout.into()),
            shards: std::array::from_fn(|_| RwLock::default()),
            bytes: AtomicIsize::new(0),
            derived: Arc::default(),
        }
    }

    /// The layout of the table.
    pub fn layout(&self) -> Arc<Layout> {
        self.read_layout().clone()
    }

    fn read_layout(&self) -> RwLockReadGuard<'_, Arc<Layout>> {
        self.layout.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the layout: columns may be added or dropped and `gc_grace_seconds` may change, but
    /// not the clustering columns, whose values order the stored rows.
    pub fn set_layout(&self, layout: Layout) {
        *self.layout.write().unwrap_or_else(PoisonError::into_inner) = layout.into();
    }

    /// Merges an update. It is atomic for readers of the partition, whose shard is locked
    /// meanwhile.
    pub fn apply(&self, update: &PartitionUpdate) {
        self.merge(update, update.rows.iter().cloned());
    }

    /// Merges an update that nobody else needs, without touching its rows; returns by how many bytes
    /// the table grew.
    pub(crate) fn apply_owned(&self, mut update: PartitionUpdate) -> isize {
        let rows = std::mem::take(&mut update.rows);
        self.merge(&update, rows.into_iter())
    }

    fn merge(&self, update: &PartitionUpdate, rows: impl Iterator<Item = Row>) -> isize {
        let layout = self.read_layout();
        let key = update.key.as_bytes();
        let mut growth = 0;
        let mut shard = self.write_shard(shard_index(key));
        shard.update(key, |partition| {
            if let Some(partition) = partition {
                growth = partition.apply(&layout, update, rows);
                return None;
            }
            let mut partition = Partition::default();
            growth = partition.apply(&layout, update, rows)
                + memory::entry_bytes::<Partition>(key.len());
            Some(partition)
        });
        drop(shard);
        self.bytes.fetch_add(growth, Ordering::Relaxed);
        growth
    }

    /// Merges rows of a shard, which are in the order of their keys (those of [`DecoratedKey`]s);
    /// returns by how many bytes the table grew.
    pub(crate) fn merge_sorted<'a>(
        &self,
        shard: usize,
        rows: impl ExactSizeIterator<Item = (&'a [u8], Row)>,
    ) -> isize {
        let layout = self.read_layout();
        let mut growth = 0;
        let rows = rows.map(|(key, row)| (key, (key.len(), row)));
        self.write_shard(shard).merge_sorted(rows, |partition, (key_length, row)| {
            if let Some(partition) = partition {
                growth += partition.put(&layout, row);
                return None;
            }
            let mut partition = Partition::default();
            growth += partition.put(&layout, row) + memory::entry_bytes::<Partition>(key_length);
            Some(partition)
        });
        self.bytes.fetch_add(growth, Ordering::Relaxed);
        growth
    }

    /// Reads rows of one partition; `None` if there is no such partition.
    pub fn read(&self, key: &DecoratedKey, filter: SliceFilter<'_>) -> Option<PartitionSlice> {
        let layout = self.read_layout();
        let shard = self.read_shard(shard_index(key.as_bytes()));
        Some(shard.get(key.as_bytes())?.read(&layout, filter))
    }

    /// Reads the partitions of a range in token order, at most `max_partitions`.
    pub fn scan(
        &self,
        range: &RingRange,
        filter: SliceFilter<'_>,
        max_partitions: usize,
    ) -> Vec<(DecoratedKey, PartitionSlice)> {
        let layout = self.layout();
        let mut partitions = Vec::new();
        let Some((start, end)) = byte_bounds(range) else { return partitions };
        for index in first_shard(range)..SHARD_COUNT {
            let shard = self.read_shard(index);
            for (key, partition) in shard.range(start, end) {
                if partitions.len() == max_partitions {
                    return partitions;
                }
                let key = DecoratedKey::from_bytes(key);
                partitions.push((key, partition.read(&layout, filter)));
            }
        }
        partitions
    }

    /// A version of the table. It takes constant time, and is consistent if the caller excludes
    /// writes; otherwise each partition is.
    pub fn version(&self) -> MemtableVersion {
        let shards = std::array::from_fn(|index| self.read_shard(index).clone());
        let bytes = self.bytes.load(Ordering::Relaxed);
        MemtableVersion { layout: self.layout(), shards, bytes }
    }

    /// Returns to a version of this table; returns the number of shards that have other rows now.
    /// The caller excludes writes.
    pub fn restore(&self, version: &MemtableVersion) -> usize {
        let mut changed = 0;
        for (index, shard) in version.shards.iter().enumerate() {
            if !self.read_shard(index).is_same(shard) {
                *self.write_shard(index) = shard.clone();
                changed += 1;
            }
        }
        self.bytes.store(version.bytes, Ordering::Relaxed);
        *self.layout.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&version.layout);
        changed
    }

    /// Rewrites every partition for a new layout. The caller excludes concurrent writes.
    pub fn rewrite(&self, layout: Layout, change: impl Fn(PartitionUpdate) -> PartitionUpdate) {
        let mut changed = Vec::new();
        let each = |update: &PartitionUpdate| -> Result<(), Infallible> {
            changed.push(change(update.clone()));
            Ok(())
        };
        // A time before any tombstone, so that nothing is purged.
        let Ok(()) = self.version().dump(i64::MIN / 2, each);
        self.clear();
        self.set_layout(layout);
        for update in &changed {
            self.apply(update);
        }
    }

    /// Removes everything.
    pub fn clear(&self) {
        for index in 0..SHARD_COUNT {
            *self.write_shard(index) = Shard::default();
        }
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// How many partitions there are.
    pub fn partition_count(&self) -> usize {
        (0..SHARD_COUNT).map(|index| self.read_shard(index).len()).sum()
    }

    /// The memory that its rows and keys occupy, in bytes; an estimate.
    pub fn byte_size(&self) -> usize {
        usize::try_from(self.bytes.load(Ordering::Relaxed)).unwrap_or(0)
    }

    /// The memory of what is derived from its rows.
    pub fn measure_derived_memory(&self) -> &Arc<DerivedMemory> {
        &self.derived
    }

    #[expect(clippy::indexing_slicing, reason = "callers count up to SHARD_COUNT")]
    fn read_shard(&self, index: usize) -> RwLockReadGuard<'_, Shard> {
        self.shards[index].read().unwrap_or_else(PoisonError::into_inner)
    }

    #[expect(clippy::indexing_slicing, reason = "callers count up to SHARD_COUNT")]
    fn write_shard(&self, index: usize) -> RwLockWriteGuard<'_, Shard> {
        self.shards[index].write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MemtableVersion {
    /// Passes every partition to `each`, without tombstones and expired cells older than
    /// `gc_grace_seconds`.
    pub fn dump<E>(
        &self,
        now_seconds: i64,
        mut each: impl FnMut(&PartitionUpdate) -> Result<(), E>,
    ) -> Result<(), E> {
        let gc_before = now_seconds - i64::from(self.layout.gc_grace_seconds);
        for (key, partition) in self.shards.iter().flatten() {
            if let Some(update) = partition.purge(DecoratedKey::from_bytes(key), gc_before) {
                each(&update)?;
            }
        }
        Ok(())
    }
}

impl MemtableVersion {
    /// The bytes of the largest partition. `check` is called at intervals.
    pub fn find_largest_partition<E>(&self, check: impl Fn() -> Result<(), E>) -> Result<usize, E> {
        const PARTITIONS_PER_CHECK: usize = 256;
        let mut largest = 0;
        for (at, (_, partition)) in self.shards.iter().flatten().enumerate() {
            if at % PARTITIONS_PER_CHECK == PARTITIONS_PER_CHECK - 1 {
                check()?;
            }
            largest = largest.max(partition.row_bytes());
        }
        Ok(largest)
    }

    /// The partitions with more bytes than this, and their bytes.
    pub fn partitions_above(&self, bytes: usize) -> impl Iterator<Item = (DecoratedKey, usize)> {
        let sizes = self.shards.iter().flatten();
        let sizes = sizes.map(|(key, partition)| (key, partition.row_bytes()));
        sizes
            .filter(move |(_, size)| *size > bytes)
            .map(|(key, size)| (DecoratedKey::from_bytes(key), size))
    }
}

/// The shard of a partition, by the bytes of its decorated key.
pub(crate) fn shard_index(key: &[u8]) -> usize {
    usize::from(key.first().copied().unwrap_or(0) >> 4)
}

fn first_shard(range: &RingRange) -> usize {
    match &range.start {
        Bound::Unbounded => 0,
        Bound::Included(key) | Bound::Excluded(key) => shard_index(key.as_bytes()),
    }
}

type ByteBounds<'a> = (Bound<&'a [u8]>, Bound<&'a [u8]>);

/// The bounds as bytes; `None` for an empty range.
fn byte_bounds(range: &RingRange) -> Option<ByteBounds<'_>> {
    let start = range.start.as_ref().map(DecoratedKey::as_bytes);
    let end = range.end.as_ref().map(DecoratedKey::as_bytes);
    match (start, end) {
        (Bound::Excluded(a), Bound::Excluded(b)) if a >= b => None,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b))
            if a > b =>
        {
            None
        }
        _ => Some((start, end)),
    }
}
