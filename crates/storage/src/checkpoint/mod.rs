//! Checkpoints: the state after the log's older segments in one file, which replaces them.
//!
//! ```text
//!   checkpoint-<first segment to replay after it>.db      header, records, footer (record count)
//! ```
//!
//! A checkpoint is written under a temporary name, synced and then renamed, so that a file with the
//! final name is complete, which the footer confirms. The steps are
//! `CommitLog::rotate`, writing the state,
//! [`CheckpointWriter::finish`] and
//! `CommitLog::remove_before`. A crash between any
//! two of them leaves either the old checkpoint with all of its log, or the new one.

#[cfg(test)]
mod tests;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;
use crate::commit_log::SegmentNumber;
use crate::disk::{Disk, DiskFile};
use crate::record::{
    FileHeader, FlushMark, HEADER_BYTES, NextRecord, RecordChecksums, RecordReader,
};
use crate::replay_pool::{EachRecord, ReplayedRecord};

const MAGIC: [u8; 8] = *b"HELENCKP";
/// The first bytes of the footer; the number of records and a crc32 of both follow.
const FOOTER_MAGIC: [u8; 8] = *b"COMPLETE";
const FOOTER_BYTES: usize = 20;
const PREFIX: &str = "checkpoint-";
const SUFFIX: &str = ".db";
/// The suffix of the name of a checkpoint that is being written.
const TEMPORARY_SUFFIX: &str = ".unfinished";
/// The size of the write buffer.
const WRITE_CHUNK: usize = 256 << 10;

/// Writes a checkpoint, which has no effect until it is finished.
#[derive(Debug)]
pub struct CheckpointWriter {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    first: SegmentNumber,
    file: Arc<dyn DiskFile>,
    buffer: Vec<u8>,
    position: u64,
    count: u64,
    is_finished: bool,
}

impl CheckpointWriter {
    /// Starts a checkpoint after which the log is replayed from segment `first` on.
    pub fn create(disk: Arc<dyn Disk>, folder: &Path, first: SegmentNumber) -> Result<Self, Error> {
        disk.create_folder(folder)?;
        let file = disk.create(&temporary_path(folder, first))?;
        let buffer = FileHeader::new(first.0, 0).to_bytes(MAGIC);
        let folder = folder.to_owned();
        Ok(Self { disk, folder, first, file, buffer, position: 0, count: 0, is_finished: false })
    }

    /// Appends a record.
    pub fn append(&mut self, payload: &[u8]) -> Result<(), Error> {
        self.position = RecordChecksums::for_payload(payload)?.append(
            payload,
            FlushMark::Unknown,
            self.position,
            &mut self.buffer,
        );
        self.count += 1;
        if self.buffer.len() >= WRITE_CHUNK { self.write() } else { Ok(()) }
    }

    /// Makes the checkpoint durable under its final name, and removes older ones.
    pub fn finish(mut self) -> Result<(), Error> {
        self.buffer.extend(footer(self.count));
        self.write()?;
        self.file.sync()?;
        let path = path(&self.folder, self.first);
        self.disk.rename(&temporary_path(&self.folder, self.first), &path)?;
        self.is_finished = true;
        self.disk.sync_folder(&self.folder)?;
        remove_all_but(&*self.disk, &self.folder, Some(self.first))
    }

