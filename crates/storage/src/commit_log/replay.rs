//! What the log holds, read back.

use std::path::Path;

use super::segment::{self, MAGIC, SegmentNumber};
use crate::Error;
use crate::disk::Disk;
use crate::record::{FileHeader, HEADER_BYTES, NextRecord, RecordReader};

/// Where the log ends.
pub(super) struct LogEnd {
    /// The last segment.
    pub(super) number: SegmentNumber,
    /// The position of its first record.
    pub(super) position: u64,
    /// Its length up to the end of its last whole record; none if it has to be made.
    pub(super) size: Option<u64>,
}

/// Hands over the records of all segments from `first` on; those before it are removed.
pub(super) fn replay(
    disk: &dyn Disk,
    folder: &Path,
    first: SegmentNumber,
    each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Result<LogEnd, Error> {
    let mut numbers = segment::list(disk, folder)?;
    numbers.retain(|number| *number >= first);
    if numbers.is_empty() && first == SegmentNumber::FIRST {
        return Ok(LogEnd { number: first, position: 0, size: None });
    }
    let mut expected = first;
    let last = numbers.last().copied();
    // The position that the next segment must start at; the first one that is read sets it.
    let mut position = (first == SegmentNumber::FIRST).then_some(0);
    let mut end = None;
    for number in numbers {
        if number != expected {
            break;
        }
        let file = SegmentReader { disk, folder, number, is_last: Some(number) == last };
        let replayed = file.replay(position, each)?;
        position = replayed.size.map(|size| replayed.position + (size - HEADER_BYTES as u64));
        end = Some(replayed);
        expected = expected.next();
    }
    match end {
        Some(end) if Some(end.number) == last => {
            segment::remove_before(disk, folder, first)?;
            Ok(end)
        }
        _ => Err(Error::corrupt(&expected.path(folder), 0, "the file is missing")),
    }
}

/// A segment to be read.
struct SegmentReader<'a> {
    disk: &'a dyn Disk,
    folder: &'a Path,
    number: SegmentNumber,
    is_last: bool,
}

impl SegmentReader<'_> {
    fn replay(
        &self,
        position: Option<u64>,
        each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<LogEnd, Error> {
        let path = self.number.path(self.folder);
        let size = self.disk.size(&path)?;
        let head = match RecordReader::read_header(self.disk, &path, MAGIC)? {
            Ok(head) => head,
            Err(what) => return self.recover_headless(position, size, what),
        };
        if head.number != self.number.0 {
            let what = format!("it says that it is segment {}", head.number);
            return Err(Error::corrupt(&path, 0, what));
        }
        self.check_position(position, head)?;
        let mut reader =
            RecordReader::new(self.disk, &path, HEADER_BYTES as u64, size, head.position)?;
        loop {
            let offset = reader.offset;
            match reader.next()? {
                NextRecord::Record(payload) => {
                    each(payload).map_err(|error| error.with_location(&path, offset))?;
                }
                NextRecord::End => break,
                NextRecord::Bad(what) if self.is_last => {
                    if reader.find_later_record(self.disk)? {
                        return Err(Error::corrupt(&path, offset, what));
                    }
                    break;
                }
                NextRecord::Bad(what) => return Err(Error::corrupt(&path, offset, what)),
            }
        }
        let (number, size) = (self.number, Some(reader.offset));
        Ok(LogEnd { number, position: head.position, size })
    }

    /// A segment starts where the one before it ends.
    fn check_position(&self, position: Option<u64>, head: FileHeader) -> Result<(), Error> {
        let Some(position) = position.filter(|position| *position != head.position) else {
            return Ok(());
        };
        if self.number == SegmentNumber::FIRST || head.position < position {
            let what =
                format!("it says that it starts at {} of the log, not {position}", head.position);
            return Err(Error::corrupt(&self.number.path(self.folder), 0, what));
        }
        let before = SegmentNumber(self.number.0 - 1).path(self.folder);
        let offset = self.disk.size(&before)?;
        let what = format!("{} bytes are missing at its end", head.position - position);
        Err(Error::corrupt(&before, offset, what))
    }

    /// A crash can leave the last segment without its head, when it had just been made and holds nothing yet.
    fn recover_headless(
        &self,
        position: Option<u64>,
        size: u64,
        what: &'static str,
    ) -> Result<LogEnd, Error> {
        let path = self.number.path(self.folder);
        let refusal = Error::corrupt(&path, 0, what);
        let Some(position) = position.filter(|_| self.is_last) else { return Err(refusal) };
        if size > HEADER_BYTES as u64 {
            let start = HEADER_BYTES as u64;
            let mut reader = RecordReader::new(self.disk, &path, start, size, position)?;
            let begins = matches!(reader.next()?, NextRecord::Record(_));
            if begins || reader.find_later_record(self.disk)? {
                return Err(refusal);
            }
        }
        Ok(LogEnd { number: self.number, position, size: None })
    }
}
