//! The segment files of the log: their numbers, names and headers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;
use crate::disk::{Disk, DiskFile};
use crate::record::FileHeader;

/// The first bytes of every segment.
pub(super) const MAGIC: [u8; 8] = *b"HELENLOG";
const PREFIX: &str = "commitlog-";
const SUFFIX: &str = ".log";

/// The number of a segment of the log; later ones have higher numbers, without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentNumber(pub u64);

impl SegmentNumber {
    /// The number of the first segment of a new log.
    pub const FIRST: Self = Self(1);

    /// The number of the following segment.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The path of the segment's file.
    pub(super) fn path(self, folder: &Path) -> PathBuf {
        folder.join(format!("{PREFIX}{:020}{SUFFIX}", self.0))
    }
}

/// Parses the number in the name of a segment.
fn parse_name(name: &str) -> Option<SegmentNumber> {
    let digits = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    digits.parse().ok().filter(|_| digits.len() == 20).map(SegmentNumber)
}

/// Whether a file has the name of a segment.
pub fn is_segment(name: &str) -> bool {
    parse_name(name).is_some()
}

/// The segments of a folder, in order. Other files are ignored.
pub(super) fn list(disk: &dyn Disk, folder: &Path) -> Result<Vec<SegmentNumber>, Error> {
    let names = disk.list(folder)?;
    let mut numbers: Vec<_> = names.iter().filter_map(|name| parse_name(name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Removes the segments before a number.
pub(super) fn remove_before(
    disk: &dyn Disk,
    folder: &Path,
    number: SegmentNumber,
) -> Result<(), Error> {
    let old: Vec<_> = list(disk, folder)?.into_iter().filter(|old| *old < number).collect();
    for old in &old {
        disk.remove(&old.path(folder))?;
    }
    if old.is_empty() { Ok(()) } else { disk.sync_folder(folder) }
}

/// Creates a segment and writes its header. Neither the header nor the name is durable yet.
pub(super) fn create(
    disk: &dyn Disk,
    folder: &Path,
    number: SegmentNumber,
    position: u64,
) -> Result<Arc<dyn DiskFile>, Error> {
    let file = disk.create(&number.path(folder))?;
    file.write_all(&FileHeader::new(number.0, position).to_bytes(MAGIC))?;
    Ok(file)
}