    fn write(&mut self) -> Result<(), Error> {
        self.file.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl Drop for CheckpointWriter {
    /// Removes a checkpoint that failed, whose bytes a full disk needs; best effort.
    fn drop(&mut self) {
        if !self.is_finished {
            let _ = self.disk.remove(&temporary_path(&self.folder, self.first));
        }
    }
}

/// Passes the records of a folder's newest checkpoint to `each` in order, removes unfinished and
/// older checkpoints, and returns the segment to replay the log from.
pub fn load(
    disk: &dyn Disk,
    folder: &Path,
    each: &mut EachRecord<'_>,
) -> Result<SegmentNumber, Error> {
    disk.create_folder(folder)?;
    let newest = disk.list(folder)?.iter().filter_map(|name| parse_name(name)).max();
    if let Some(first) = newest {
        read(disk, &path(folder, first), first, each)?;
    }
    remove_all_but(disk, folder, newest)?;
    Ok(newest.unwrap_or(SegmentNumber::FIRST))
}

fn read(
    disk: &dyn Disk,
    path: &Path,
    first: SegmentNumber,
    each: &mut EachRecord<'_>,
) -> Result<(), Error> {
    let header = RecordReader::read_header(disk, path, MAGIC)?;
    let header = header.map_err(|fault| fault.into_error(path))?;
    if header.number != first.0 {
        let what = format!("the file header is of checkpoint {}", header.number);
        return Err(Error::corrupt(path, 0, what));
    }
    let (end, expected) = read_footer(disk, path)?;
    let mut reader = RecordReader::new(disk, path, HEADER_BYTES as u64, end, header.position)?;
    let mut count = 0;
    loop {
        let offset = reader.offset;
        match reader.next()? {
            NextRecord::Record(payload) => {
                let record = ReplayedRecord { payload, file: path, offset };
                each(record).map_err(|error| error.with_location(path, offset))?;
            }
            NextRecord::End => break,
            NextRecord::Bad(what) => return Err(Error::corrupt(path, offset, what)),
        }
        count += 1;
    }
    if count != expected {
        let what = format!("the file has {count} records instead of {expected}");
        return Err(Error::corrupt(path, end, what));
    }
    Ok(())
}

fn footer(count: u64) -> Vec<u8> {
    let mut out = FOOTER_MAGIC.to_vec();
    out.extend(count.to_be_bytes());
    out.extend(crc32fast::hash(&out).to_be_bytes());
    out
}

/// The offset of the footer, and the number of records in it.
fn read_footer(disk: &dyn Disk, path: &Path) -> Result<(u64, u64), Error> {
    let size = disk.size(path)?;
    let missing = |offset| Error::corrupt(path, offset, "the file footer is missing");
    let start = size.checked_sub(FOOTER_BYTES as u64).filter(|start| *start >= HEADER_BYTES as u64);
    let start = start.ok_or_else(|| missing(size))?;
    let mut bytes = [0; FOOTER_BYTES];
    let read = disk.read(path, start)?.read_exact(&mut bytes);
    read.map_err(|error| Error::io(path, error))?;
    let count = bytes.get(8..).and_then(|rest| rest.first_chunk());
    let count = count.map_or(0, |count| u64::from_be_bytes(*count));
    if footer(count) == bytes { Ok((start, count)) } else { Err(missing(start)) }
}

fn path(folder: &Path, first: SegmentNumber) -> PathBuf {
    folder.join(format!("{PREFIX}{:020}{SUFFIX}", first.0))
}

fn temporary_path(folder: &Path, first: SegmentNumber) -> PathBuf {
    folder.join(format!("{PREFIX}{:020}{SUFFIX}{TEMPORARY_SUFFIX}", first.0))
}

/// Parses the number in the name of a finished checkpoint.
fn parse_name(name: &str) -> Option<SegmentNumber> {
    let digits = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    digits.parse().ok().filter(|_| digits.len() == 20).map(SegmentNumber)
}

/// Whether a file has the name of a checkpoint, finished or not.
pub(crate) fn is_checkpoint(name: &str) -> bool {
    parse_name(name.strip_suffix(TEMPORARY_SUFFIX).unwrap_or(name)).is_some()
}

/// Removes all checkpoints except a finished one.
fn remove_all_but(
    disk: &dyn Disk,
    folder: &Path,
    kept: Option<SegmentNumber>,
) -> Result<(), Error> {
    let mut removed = false;
    for name in disk.list(folder)? {
        let finished = name.strip_suffix(TEMPORARY_SUFFIX).is_none();
        let number = parse_name(name.strip_suffix(TEMPORARY_SUFFIX).unwrap_or(&name));
        if number.is_some() && !(finished && number == kept) {
            disk.remove(&folder.join(name))?;
            removed = true;
        }
    }
    if removed { disk.sync_folder(folder) } else { Ok(()) }
}
