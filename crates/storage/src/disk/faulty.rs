//! [`FaultyDisk`]: fault injection for tests.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Disk, DiskFile, FolderLock};
use crate::Error;

/// The faults to inject.
#[derive(Clone, Copy, Debug, Default)]
pub struct FaultPlan {
    /// Short writes: no write takes more bytes than this.
    pub write_at_most: Option<usize>,
    /// The write with this number, from 0, writes half of its bytes and fails.
    pub fail_write: Option<u64>,
    /// The sync with this number, from 0, fails, of a file or of a folder.
    pub fail_sync: Option<u64>,
    /// The disk is full after this many bytes.
    pub room: Option<u64>,
    /// Files cannot be extended. Otherwise extensions are none of the writes and syncs that are
    /// counted: a thread in the background extends files, at no certain time.
    pub fail_extension: bool,
}

/// A disk that injects faults and otherwise forwards to another disk.
#[derive(Debug)]
pub struct FaultyDisk {
    disk: Arc<dyn Disk>,
    faults: Arc<FaultState>,
}

#[derive(Debug)]
struct FaultState {
    plan: FaultPlan,
    writes: AtomicU64,
    syncs: AtomicU64,
    written: AtomicU64,
}

impl FaultyDisk {
    /// Wraps a disk.
    pub fn new(disk: Arc<dyn Disk>, plan: FaultPlan) -> Self {
        let zero = || AtomicU64::new(0);
        let faults = FaultState { plan, writes: zero(), syncs: zero(), written: zero() };
        Self { disk, faults: Arc::new(faults) }
    }

    /// The number of syncs so far.
    pub fn syncs(&self) -> u64 {
        self.faults.syncs.load(Ordering::SeqCst)
    }

    fn wrap(&self, path: &Path, file: Arc<dyn DiskFile>) -> Arc<dyn DiskFile> {
        Arc::new(FaultyFile { path: path.to_owned(), file, faults: self.faults.clone() })
    }
}

impl FaultState {
    fn sync(&self, path: &Path) -> Result<(), Error> {
        let number = self.syncs.fetch_add(1, Ordering::SeqCst);
        if self.plan.fail_sync == Some(number) {
            return Err(Error::io(path, io::Error::other("the sync failed, as planned")));
        }
        Ok(())
    }
}

impl Disk for FaultyDisk {
    fn create_folder(&self, folder: &Path) -> Result<(), Error> {
        self.disk.create_folder(folder)
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>, Error> {
        self.disk.list(folder)
    }

    fn mode(&self, folder: &Path) -> Result<Option<u32>, Error> {
        self.disk.mode(folder)
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
        Ok(self.wrap(path, self.disk.create(path)?))
    }

    fn append(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
        Ok(self.wrap(path, self.disk.append(path)?))
    }

    fn extend(&self, path: &Path, size: u64) -> Result<Arc<dyn DiskFile>, Error> {
        let plan = self.faults.plan;
        if plan.fail_extension {
            return Err(Error::io(path, io::Error::other("the extension failed, as planned")));
        }
        let left =
            plan.room.map(|room| room.saturating_sub(self.faults.written.load(Ordering::SeqCst)));
        if left.is_some_and(|left| size > left) {
            return Err(Error::Full { path: path.to_owned() });
        }
        self.disk.extend(path, size)
    }

    fn read(&self, path: &Path, offset: u64) -> Result<Box<dyn Read + Send>, Error> {
        self.disk.read(path, offset)
    }

    fn size(&self, path: &Path) -> Result<u64, Error> {
        self.disk.size(path)
    }

    fn truncate(&self, path: &Path, size: u64) -> Result<(), Error> {
        self.faults.sync(path)?;
        self.disk.truncate(path, size)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Error> {
        self.disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<(), Error> {
        self.disk.remove(path)
    }

    fn sync_folder(&self, folder: &Path) -> Result<(), Error> {
        self.faults.sync(folder)?;
        self.disk.sync_folder(folder)
    }

    fn lock(&self, folder: &Path) -> Result<Box<dyn FolderLock>, Error> {
        self.disk.lock(folder)
    }
}

#[derive(Debug)]
struct FaultyFile {
    path: PathBuf,
    file: Arc<dyn DiskFile>,
    faults: Arc<FaultState>,
}

impl DiskFile for FaultyFile {
    fn write(&self, bytes: &[u8]) -> Result<usize, Error> {
        let plan = self.faults.plan;
        if plan.fail_write == Some(self.faults.writes.fetch_add(1, Ordering::SeqCst)) {
            self.file.write_all(bytes.get(..bytes.len() / 2).unwrap_or_default())?;
            return Err(Error::io(&self.path, io::Error::other("the write failed, as planned")));
        }
        let mut length = bytes.len().min(plan.write_at_most.unwrap_or(usize::MAX).max(1));
        if let Some(room) = plan.room {
            let left = room.saturating_sub(self.faults.written.load(Ordering::SeqCst));
            length = length.min(usize::try_from(left).unwrap_or(usize::MAX));
            if length == 0 && !bytes.is_empty() {
                return Err(Error::Full { path: self.path.clone() });
            }
        }
        self.faults.written.fetch_add(length as u64, Ordering::SeqCst);
        self.file.write_all(bytes.get(..length).unwrap_or_default())?;
        Ok(length)
    }

    fn sync(&self) -> Result<(), Error> {
        self.faults.sync(&self.path)?;
        self.file.sync()
    }
}
