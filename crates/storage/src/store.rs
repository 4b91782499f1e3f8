//! [`Store`]: all tables of a node, and the log and checkpoints that make their writes durable.
//!
//! A write is appended to the log as one record, then merged into its tables. A checkpoint is a
//! copy of all tables, after which the log before it can be removed. It is written while writes go
//! on (a fuzzy checkpoint): it starts with a new segment at a moment when no write is between the
//! log and the tables, so everything in older segments is in the tables that are then copied.
//! Writes after that moment are in the new segments, and may or may not be in the copy. Recovery
//! may therefore apply them twice, which is harmless, as the merge is idempotent (see `partition`).
//!
//! The exception is TRUNCATE, which is not idempotent: replayed on a copy that was made after it,
//! it would remove later writes. But the log holds these writes behind it, and replay applies them
//! again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use cql::TableId;

use crate::checkpoint::{self, CheckpointWriter};
use crate::clock::Clock;
use crate::commit_log::{CommitLog, LogOptions};
use crate::disk::{Disk, FolderLock};
use crate::error::Error;
use crate::memtable::Memtable;
use crate::row::bytes::Reader;
use crate::update::{Mutation, PartitionUpdate};

/// The kinds of records, as their first byte.
const MUTATIONS: u8 = 1;
const SCHEMA: u8 = 2;
const TRUNCATION: u8 = 3;

/// A checkpoint is due when the log has grown by this many bytes, but not before it has grown by
/// the size of the tables: that bounds both the replay and the share of checkpoints in all bytes
/// written.
const CHECKPOINT_THRESHOLD: u64 = 256 << 20;

/// The tables of a node, durable or in memory only.
#[derive(Debug, Default)]
pub struct Store {
    tables: RwLock<HashMap<TableId, Arc<Memtable>>>,
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
    logged: AtomicU64,
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
        directory.disk.create_folder(&directory.folder)?;
        let lock = directory.disk.lock(&directory.folder)?;
        let store = Self::default();
        let mut replay = |record: &[u8]| store.replay_record(record, schema);
        let first = checkpoint::load(&*directory.disk, &directory.folder, &mut replay)?;
        let log = CommitLog::open(
            Arc::clone(&directory.disk),
            Arc::clone(&clock),
            &directory.folder,
            directory.log,
            first,
            &mut replay,
        )?;
        let durable = Persistence {
            log,
            disk: Arc::clone(&directory.disk),
            folder: directory.folder.clone(),
            clock,
            logged: AtomicU64::new(0),
            _lock: lock,
        };
        let _ = store.durable.set(durable);
        Ok(store)
    }

    fn replay_record(&self, record: &[u8], schema: &mut SchemaReplay<'_>) -> Result<(), Error> {
        let unreadable = |what: &str| Error::Unreadable { what: what.to_owned() };
        match record.split_first() {
            Some((&MUTATIONS, rest)) => {
                let mut reader = Reader::new(rest);
                while !reader.is_empty() {
                    let mutation = decode_mutation(&mut reader)
                        .ok_or_else(|| unreadable("invalid mutation"))?;
                    self.apply_to_tables(std::slice::from_ref(&mutation));
                }
                Ok(())
            }
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
    /// Mutations of tables that were dropped are skipped.
    pub fn apply(&self, mutations: &[Mutation]) -> Result<(), Error> {
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

    /// Logs a schema change and syncs the log.
    pub fn record_schema(&self, entry: &[u8]) -> Result<(), Error> {
        let Some(durable) = self.durable.get() else { return Ok(()) };
        durable.append(&[&[SCHEMA][..], entry].concat())?;
        // Periodic sync may lose acknowledged writes with the power, but not a schema change:
        // clients act on it, and rows of a lost table could not be replayed.
        durable.log.sync()
    }

    /// Removes all rows of a table. Writes are excluded meanwhile, so that the log and the table
    /// have them in the same order relative to the truncation.
    pub fn truncate(&self, id: &TableId) -> Result<(), Error> {
        let _exclusive = self.writing.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(durable) = self.durable.get() {
            durable.append(&[&[TRUNCATION][..], &id.0].concat())?;
        }
        if let Some(table) = self.table(id) {
            table.clear();
        }
        Ok(())
    }

    /// Syncs the log: everything written so far survives a crash.
    pub fn sync(&self) -> Result<(), Error> {
        self.durable.get().map_or(Ok(()), |durable| durable.log.sync())
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
        let held: usize = self.read_tables().values().map(|table| table.byte_size()).sum();
        durable.logged.load(Ordering::Relaxed) > CHECKPOINT_THRESHOLD.max(held as u64)
    }

    /// Writes a checkpoint and removes the log before it. `schema` is the whole schema, and the
    /// caller keeps it from changing meanwhile.
    pub fn checkpoint(&self, schema: &[Vec<u8>]) -> Result<(), Error> {
        let Some(durable) = self.durable.get() else { return Ok(()) };
        let first = {
            // Only the rotation excludes writes, not the copy.
            let _exclusive = self.writing.write().unwrap_or_else(PoisonError::into_inner);
            durable.logged.store(0, Ordering::Relaxed);
            durable.log.rotate()?
        };
        let tables: Vec<_> =
            self.read_tables().iter().map(|(id, table)| (*id, Arc::clone(table))).collect();
        let now = durable.clock.now_micros().div_euclid(1_000_000);
        let mut file = CheckpointWriter::create(Arc::clone(&durable.disk), &durable.folder, first)?;
        for entry in schema {
            file.append(&[&[SCHEMA][..], entry].concat())?;
        }
        for (id, table) in &tables {
            table.dump(now, |update| {
                let mut record = vec![MUTATIONS];
                record.extend(id.0);
                update.encode(&mut record);
                file.append(&record)
            })?;
        }
        file.finish()?;
        durable.log.remove_before(first)
    }
}

impl Persistence {
    fn append(&self, record: &[u8]) -> Result<(), Error> {
        self.log.append(record)?;
        self.logged.fetch_add(record.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

fn decode_mutation(reader: &mut Reader<'_>) -> Option<Mutation> {
    let table = TableId(reader.take(16)?.try_into().ok()?);
    Some(Mutation { table, update: PartitionUpdate::decode(reader)? })
}
