//! All tables of a node, and the log that makes their writes durable.
//!
//! A write is one record of the log, then it goes into its tables. A checkpoint is everything that the tables hold, so that
//! the log before it is not needed any more: it begins with a new segment, when no write is between log and table, and is
//! written while others write on. What they write it may hold or not; the log has it in any case, and writes may come twice.

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

/// Records begin with what they are.
const MUTATIONS: u8 = 1;
const SCHEMA: u8 = 2;
const TRUNCATION: u8 = 3;

/// A checkpoint is due when the log has grown by so much, or by as much as the tables hold.
const CHECKPOINT_THRESHOLD: u64 = 256 << 20;

/// The tables.
#[derive(Debug, Default)]
pub struct Store {
    tables: RwLock<HashMap<TableId, Arc<Memtable>>>,
    durable: OnceLock<Persistence>,
    /// Held by writers from the log to the table.
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

/// Takes the schema's entries back, in order, when a store is opened.
pub type SchemaReplay<'a> = dyn FnMut(&Store, &[u8]) -> Result<(), Error> + 'a;

/// The folder that a store keeps its bytes in.
#[derive(Clone, Debug)]
pub struct DataDirectory {
    /// The disk.
    pub disk: Arc<dyn Disk>,
    /// The folder.
    pub folder: PathBuf,
    /// How the log is kept.
    pub log: LogOptions,
}

impl Store {
    /// Tables that live as long as the process.
    pub fn new_in_memory() -> Self {
        Self::default()
    }

    /// Opens the tables of a folder, or starts with none. Everything about the schema is handed back, in order: it must
    /// bring the tables into the store before their rows come.
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
                    let mutation =
                        decode_mutation(&mut reader).ok_or_else(|| unreadable("a broken write"))?;
                    self.apply_to_tables(std::slice::from_ref(&mutation));
                }
                Ok(())
            }
            Some((&SCHEMA, entry)) => schema(self, entry),
            Some((&TRUNCATION, id)) => {
                let id = id.try_into().map_err(|_| unreadable("a broken truncation"))?;
                if let Some(table) = self.table(&TableId(id)) {
                    table.clear();
                }
                Ok(())
            }
            _ => Err(unreadable("a record of no known kind")),
        }
    }

    /// The table of that id.
    pub fn table(&self, id: &TableId) -> Option<Arc<Memtable>> {
        self.read_tables().get(id).cloned()
    }

    fn read_tables(&self) -> RwLockReadGuard<'_, HashMap<TableId, Arc<Memtable>>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_tables(&self) -> RwLockWriteGuard<'_, HashMap<TableId, Arc<Memtable>>> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a new table.
    pub fn add_table(&self, id: TableId, table: Arc<Memtable>) {
        self.write_tables().insert(id, table);
    }

    /// Forgets a table and its rows.
    pub fn drop_table(&self, id: &TableId) {
        self.write_tables().remove(id);
    }

    /// Writes, all or nothing in the log. Updates of tables that are gone are left out.
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

    /// Makes something about the schema durable.
    pub fn record_schema(&self, entry: &[u8]) -> Result<(), Error> {
        let Some(durable) = self.durable.get() else { return Ok(()) };
        durable.append(&[&[SCHEMA][..], entry].concat())?;
        // A schema that a client was told of must not be lost with the power.
        durable.log.sync()
    }

    /// Removes all rows of a table. No write is under way meanwhile: one that the log has after this stays.
    pub fn truncate(&self, id: &TableId) -> Result<(), Error> {
        let _alone = self.writing.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(durable) = self.durable.get() {
            durable.append(&[&[TRUNCATION][..], &id.0].concat())?;
        }
        if let Some(table) = self.table(id) {
            table.clear();
        }
        Ok(())
    }

    /// Waits until everything written so far is on the disk.
    pub fn sync(&self) -> Result<(), Error> {
        self.durable.get().map_or(Ok(()), |durable| durable.log.sync())
    }

    /// The log, for the thread that keeps it moving; none in memory.
    pub fn log(&self) -> Option<&CommitLog> {
        self.durable.get().map(|durable| &durable.log)
    }

    /// The folder; none in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.durable.get().map(|durable| &*durable.folder)
    }

    /// Whether so much was logged that a checkpoint is worth it.
    pub fn is_checkpoint_due(&self) -> bool {
        let Some(durable) = self.durable.get() else { return false };
        let held: usize = self.read_tables().values().map(|table| table.byte_size()).sum();
        durable.logged.load(Ordering::Relaxed) > CHECKPOINT_THRESHOLD.max(held as u64)
    }

    /// Writes a checkpoint and removes the log before it. The schema must not change meanwhile: `schema` is all of it.
    pub fn checkpoint(&self, schema: &[Vec<u8>]) -> Result<(), Error> {
        let Some(durable) = self.durable.get() else { return Ok(()) };
        let first = {
            let _alone = self.writing.write().unwrap_or_else(PoisonError::into_inner);
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
