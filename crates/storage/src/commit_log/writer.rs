//! [`SegmentWriter`]: writes the last segment of the log and starts the next one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::extension::SegmentExtension;
use super::replay::LogEnd;
use super::segment::{self, SegmentNumber};
use crate::Error;
use crate::disk::{Disk, DiskFile};
use crate::format_version::VERSION;
use crate::record::HEADER_BYTES;

/// The spare buffer is shrunk to this capacity.
const SPARE_MAX: usize = 1 << 20;

/// Writes the last segment of the log.
#[derive(Debug)]
pub(super) struct SegmentWriter {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    segment_size: u64,
    number: SegmentNumber,
    file: Arc<dyn DiskFile>,
    /// Whether the file's name is known to be durable, that is, its folder was synced.
    is_named: bool,
    /// The bytes of the header and the records in the file.
    size: u64,
    /// The zeros after them.
    extension: SegmentExtension,
    /// The position after the last record.
    position: u64,
    /// An empty vector whose capacity the next log buffer reuses.
    spare: Vec<u8>,
}

impl SegmentWriter {
    /// Continues after the last valid record and cuts off what follows it. A segment in an older
    /// format is not continued.
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
        let mut writer = Self {
            disk,
            folder,
            segment_size,
            number,
            file,
            is_named: false,
            size,
            extension: SegmentExtension::new(position),
            position,
            spare,
        };
        if replayed.version != VERSION {
            writer.rotate()?;
        }
        Ok(writer)
    }

    /// The position after the last record that was written.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// A sync of everything written so far, which can run without the writer's lock.
    pub(super) fn pending_sync(&self) -> PendingSync {
        PendingSync {
            disk: self.disk.clone(),
            folder: (!self.is_named).then(|| self.folder.clone()),
            number: self.number,
            file: self.file.clone(),
            position: self.position,
        }
    }

    /// Records that a sync has run.
    pub(super) fn mark_synced(&mut self, done: &PendingSync) {
        self.is_named |= done.number == self.number;
    }

    /// The disk and folder of the log, and the number of the last segment.
    pub(super) fn location(&self) -> (Arc<dyn Disk>, PathBuf, SegmentNumber) {
        (self.disk.clone(), self.folder.clone(), self.number)
    }

    /// Takes the spare buffer.
    pub(super) fn take_spare(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.spare)
    }

    /// Returns a buffer for reuse.
    pub(super) fn return_spare(&mut self, mut bytes: Vec<u8>) {
        bytes.clear();
        bytes.shrink_to(SPARE_MAX);
        self.spare = bytes;
    }

    /// Writes whole records, to a new segment if the last one would exceed its size. Records never
    /// span two segments.
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

    /// Decides how far the segment is to be extended with zeros; [`Self::extend`] does it. Nothing
    /// is written to the file but appended before its header was synced: it is the first to be on
    /// the disk.
    pub(super) fn plan_extension(&mut self) {
        if self.is_named {
            self.extension.plan(self.size, self.position, self.segment_size);
        }
    }

    /// Extends the segment by a step and returns a file to be synced; `None` when it is done, or the
    /// disk refuses.
    pub(super) fn extend(&mut self) -> Option<Arc<dyn DiskFile>> {
        let end = self.extension.next_step(self.size)?;
        let file = self.disk.extend(&self.number.path(&self.folder), end);
        self.extension.advance(end);
        if file.is_err() {
            self.extension.give_up();
        }
        file.ok()
    }

    /// Cuts off the zeros after the records.
    pub(super) fn remove_zeros(&mut self) -> Result<(), Error> {
        if !self.extension.has_zeros(self.size) {
            return Ok(());
        }
        self.disk.truncate(&self.number.path(&self.folder), self.size)
    }

    /// Ends the last segment and starts the next. The old one is synced before the new one is
    /// created, so that a crash can only leave the last segment incomplete; replay depends on this.
    pub(super) fn rotate(&mut self) -> Result<SegmentNumber, Error> {
        self.pending_sync().run()?;
        self.remove_zeros()?;
        self.extension.reset();
        let number = self.number.next();
        self.file = segment::create(&*self.disk, &self.folder, number, self.position)?;
        self.is_named = false;
        self.number = number;
        self.size = HEADER_BYTES as u64;
        Ok(number)
    }
}

/// A sync that has not run yet.
pub(super) struct PendingSync {
    disk: Arc<dyn Disk>,
    /// The folder, if it must be synced because the file is new.
    folder: Option<PathBuf>,
    number: SegmentNumber,
    file: Arc<dyn DiskFile>,
    /// Everything before this position is durable afterwards.
    pub(super) position: u64,
}

impl PendingSync {
    /// Syncs the file, and the folder if the file is new.
    pub(super) fn run(&self) -> Result<(), Error> {
        self.file.sync()?;
        self.folder.as_ref().map_or(Ok(()), |folder| self.disk.sync_folder(folder))
    }
}
