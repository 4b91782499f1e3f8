//! [`SystemDisk`]: the file system of the machine.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Disk, DiskFile, FolderLock, LOCK};
use crate::Error;

/// What is written at once when a file is extended.
static ZEROS: [u8; 64 << 10] = [0; 64 << 10];

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn create_folder(&self, folder: &Path) -> Result<(), Error> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|error| Error::io(folder, error))
    }

    fn list(&self, folder: &Path) -> Result<Vec<String>, Error> {
        let wrap = |error| Error::io(folder, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(wrap)? {
            let name = entry.map_err(wrap)?.file_name().to_string_lossy().into_owned();
            if name != LOCK {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn mode(&self, folder: &Path) -> Result<Option<u32>, Error> {
        #[cfg(unix)]
        let mode = {
            let data = fs::metadata(folder).map_err(|error| Error::io(folder, error))?;
            Some(std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o777)
        };
        #[cfg(not(unix))]
        let mode = None;
        Ok(mode)
    }

    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
        open(path, private_file().truncate(true))
    }

    fn append(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
        open_at_end(path)
    }

    fn extend(&self, path: &Path, size: u64) -> Result<Arc<dyn DiskFile>, Error> {
        // A file of its own has its own place to write, and its own errors of syncs: it takes none
        // away from the file that is being written.
        let file = open_at_end(path)?;
        let mut left = size.saturating_sub(self.size(path)?);
        while left > 0 {
            let count = left.min(ZEROS.len() as u64);
            file.write_all(ZEROS.get(..usize::try_from(count).unwrap_or(0)).unwrap_or_default())?;
            left -= count;
        }
        Ok(file)
    }

    fn read(&self, path: &Path, offset: u64) -> Result<Box<dyn Read + Send>, Error> {
        let wrap = |error| Error::io(path, error);
        let mut file = File::open(path).map_err(wrap)?;
        file.seek(SeekFrom::Start(offset)).map_err(wrap)?;
        Ok(Box::new(file))
    }

    fn size(&self, path: &Path) -> Result<u64, Error> {
        fs::metadata(path).map(|data| data.len()).map_err(|error| Error::io(path, error))
    }

    fn truncate(&self, path: &Path, size: u64) -> Result<(), Error> {
        let cut = || {
            let file = OpenOptions::new().write(true).open(path)?;
            file.set_len(size)?;
            file.sync_all()
        };
        cut().map_err(|error| Error::io(path, error))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<(), Error> {
        fs::rename(from, to).map_err(|error| Error::io(from, error))
    }

    fn remove(&self, path: &Path) -> Result<(), Error> {
        fs::remove_file(path).map_err(|error| Error::io(path, error))
    }

    fn sync_folder(&self, folder: &Path) -> Result<(), Error> {
        // On other systems a folder cannot be opened as a file, and names need no sync.
        if cfg!(unix) {
            let synced = File::open(folder).and_then(|folder| folder.sync_all());
            return synced.map_err(|error| Error::io(folder, error));
        }
        Ok(())
    }

    fn lock(&self, folder: &Path) -> Result<Box<dyn FolderLock>, Error> {
        let path = folder.join(LOCK);
        let opened = private_file().truncate(false).open(&path);
        let file = opened.map_err(|error| Error::io(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Box::new(LockFile { _file: file })),
            Err(TryLockError::WouldBlock) => Err(Error::Locked { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(Error::io(&path, error)),
        }
    }
}

/// The options of a file that only its owner may access.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn open(path: &Path, options: &OpenOptions) -> Result<Arc<dyn DiskFile>, Error> {
    let file = options.open(path).map_err(|error| Error::io(path, error))?;
    Ok(Arc::new(SystemFile { path: path.to_owned(), file }))
}

/// Opens a file to write after its present end. The mode of operating systems for appending would
/// always write after the end at that time, behind the zeros of [`Disk::extend`].
fn open_at_end(path: &Path) -> Result<Arc<dyn DiskFile>, Error> {
    let wrap = |error| Error::io(path, error);
    let mut file = OpenOptions::new().write(true).open(path).map_err(wrap)?;
    file.seek(SeekFrom::End(0)).map_err(wrap)?;
    Ok(Arc::new(SystemFile { path: path.to_owned(), file }))
}

#[derive(Debug)]
struct SystemFile {
    path: PathBuf,
    file: File,
}

impl DiskFile for SystemFile {
    fn write(&self, bytes: &[u8]) -> Result<usize, Error> {
        loop {
            match (&self.file).write(bytes) {
                Ok(0) if !bytes.is_empty() => return Err(Error::Full { path: self.path.clone() }),
                Ok(written) => return Ok(written),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&self.path, error)),
            }
        }
    }

    fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(|error| Error::io(&self.path, error))
    }
}

/// A locked file. The operating system releases the lock when the file is closed, however the
/// process ends.
#[derive(Debug)]
struct LockFile {
    _file: File,
}

impl FolderLock for LockFile {}
