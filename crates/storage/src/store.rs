//! [`Store`]: all tables of a node, and the log and checkpoints that make their writes durable.
//!
//! A write is appended to the log as one record, then merged into its tables. A checkpoint is a
//! copy of all tables, after which the log before it can be removed. It starts with a new segment
//! at a moment when no write is between the log and the tables, and takes the versions of the
//! tables at that moment: what is in older segments is in the checkpoint, what is in newer ones is
//! not. The versions are written out while writes go on.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use cql::TableId;

use crate::checkpoint::{self, CheckpointWriter};
use crate::clock::Clock;
use crate::commit_log::{self, CommitLog, LogOptions, LogPosition, SegmentNumber};
use crate::disk::{Disk, FolderLock};
use crate::error::Error;
use crate::memory_budget::MemoryBudget;
use crate::memtable::Memtable;
use crate::recovery::{RecoveryReport, RecoveryWarning};
use crate::replay_buffer::ReplayBuffer;
use crate::replay_pool::{self, ReplayedRecord};
use crate::snapshot::StoreSnapshot;
use crate::update::Mutation;

/// The kinds of records, as their first byte.
const MUTATIONS: u8 = 1;
const SCHEMA: u8 = 2;
const TRUNCATION: u8 = 3;

/// A checkpoint is due when the log has grown by this many bytes, but not before it has grown by
/// the size of the tables: that bounds both the replay and the share of checkpoints in all bytes
/// written. After one that failed the log must grow as much once more.
const CHECKPOINT_THRESHOLD: u64 = 256 << 20;
/// When a store is closed, it writes a checkpoint if the log has at least this many bytes, and the
/// tables at most this many, which takes about a second. A start reads a checkpoint faster than the
/// log, and a project that is started for short times only would never reach the threshold above.
const CLOSING_LOG_MIN: u64 = 8 << 20;
const CLOSING_TABLES_MAX: u64 = 256 << 20;

/// The tables of a node, durable or in memory only.
#[derive(Debug, Default)]
pub struct Store {
    tables: RwLock<HashMap<TableId, Arc<Memtable>>>,
    memory: MemoryBudget,
    /// The memory of the schema.
    schema_bytes: AtomicU64,
    durable: OnceLock<Persistence>,
    /// Held shared by a write from the log to the tables; exclusively to start a checkpoint or to
    /// truncate, when no write may be in the log but not in the tables.
    writing: RwLock<()>,
}

#[derive(Debug)]
struct Persistence {
    log: CommitLog,
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    clock: Arc<dyn Clock>,
    /// The bytes of the log since the last checkpoint.
    logged: AtomicU64,
    /// The bytes of the log with which the next checkpoint is due.
    due_at: AtomicU64,
    recovery: RecoveryReport,
    _lock: Box<dyn FolderLock>,
}

/// Receives the schema records in order when a store is opened.
pub type SchemaReplay<'a> = dyn FnMut(&Store, &[u8]) -> Result<(), Error> + 'a;

/// Where a store keeps its files.
#[derive(Clone, Debug)]
pub struct DataDirectory {
    /// The disk with the folder.
    pub disk: Arc<dyn Disk>,
    /// The folder of the commit log and the checkpoints.
    pub folder: PathBuf,
    /// The options of the commit log.
    pub log: LogOptions,
}

impl Store {
    /// A store without a log: its tables are lost with the process.
    pub fn new_in_memory() -> Self {
        Self::default()
    }

