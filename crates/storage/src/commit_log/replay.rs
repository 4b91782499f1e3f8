//! Replay: reads the segments of the log in order and finds the end of the log.
//!
//! A crash may leave the last segment with a torn write at its end, or without a complete header.
//! Both are cut off: nothing of them was ever acknowledged. So are the zeros with which a segment
//! was extended; they alone are no cause for a warning. Everything else is damage to records that
//! may have been acknowledged, and is refused: a bad record that records of a later write follow, a
//! bad record in an earlier segment (which was synced and cut off at its end before its successor
//! was created), a missing segment, and a segment that does not start at the position where its
//! predecessor ends.

use std::path::Path;

use super::segment::{self, MAGIC, SegmentNumber};
use crate::Error;
use crate::disk::Disk;
use crate::format_version::VERSION;
use crate::record::{FileHeader, FileTail, HEADER_BYTES, HeaderFault, NextRecord, RecordReader};
use crate::recovery::{RecoveryReport, RecoveryWarning};
use crate::replay_pool::{EachRecord, ReplayedRecord};

/// The end of the log.
pub(super) struct LogEnd {
    /// The number of the last segment.
    pub(super) number: SegmentNumber,
    /// The position of its first record.
    pub(super) position: u64,
    /// Its length up to the end of its last valid record; `None` if it must be created.
    pub(super) size: Option<u64>,
    /// The offset after what a crash left of a write, at least the size.
    pub(super) torn_end: u64,
    /// The version of its format.
    pub(super) version: u32,
}

impl LogEnd {
    /// The end of a segment that must be created.
    fn create(number: SegmentNumber, position: u64, torn_end: u64) -> Self {
        Self { number, position, size: None, torn_end, version: VERSION }
    }
}

/// Passes the records of all segments from `first` on to `each`, and removes the segments before
/// it.
pub(super) fn replay(
    disk: &dyn Disk,
    folder: &Path,
    first: SegmentNumber,
    each: &mut EachRecord<'_>,
) -> Result<(LogEnd, RecoveryReport), Error> {
    let mut report = RecoveryReport::default();
    let mut numbers = segment::list(disk, folder)?;
    numbers.retain(|number| *number >= first);
    if numbers.is_empty() && first == SegmentNumber::FIRST {
        return Ok((LogEnd::create(first, 0, 0), report));
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
        file.report(&replayed, &mut report);
        position = replayed.size.map(|size| replayed.position + (size - HEADER_BYTES as u64));
        end = Some(replayed);
        expected = expected.next();
    }
    match end {
        Some(end) if Some(end.number) == last => {
            segment::remove_before(disk, folder, first)?;
            Ok((end, report))
        }
        _ => Err(Error::corrupt(&expected.path(folder), 0, "the file is missing")),
    }
}

/// Reads one segment.
struct SegmentReader<'a> {
    disk: &'a dyn Disk,
    folder: &'a Path,
    number: SegmentNumber,
    is_last: bool,
}

impl SegmentReader<'_> {
    fn replay(&self, position: Option<u64>, each: &mut EachRecord<'_>) -> Result<LogEnd, Error> {
        let path = self.number.path(self.folder);
        let size = self.disk.size(&path)?;
        let header = match RecordReader::read_header(self.disk, &path, MAGIC)? {
            Ok(header) => header,
            Err(HeaderFault::Invalid(what)) => return self.recover_headless(position, size, what),
            Err(HeaderFault::NewerVersion(version)) => {
                return Err(Error::NewerVersion { file: path, version });
            }
        };
        if header.number != self.number.0 {
            let what = format!("the file header is of segment {}", header.number);
            return Err(Error::corrupt(&path, 0, what));
        }
        self.check_position(position, header)?;
        let mut reader =
            RecordReader::new(self.disk, &path, HEADER_BYTES as u64, size, header.position)?;
        let torn_end = loop {
            let offset = reader.offset;
            match reader.next()? {
                NextRecord::Record(payload) => {
                    let record = ReplayedRecord { payload, file: &path, offset };
                    each(record).map_err(|error| error.with_location(&path, offset))?;
                }
                NextRecord::End => break offset,
                NextRecord::Bad(what) => {
                    let tail = self.is_last.then(|| reader.examine_tail(self.disk)).transpose()?;
                    match tail {
                        Some(FileTail::Zeros) => break offset,
                        Some(FileTail::Torn { end }) => break end,
                        Some(FileTail::Damaged) | None => {
                            return Err(Error::corrupt(&path, offset, what));
                        }
                    }
                }
            }
        };
        let FileHeader { position, version, .. } = header;
        let (number, size) = (self.number, Some(reader.offset));
        Ok(LogEnd { number, position, size, torn_end, version })
    }

    /// Adds the replayed bytes, and those of a torn write, which will be cut off.
    fn report(&self, replayed: &LogEnd, report: &mut RecoveryReport) {
        let offset = replayed.size.unwrap_or(0);
        report.log_bytes += offset.saturating_sub(HEADER_BYTES as u64);
        if offset < replayed.torn_end {
            let (file, bytes) = (self.number.path(self.folder), replayed.torn_end - offset);
            report.warnings.push(RecoveryWarning::CutTail { file, offset, bytes });
        }
    }

    /// Refuses a segment that does not start at the position where its predecessor ends.
    fn check_position(&self, position: Option<u64>, header: FileHeader) -> Result<(), Error> {
        let Some(position) = position.filter(|position| *position != header.position) else {
            return Ok(());
        };
        if self.number == SegmentNumber::FIRST || header.position < position {
            let what = format!(
                "the segment starts at log position {} instead of {position}",
                header.position
            );
            return Err(Error::corrupt(&self.number.path(self.folder), 0, what));
        }
        let before = SegmentNumber(self.number.0 - 1).path(self.folder);
        let offset = self.disk.size(&before)?;
        let what =
            format!("{} bytes are missing at the end of the file", header.position - position);
        Err(Error::corrupt(&before, offset, what))
    }

    /// Recovers a last segment without a valid header, which a crash leaves when the segment had
    /// just been created. It has no records then; if it has any, the header was damaged later.
    fn recover_headless(
        &self,
        position: Option<u64>,
        size: u64,
        what: &'static str,
    ) -> Result<LogEnd, Error> {
        let path = self.number.path(self.folder);
        let corrupt = Error::corrupt(&path, 0, what);
        let Some(position) = position.filter(|_| self.is_last) else { return Err(corrupt) };
        let mut torn_end = size.min(HEADER_BYTES as u64);
        if size > torn_end {
            let mut reader = RecordReader::new(self.disk, &path, torn_end, size, position)?;
            if matches!(reader.next()?, NextRecord::Record(_)) {
                return Err(corrupt);
            }
            match reader.examine_tail(self.disk)? {
                FileTail::Zeros => {}
                FileTail::Torn { end } => torn_end = end,
                FileTail::Damaged => return Err(corrupt),
            }
        }
        Ok(LogEnd::create(self.number, position, torn_end))
    }
}
