//! The disk, handed in: files of the machine, files in memory that can crash, and a disk that fails by plan.
//!
//! ```text
//!   write -> the operating system has it: it survives the end of the process
//!   sync  -> the disk has it: it survives the end of the machine's power
//! ```
//!
//! A new name, a new place of a file or the end of one survives only once its folder is synced.

mod faulty;
mod memory;
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

/// The name of the file that stands for the lock of a folder.
const LOCK: &str = "lock";

/// What the commit log and checkpoints need of a disk.
pub trait Disk: Debug + Send + Sync {
    /// Makes a folder, and those above it, readable by its owner only. One that stands already is left as it is.
    fn create_folder(&self, folder: &Path) -> Result<(), Error>;

    /// The names of the files of a folder, in their order.
    fn list(&self, folder: &Path) -> Result<Vec<String>, Error>;

    /// A new empty file; one that stands there already loses its bytes.
    fn create(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error>;

    /// A file that stands already, to write behind its last byte.
    fn append(&self, path: &Path) -> Result<Arc<dyn DiskFile>, Error>;

    /// The bytes of a file from an offset on.
    fn read(&self, path: &Path, offset: u64) -> Result<Box<dyn Read + Send>, Error>;

    /// The length of a file in bytes.
    fn size(&self, path: &Path) -> Result<u64, Error>;

    /// Cuts a file off and syncs it.
    fn truncate(&self, path: &Path, size: u64) -> Result<(), Error>;

    /// Gives a file another name; a file of that name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), Error>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> Result<(), Error>;

    /// Waits until the names in a folder are on the disk.
    fn sync_folder(&self, folder: &Path) -> Result<(), Error>;

    /// Keeps other processes out of a folder for as long as the guard lives.
    fn lock(&self, folder: &Path) -> Result<Box<dyn FolderLock>, Error>;
}

/// A file being written. One thread may write while another syncs.
pub trait DiskFile: Debug + Send + Sync {
    /// Hands bytes to the operating system, behind the last ones; says how many it took, at least one.
    fn write(&self, bytes: &[u8]) -> Result<usize, Error>;

    /// Waits until all bytes written so far are on the disk.
    fn sync(&self) -> Result<(), Error>;

    /// Hands over all bytes.
    fn write_all(&self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            let taken = self.write(bytes)?;
            bytes = bytes.get(taken..).unwrap_or_default();
        }
        Ok(())
    }
}

/// A folder held against other processes; let go when dropped.
pub trait FolderLock: Debug + Send + Sync {}
