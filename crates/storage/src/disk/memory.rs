//! [`MemoryDisk`]: files in memory, with the state that a crash would leave.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::memory_file::{FileBytes, TornWrites};
use super::{Disk, DiskFile, FolderLock};
use crate::Error;

/// A disk in memory; clones share its state.
#[derive(Clone, Debug, Default)]
pub struct MemoryDisk {
    state: Arc<Mutex<DiskState>>,
}

#[derive(Debug, Default)]
struct DiskState {
    folders: BTreeSet<PathBuf>,
    /// The files by name.
    names: BTreeMap<PathBuf, SharedFile>,
    /// The files by name after a crash: the names at the last sync of their folder.
    synced_names: BTreeMap<PathBuf, SharedFile>,
    locked: BTreeSet<PathBuf>,
}

type SharedFile = Arc<Mutex<FileBytes>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemoryDisk {
    /// An empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// A copy of the disk after a loss of power: only what was synced. This disk is unchanged.
    #[must_use]
    pub fn crash(&self) -> Self {
        self.crash_with(None)
    }

    /// A copy of the disk after a crash of the process: everything that was written, with its state
    /// of sync, and without locks.
    #[must_use]
    pub fn kill(&self) -> Self {
        let state = lock(&self.state);
        // A file that was renamed and not synced has two names here and must stay one file.
        let mut copies: BTreeMap<*const Mutex<FileBytes>, SharedFile> = BTreeMap::new();
        let mut copy = |names: &BTreeMap<PathBuf, SharedFile>| {
            let mut copied = BTreeMap::new();
            for (path, file) in names {
                let fresh = || Arc::new(Mutex::new(lock(file).clone()));
                let file = copies.entry(Arc::as_ptr(file)).or_insert_with(fresh);
                copied.insert(path.clone(), file.clone());
            }
            copied
        };
        let (names, synced_names) = (copy(&state.names), copy(&state.synced_names));
        let (folders, locked) = (state.folders.clone(), BTreeSet::new());
        Self { state: Arc::new(Mutex::new(DiskState { folders, names, synced_names, locked })) }
    }

    /// A copy of the disk after a loss of power with torn writes: each file keeps a random prefix of
    /// the bytes by which writes have made it longer, and a random part of what replaced zeros.
    #[must_use]
    pub fn crash_torn(&self, seed: u64) -> Self {
        self.crash_with(Some(&mut TornWrites::new(seed)))
    }

    /// Flips bits of a byte, as a failing disk does; `false` if there is no such byte.
    pub fn damage(&self, path: &Path, offset: u64, bits: u8) -> bool {
        let state = lock(&self.state);
        let Some(file) = state.names.get(path) else { return false };
        let Ok(offset) = usize::try_from(offset) else { return false };
        lock(file).damage(offset, bits)
    }

    fn crash_with(&self, mut torn: Option<&mut TornWrites>) -> Self {
        let state = lock(&self.state);
        let mut names = BTreeMap::new();
        for (path, file) in &state.synced_names {
            let survivor = lock(file).crash(torn.as_deref_mut());
            names.insert(path.clone(), Arc::new(Mutex::new(survivor)));
        }
        Self::from_names(&state, names)
    }

    fn from_names(state: &DiskState, names: BTreeMap<PathBuf, SharedFile>) -> Self {
        let state = DiskState {
            folders: state.folders.clone(),
            synced_names: names.clone(),
            names,
            locked: BTreeSet::new(),
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    fn find(&self, path: &Path) -> Result<SharedFile, Error> {
        lock(&self.state).names.get(path).cloned().ok_or_else(|| not_found(path))
    }
}

fn not_found(path: &Path) -> Error {
    Error::io(path, io::ErrorKind::NotFound.into())
}

impl Disk for MemoryDisk {
    fn create_folder(&self, folder: &Path) -> Result<(), Error> {
        lock(&self.state).folders.insert(folder.to_owned());
        Ok(())
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>, Error> {
        let state = lock(&self.state);
        if !state.folders.contains(folder) {
            return Err(not_found(folder));
        }
        let inside = state.names.keys().filter(|path| path.parent() == Some(folder));
        let names = inside.filter_map(|path| path.file_name());
        Ok(names.map(|name| name.to_string_lossy().into_owned()).collect())
    }

    fn mode(&self, _folder: &Path) -> Result<Option<u32>, Error> {
        Ok(None)
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
        let mut state = lock(&self.state);
        if !path.parent().is_some_and(|folder| state.folders.contains(folder)) {
            return Err(not_found(path));
        }
        let file = SharedFile::default();
        state.names.insert(path.to_owned(), file.clone());
        Ok(Arc::new(MemoryFile { file, end: Mutex::new(0) }))
    }

    fn append(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
        let file = self.find(path)?;
        let end = Mutex::new(lock(&file).bytes().len());
        Ok(Arc::new(MemoryFile { file, end }))
    }

    fn extend(&self, path: &Path, size: u64) -> Result<Arc<dyn DiskFile>, Error> {
        let file = self.find(path)?;
        lock(&file).extend(usize::try_from(size).unwrap_or(usize::MAX));
        self.append(path)
    }

    fn read(&self, path: &Path, offset: u64) -> Result<Box<dyn Read + Send>, Error> {
        let mut cursor = Cursor::new(lock(&*self.find(path)?).bytes().to_vec());
        cursor.set_position(offset);
        Ok(Box::new(cursor))
    }

    fn size(&self, path: &Path) -> Result<u64, Error> {
        Ok(lock(&*self.find(path)?).bytes().len() as u64)
    }

    fn truncate(&self, path: &Path, size: u64) -> Result<(), Error> {
        let file = self.find(path)?;
        lock(&file).truncate(usize::try_from(size).unwrap_or(usize::MAX));
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Error> {
        let mut state = lock(&self.state);
        let file = state.names.remove(from).ok_or_else(|| not_found(from))?;
        state.names.insert(to.to_owned(), file);
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<(), Error> {
        lock(&self.state).names.remove(path).map(drop).ok_or_else(|| not_found(path))
    }

    fn sync_folder(&self, folder: &Path) -> Result<(), Error> {
        let mut state = lock(&self.state);
        let inside = |path: &Path| path.parent() == Some(folder);
        let now = state.names.iter().filter(|(path, _)| inside(path));
        let now: Vec<_> = now.map(|(path, file)| (path.clone(), file.clone())).collect();
        state.synced_names.retain(|path, _| !inside(path));
        state.synced_names.extend(now);
        Ok(())
    }

    fn lock(&self, folder: &Path) -> Result<Box<dyn FolderLock>, Error> {
        if !lock(&self.state).locked.insert(folder.to_owned()) {
            return Err(Error::Locked { path: folder.to_owned() });
        }
        Ok(Box::new(MemoryFolderLock { disk: self.clone(), folder: folder.to_owned() }))
    }
}

#[derive(Debug)]
struct MemoryFile {
    file: SharedFile,
    /// Where the next bytes go.
    end: Mutex<usize>,
}

impl DiskFile for MemoryFile {
    fn write(&self, bytes: &[u8]) -> Result<usize, Error> {
        let mut end = lock(&self.end);
        lock(&self.file).write(*end, bytes);
        *end += bytes.len();
        Ok(bytes.len())
    }

    fn sync(&self) -> Result<(), Error> {
        lock(&self.file).sync();
        Ok(())
    }
}

#[derive(Debug)]
struct MemoryFolderLock {
    disk: MemoryDisk,
    folder: PathBuf,
}

impl FolderLock for MemoryFolderLock {}

impl Drop for MemoryFolderLock {
    fn drop(&mut self) {
        lock(&self.disk.state).locked.remove(&self.folder);
    }
}
