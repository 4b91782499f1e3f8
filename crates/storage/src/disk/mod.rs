//! [`Disk`]: the file system as a dependency. `system` is the machine's, `memory` a disk in memory
//! that can simulate crashes (`memory_file` is a file of it), `faulty` one that injects faults.
//!
//! ```text
//!   write -> in the operating system's cache: survives a crash of the process
//!   sync  -> on the disk: survives a loss of power
//! ```
//!
//! The creation, renaming or removal of a file survives a loss of power only after its folder was
//! synced.

mod faulty;
mod memory;
mod memory_file;
#[expect(clippy::disallowed_methods, reason = "the real disk")]
mod system;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

pub use faulty::{FaultPlan, FaultyDisk};
pub use memory::MemoryDisk;
pub use system::SystemDisk;

use crate::Error;

/// The name of a folder's lock file.
const LOCK: &str = "lock";

/// The operations that the commit log and checkpoints need.
pub trait Disk: Debug + Send + Sync {
    /// Creates a folder and its parents, accessible by the owner only; an existing folder is left
    /// unchanged.
    fn create_folder(&self, folder: &Path) -> Result<(), Error>;

    /// The names in a folder, sorted, without that of the lock file.
    fn list(&self, folder: &Path) -> Result<Vec<String>, Error>;

    /// The permissions of a folder as the bits of Unix; `None` where there are none.
    fn mode(&self, folder: &Path) -> Result<Option<u32>, Error>;

    /// Creates an empty file, accessible by the owner only; an existing one is truncated.
    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error>;

    /// Opens an existing file to write after its last byte.
    fn append(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error>;

    /// Extends a file with zeros to a size, which is larger than its own, and returns it to be
    /// synced. Files that are being written go on where they were, so that they replace the zeros:
    /// a sync is several times faster then, as it changes neither the size of the file nor which
    /// blocks it has. No other thread may write the file meanwhile.
    ///
    /// A crash may keep any part of what was written over zeros and not synced, and lose the rest.
    fn extend(&self, path: &Path, size: u64) -> Result<Arc<dyn DiskFile>, Error>;

    /// The bytes of a file from an offset on.
    fn read(&self, path: &Path, offset: u64) -> Result<Box<dyn Read + Send>, Error>;

    /// The length of a file in bytes.
    fn size(&self, path: &Path) -> Result<u64, Error>;

    /// Truncates a file to a size and syncs it.
    fn truncate(&self, path: &Path, size: u64) -> Result<(), Error>;

    /// Renames a file; an existing file with the new name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), Error>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> Result<(), Error>;

    /// Syncs the names in a folder.
    fn sync_folder(&self, folder: &Path) -> Result<(), Error>;

    /// Locks a folder against other processes for the lifetime of the guard.
    fn lock(&self, folder: &Path) -> Result<Box<dyn FolderLock>, Error>;
}

/// A file being written. One thread may write while another syncs.
pub trait DiskFile: Debug + Send + Sync {
    /// Writes bytes after those that were written before, and returns how many were written, at
    /// least one.
    fn write(&self, bytes: &[u8]) -> Result<usize, Error>;

    /// Syncs all bytes written so far.
    fn sync(&self) -> Result<(), Error>;

    /// Writes all bytes.
    fn write_all(&self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let written = self.write(bytes)?;
            bytes = bytes.get(written..).unwrap_or_default();
        }
        Ok(())
    }
}

/// The lock of a folder, released on drop.
pub trait FolderLock: Debug + Send + Sync {}