    /// Opens the store of a folder, or creates one. Schema records are passed to `schema` in order,
    /// which must add a table to the store before its rows are replayed; mutations of unknown
    /// tables are skipped, as those of dropped tables must be.
    pub fn open(
        directory: &DataDirectory,
        clock: Arc<dyn Clock>,
        schema: &mut SchemaReplay<'_>,
    ) -> Result<Self, Error> {
        let (disk, folder) = (&*directory.disk, &*directory.folder);
        disk.create_folder(folder)?;
        refuse_foreign_folder(disk, folder)?;
        let lock = disk.lock(folder)?;
        let store = Self::default();
        let find_table = |id: &TableId| store.table(id);
        let (log, mut recovery) = replay_pool::replay(&ReplayBuffer::new(&find_table), |feeder| {
            let mut replay = |record: ReplayedRecord<'_>| {
                if record.payload.first() == Some(&MUTATIONS) {
                    return feeder.add(record);
                }
                feeder.wait()?;
                store.replay_record(record.payload, schema)
            };
            let first = checkpoint::load(disk, folder, &mut replay)?;
            CommitLog::open(
                Arc::clone(&directory.disk),
                Arc::clone(&clock),
                folder,
                directory.log,
                first,
                &mut replay,
            )
        })?;
        if let Some(mode) = disk.mode(folder)?.filter(|mode| mode & 0o077 != 0) {
            let folder = folder.to_owned();
            recovery.warnings.push(RecoveryWarning::WidePermissions { folder, mode });
        }
        let durable = Persistence {
            log,
            disk: Arc::clone(&directory.disk),
            folder: directory.folder.clone(),
            clock,
            logged: AtomicU64::new(recovery.log_bytes),
            due_at: AtomicU64::new(CHECKPOINT_THRESHOLD),
            recovery,
            _lock: lock,
        };
        let _ = store.durable.set(durable);
        Ok(store)
    }

    /// Applies a replayed record that may not pass mutations.
    fn replay_record(&self, record: &[u8], schema: &mut SchemaReplay<'_>) -> Result<(), Error> {
        let unreadable = |what: &str| Error::Unreadable { what: what.to_owned() };
        match record.split_first() {
            Some((&SCHEMA, entry)) => schema(self, entry),
            Some((&TRUNCATION, id)) => {
                let id = id.try_into().map_err(|_| unreadable("invalid truncation"))?;
                if let Some(table) = self.table(&TableId(id)) {
                    table.clear();
                }
                Ok(())
            }
            _ => Err(unreadable("unknown record type")),
        }
    }

    /// The table with that id.
    pub fn table(&self, id: &TableId) -> Option<Arc<Memtable>> {
        self.read_tables().get(id).cloned()
    }

    fn read_tables(&self) -> RwLockReadGuard<'_, HashMap<TableId, Arc<Memtable>>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_tables(&self) -> RwLockWriteGuard<'_, HashMap<TableId, Arc<Memtable>>> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a table.
    pub fn add_table(&self, id: TableId, table: Arc<Memtable>) {
        self.write_tables().insert(id, table);
    }

    /// Removes a table with its rows. Its records in the log are skipped by replay.
    pub fn drop_table(&self, id: &TableId) {
        self.write_tables().remove(id);
    }

    /// Writes mutations, in the log as one record: after a crash all of them are there or none.
    /// Mutations of tables that were dropped are skipped; those that add data are refused when the
    /// limit of the memory is reached. Readers see them at once; they are durable after
    /// [`Self::acknowledge`].
    pub fn apply(&self, mutations: &[Mutation]) -> Result<(), Error> {
        self.memory.admit(mutations, || self.memory_size())?;
        let Some(durable) = self.durable.get() else {
            self.apply_to_tables(mutations);
            return Ok(());
        };
        let mut record = Vec::with_capacity(256);
        record.push(MUTATIONS);
        for mutation in mutations {
            record.extend(mutation.table.0);
            mutation.update.encode(&mut record);
        }
        let _writing = self.writing.read().unwrap_or_else(PoisonError::into_inner);
        durable.append(&record)?;
        self.apply_to_tables(mutations);
        Ok(())
    }

    fn apply_to_tables(&self, mutations: &[Mutation]) {
        for mutation in mutations {
            if let Some(table) = self.table(&mutation.table) {
                table.apply(&mutation.update);
            }
        }
    }

    /// Logs a schema change. The caller syncs the log before it acknowledges the change, also in a
    /// mode that acknowledges writes earlier: clients act on a schema change.
    pub fn record_schema(&self, entry: &[u8]) -> Result<(), Error> {
        let Some(durable) = self.durable.get() else { return Ok(()) };
        durable.append(&[&[SCHEMA][..], entry].concat())
    }

    /// Removes all rows of a table. Writes are excluded meanwhile, so that the log and the table
    /// have them in the same order relative to the truncation.
    pub fn truncate(&self, id: &TableId) -> Result<(), Error> {
        let _exclusive = self.exclude_writes();
        if let Some(durable) = self.durable.get() {
            durable.append(&[&[TRUNCATION][..], &id.0].concat())?;
        }
        if let Some(table) = self.table(id) {
            table.clear();
        }
        Ok(())
    }

    /// A snapshot of all tables. It waits for the writes under way.
    pub fn snapshot(&self) -> StoreSnapshot {
        let _exclusive = self.exclude_writes();
        StoreSnapshot::new(&*self.read_tables())
    }

    /// Returns to a snapshot: tables that were added since are gone, dropped ones are back. Returns
    /// the ids of the tables with other rows than before. On disk, the snapshot with the schema at
    /// its time becomes a checkpoint first; after an error, nothing has changed.
    pub fn restore(
        &self,
        snapshot: &StoreSnapshot,
        schema: &[Vec<u8>],
    ) -> Result<Vec<TableId>, Error> {
        let _exclusive = self.exclude_writes();
        let first = match self.durable.get() {
            Some(durable) => {
                let first = durable.log.rotate()?;
                durable.write_checkpoint(first, schema, snapshot)?;
                durable.logged.store(0, Ordering::Relaxed);
                Some((durable, first))
            }
            None => None,
        };
        let (tables, changed) = snapshot.restore();
        *self.write_tables() = tables;
        if let Some((durable, first)) = first {
            durable.log.remove_before(first)?;
        }
        Ok(changed)
    }

    /// Waits until no write is between the log and the tables, and keeps new ones from starting.
    fn exclude_writes(&self) -> RwLockWriteGuard<'_, ()> {
        self.writing.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Syncs the log: everything written so far survives a crash.
    pub fn sync(&self) -> Result<(), Error> {
        self.durable.get().map_or(Ok(()), |durable| durable.log.sync())
    }

    /// The position of the log that [`Self::acknowledge`] must reach before what was written so far
    /// may be confirmed to clients; `None` if that is so already.
    pub fn pending_acknowledgement(&self) -> Option<LogPosition> {
        self.durable.get()?.log.pending_acknowledgement()
    }

    /// Returns when the sync mode acknowledges everything before a position.
    pub fn acknowledge(&self, position: LogPosition) -> Result<(), Error> {
        self.durable.get().map_or(Ok(()), |durable| durable.log.acknowledge(position))
    }

    /// The log, for the thread that calls its ticks; `None` for a store in memory.
    pub fn log(&self) -> Option<&CommitLog> {
        self.durable.get().map(|durable| &durable.log)
    }

    /// The data folder; `None` for a store in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.durable.get().map(|durable| &*durable.folder)
    }

    /// Whether enough was logged since the last checkpoint for a new one.
    pub fn is_checkpoint_due(&self) -> bool {
        let Some(durable) = self.durable.get() else { return false };
        let due_at = durable.due_at.load(Ordering::Relaxed);
        durable.logged.load(Ordering::Relaxed) > due_at.max(self.byte_size())
    }

    /// Whether a checkpoint before the store is closed is worth its time.
    pub fn is_closing_checkpoint_due(&self) -> bool {
        let Some(durable) = self.durable.get() else { return false };
        let logged = durable.logged.load(Ordering::Relaxed);
        logged >= CLOSING_LOG_MIN && self.byte_size() <= CLOSING_TABLES_MAX
    }

    /// The memory that the rows and keys of all tables occupy, in bytes; an estimate.
    pub fn byte_size(&self) -> u64 {
        self.read_tables().values().map(|table| table.byte_size() as u64).sum()
    }

    /// The memory of all tables, of their indexes and of the schema, in bytes; an estimate.
    pub fn memory_size(&self) -> u64 {
        let tables = self.read_tables();
        let size = |table: &Arc<Memtable>| {
            (table.byte_size() as u64).saturating_add(table.measure_derived_memory().byte_size())
        };
        let schema = self.schema_bytes.load(Ordering::Relaxed);
        tables.values().map(size).sum::<u64>().saturating_add(schema)
    }

    /// Sets the memory of the schema, in bytes.
    pub fn set_schema_memory(&self, bytes: u64) {
        self.schema_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Admits what needs so many bytes besides mutations, or refuses it when the limit of the memory
    /// is reached. What removes something is admitted up to an eighth beyond it.
    pub fn admit_growth(&self, bytes: u64, is_removal: bool) -> Result<(), Error> {
        self.memory.admit_bytes(bytes, || !is_removal, || self.memory_size())
    }

    /// Limits the memory that tables, their indexes and the schema occupy.
    pub fn limit_memory(&self, bytes: u64) {
        self.memory.set_limit(bytes, self.memory_size());
    }

    /// The memory that is left of the limit, in bytes; [`u64::MAX`] without a limit.
    pub fn free_memory(&self) -> u64 {
        self.memory.free(|| self.memory_size())
    }

    /// Adds the growth of an index to what is used of the limit.
    pub fn note_growth(&self, bytes: u64) {
        self.memory.note_growth(bytes);
    }

    /// What was found when the store was opened; `None` for a store in memory.
    pub fn recovery(&self) -> Option<&RecoveryReport> {
        self.durable.get().map(|durable| &durable.recovery)
    }

    /// Writes a checkpoint and removes the log before it. `schema` is the whole schema, and the
    /// caller keeps it from changing meanwhile.
    pub fn checkpoint(&self, schema: &[Vec<u8>]) -> Result<(), Error> {
        let Some(durable) = self.durable.get() else { return Ok(()) };
        let logged = durable.logged.load(Ordering::Relaxed);
        let started = {
            // Only the rotation excludes writes, not the copy.
            let _exclusive = self.exclude_writes();
            durable.log.rotate().map(|first| (first, StoreSnapshot::new(&*self.read_tables())))
        };
        let written = started.and_then(|(first, tables)| {
            durable.write_checkpoint(first, schema, &tables)?;
            Ok(first)
        });
        match written {
            Ok(first) => {
                durable.logged.fetch_sub(logged, Ordering::Relaxed);
                durable.due_at.store(CHECKPOINT_THRESHOLD, Ordering::Relaxed);
                durable.log.remove_before(first)
            }
            Err(error) => {
                durable.due_at.store(logged + CHECKPOINT_THRESHOLD, Ordering::Relaxed);
                Err(error)
            }
        }
    }
}

