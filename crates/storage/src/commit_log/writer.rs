//! The end of the log: the segment that is being written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::replay::LogEnd;
use super::segment::{self, SegmentNumber};
use crate::Error;
use crate::disk::{Disk, DiskFile};
use crate::record::HEADER_BYTES;

/// Spare memory above this is given back.
const SPARE_MAX: usize = 1 << 20;

/// Writes the current segment.
#[derive(Debug)]
pub(super) struct SegmentWriter {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    segment_size: u64,
    number: SegmentNumber,
    file: Arc<dyn DiskFile>,
    /// Whether the file's name is known to be on the disk.
    is_named: bool,
    /// Bytes in the file.
    size: u64,
    /// The position behind the last record.
    position: u64,
    /// Memory for the next buffer.
    spare: Vec<u8>,
}

impl SegmentWriter {
    /// Goes on where the replay ended; what follows there is cut off.
    pub(super) fn open(
        disk: Arc<dyn Disk>,
        folder: &Path,
        segment_size: u64,
        replayed: &LogEnd,
    ) -> Result<Self, Error> {
        let number = replayed.number;
        let path = number.path(folder);
        let (file, size) = match replayed.size {
            Some(size) => {
                if disk.size(&path)? != size {
                    disk.truncate(&path, size)?;
                }
                (disk.append(&path)?, size)
            }
            None => {
                (segment::create(&*disk, folder, number, replayed.position)?, HEADER_BYTES as u64)
            }
        };
        let position = replayed.position + (size - HEADER_BYTES as u64);
        let (folder, spare) = (folder.to_owned(), Vec::new());
        Ok(Self {
            disk,
            folder,
            segment_size,
            number,
            file,
            is_named: false,
            size,
            position,
            spare,
        })
    }

    /// The position behind the last record that was written.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// What has to be done for all that was written to be on the disk, without holding the writer.
    pub(super) fn pending_sync(&self) -> PendingSync {
        PendingSync {
            disk: self.disk.clone(),
            folder: (!self.is_named).then(|| self.folder.clone()),
            number: self.number,
            file: self.file.clone(),
            position: self.position,
        }
    }

    /// Notes what was done.
    pub(super) fn mark_synced(&mut self, done: &PendingSync) {
        self.is_named |= done.number == self.number;
    }

    /// Where the log is and which segment is being written.
    pub(super) fn location(&self) -> (Arc<dyn Disk>, PathBuf, SegmentNumber) {
        (self.disk.clone(), self.folder.clone(), self.number)
    }

    /// Memory for a buffer.
    pub(super) fn take_spare(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.spare)
    }

    /// Memory that was a buffer.
    pub(super) fn return_spare(&mut self, mut bytes: Vec<u8>) {
        bytes.clear();
        bytes.shrink_to(SPARE_MAX);
        self.spare = bytes;
    }

    /// Writes whole records, into a new segment if the current one would grow too large.
    pub(super) fn write(&mut self, records: &[u8]) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let length = records.len() as u64;
        if self.size > HEADER_BYTES as u64 && self.size + length > self.segment_size {
            self.rotate()?;
        }
        self.file.write_all(records)?;
        self.size += length;
        self.position += length;
        Ok(())
    }

    /// Ends the current segment and starts the next. The old one is on the disk before the new one exists, so that a
    /// crash leaves only the last segment incomplete.
    pub(super) fn rotate(&mut self) -> Result<SegmentNumber, Error> {
        self.pending_sync().run()?;
        let number = self.number.next();
        self.file = segment::create(&*self.disk, &self.folder, number, self.position)?;
        self.is_named = false;
        self.number = number;
        self.size = HEADER_BYTES as u64;
        Ok(number)
    }
}

/// A sync to be done.
pub(super) struct PendingSync {
    disk: Arc<dyn Disk>,
    /// Where the file has a new name.
    folder: Option<PathBuf>,
    number: SegmentNumber,
    file: Arc<dyn DiskFile>,
    /// It makes everything before this position durable.
    pub(super) position: u64,
}

impl PendingSync {
    /// Waits for the disk.
    pub(super) fn run(&self) -> Result<(), Error> {
        self.file.sync()?;
        self.folder.as_ref().map_or(Ok(()), |folder| self.disk.sync_folder(folder))
    }
}