impl Persistence {
    fn append(&self, record: &[u8]) -> Result<(), Error> {
        self.log.enqueue(record)?;
        self.logged.fetch_add(record.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Writes a checkpoint of tables and their schema.
    fn write_checkpoint(
        &self,
        first: SegmentNumber,
        schema: &[Vec<u8>],
        tables: &StoreSnapshot,
    ) -> Result<(), Error> {
        let now = self.clock.now_micros().div_euclid(1_000_000);
        let mut file = CheckpointWriter::create(Arc::clone(&self.disk), &self.folder, first)?;
        for entry in schema {
            file.append(&[&[SCHEMA][..], entry].concat())?;
        }
        let mut record = Vec::new();
        for (id, table) in tables.versions() {
            table.dump(now, |update| {
                record.clear();
                record.push(MUTATIONS);
                record.extend(id.0);
                update.encode(&mut record);
                file.append(&record)
            })?;
        }
        file.finish()
    }
}

/// Refuses a folder without files of ours but with others, which a new store would mix with its own.
fn refuse_foreign_folder(disk: &dyn Disk, folder: &Path) -> Result<(), Error> {
    let names = disk.list(folder)?;
    let is_own = |name: &String| commit_log::is_segment(name) || checkpoint::is_checkpoint(name);
    if names.iter().any(is_own) {
        return Ok(());
    }
    match names.into_iter().next() {
        Some(name) => Err(Error::Foreign { folder: folder.to_owned(), name }),
        None => Ok(()),
    }
}
