//! The record format of log segments and checkpoints: framing, checksums, and a reader that trusts
//! no byte.
//!
//! ```text
//!   file    header 32 bytes   magic 8, version 4, number 8, position 8, crc32 of these 4
//!           record            length 4, crc32 of the length 4, payload, crc32 of the payload 4
//!           record ..
//! ```
//!
//! All numbers are big-endian. Every record has a position: the number of bytes of records before
//! it, in this file and in all earlier ones. The position is mixed into the checksum of the length,
//! so that bytes inside a payload that look like a record (a copy of one, for example) are not
//! taken for one by [`RecordReader::examine_tail`], and a segment that was moved is detected. So is
//! the [`FlushMark`] of the record.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::disk::Disk;
use crate::format_version::{OLDEST_VERSION, VERSION};

/// The bytes of a record besides its payload.
pub(crate) const RECORD_OVERHEAD: usize = 12;
/// The length of a file's header.
pub(crate) const HEADER_BYTES: usize = 32;
const TRUNCATED: &str = "the file ends in the middle of a record";
const NO_HEADER: &str = "the file header is missing";
/// The bytes of a record before its payload.
const LENGTH_BYTES: usize = 8;
/// The size of the read buffer.
const READ_AHEAD: usize = 1 << 20;

/// Where a record is among those that were written to the file at once.
///
/// Bytes that replace zeros reach the disk in any order. After a crash, a record may be missing that
/// was written together with one that is there; nothing was acknowledged of either. If a record is
/// there that was written after the next sync, the other had been acknowledged and was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlushMark {
    /// It is not known whether what precedes the record was synced; it reached the disk in order.
    Unknown,
    /// The first of its flush: everything before it was synced when it was written.
    Start,
    /// It was written together with the record before it.
    Continuation,
}

impl FlushMark {
    const ALL: [Self; 3] = [Self::Unknown, Self::Start, Self::Continuation];

    /// What the checksum of the length is mixed with.
    const fn mask(self) -> u32 {
        match self {
            Self::Unknown => 0,
            Self::Start => 0x5bd1_e995,
            Self::Continuation => 0xc2b2_ae35,
        }
    }
}

/// The checksums of a record, computed before its position is known: that is, before the log's
/// buffer is locked.
#[derive(Clone, Copy)]
pub(crate) struct RecordChecksums {
    length: u32,
    length_checksum: u32,
    payload_checksum: u32,
}

impl RecordChecksums {
    /// Computes the checksums of a payload.
    pub(crate) fn for_payload(payload: &[u8]) -> Result<Self, Error> {
        let length =
            i32::try_from(payload.len()).ok().and_then(|length| u32::try_from(length).ok());
        let length = length.ok_or(Error::TooLarge { length: payload.len() })?;
        Ok(Self {
            length,
            length_checksum: crc32fast::hash(&length.to_be_bytes()),
            payload_checksum: crc32fast::hash(payload),
        })
    }

    /// Appends the record of that payload and returns the position after it.
    pub(crate) fn append(
        self,
        payload: &[u8],
        mark: FlushMark,
        position: u64,
        out: &mut Vec<u8>,
    ) -> u64 {
        let length_checksum = self.length_checksum ^ mark.mask() ^ mix_position(position);
        out.reserve(payload.len() + RECORD_OVERHEAD);
        out.extend_from_slice(&self.length.to_be_bytes());
        out.extend_from_slice(&length_checksum.to_be_bytes());
        out.extend_from_slice(payload);
        out.extend_from_slice(&self.payload_checksum.to_be_bytes());
        position + (payload.len() + RECORD_OVERHEAD) as u64
    }
}

/// Hashes a position (Fibonacci hashing: multiplication by 2^64 divided by the golden ratio), so
/// that close positions give very different numbers.
fn mix_position(position: u64) -> u32 {
    let mixed = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    u32::try_from(mixed).unwrap_or(0)
}

/// Parses the first eight bytes of a record: its length and mark, if the checksum is right.
fn parse_length(bytes: [u8; 8], position: u64) -> Option<(u32, FlushMark)> {
    // Of the many zeros that a file may have, some would have the right checksum.
    if bytes == [0; 8] {
        return None;
    }
    let [l0, l1, l2, l3, c0, c1, c2, c3] = bytes;
    let length = [l0, l1, l2, l3];
    let checksum = u32::from_be_bytes([c0, c1, c2, c3]);
    let mask = checksum ^ crc32fast::hash(&length) ^ mix_position(position);
    let mark = FlushMark::ALL.into_iter().find(|mark| mark.mask() == mask)?;
    Some((u32::from_be_bytes(length), mark))
}

/// Why the header of a file cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderFault {
    /// It is damaged or missing, and how.
    Invalid(&'static str),
    /// A newer version of Helenus wrote the file, in this version of the format.
    NewerVersion(u32),
}

impl HeaderFault {
    /// The error of a file that must have a valid header.
    pub(crate) fn into_error(self, file: &Path) -> Error {
        match self {
            Self::Invalid(what) => Error::corrupt(file, 0, what),
            Self::NewerVersion(version) => Error::NewerVersion { file: file.to_owned(), version },
        }
    }
}

/// The header of a file, apart from magic bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileHeader {
    /// The version of the file's format.
    pub(crate) version: u32,
    /// The file's number, also part of its name.
    pub(crate) number: u64,
    /// The position of its first record.
    pub(crate) position: u64,
}

impl FileHeader {
    /// The header of a file that is written now.
    pub(crate) fn new(number: u64, position: u64) -> Self {
        Self { version: VERSION, number, position }
    }

    /// Encodes the header.
    pub(crate) fn to_bytes(self, magic: [u8; 8]) -> Vec<u8> {
        let mut out = magic.to_vec();
        out.extend(self.version.to_be_bytes());
        out.extend(self.number.to_be_bytes());
        out.extend(self.position.to_be_bytes());
        out.extend(crc32fast::hash(&out).to_be_bytes());
        out
    }

    fn parse(bytes: &[u8; HEADER_BYTES], magic: [u8; 8]) -> Result<Self, HeaderFault> {
        let missing = HeaderFault::Invalid(NO_HEADER);
        let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(missing)?;
        if crc32fast::hash(body) != u32::from_be_bytes(*checksum) {
            return Err(HeaderFault::Invalid("the file header does not match its checksum"));
        }
        let (actual_magic, rest) = body.split_first_chunk::<8>().ok_or(missing)?;
        if *actual_magic != magic {
            return Err(HeaderFault::Invalid("the file is of a different type"));
        }
        let (version, rest) = rest.split_first_chunk().ok_or(missing)?;
        let version = u32::from_be_bytes(*version);
        match version {
            OLDEST_VERSION..=VERSION => {}
            newer if newer > VERSION => return Err(HeaderFault::NewerVersion(newer)),
            _ => return Err(HeaderFault::Invalid("the file has an unknown format version")),
        }
        let (number, rest) = rest.split_first_chunk().ok_or(missing)?;
        let (position, _) = rest.split_first_chunk().ok_or(missing)?;
        let (number, position) = (u64::from_be_bytes(*number), u64::from_be_bytes(*position));
        Ok(Self { version, number, position })
    }
}

/// The result of reading one record of a file.
pub(crate) enum NextRecord<'a> {
    /// The payload of a record.
    Record(&'a [u8]),
    /// The end of the file, directly after a record.
    End,
    /// Bytes that are not a valid record, and why.
    Bad(&'static str),
}

/// Reads the records of a file in order, a chunk of the file at a time.
pub(crate) struct RecordReader {
    path: PathBuf,
    source: Box<dyn Read + Send>,
    /// The chunk of the file; only `unread` of it is valid.
    chunk: Vec<u8>,
    /// The part of the chunk that was read from the file but not returned yet.
    unread: Range<usize>,
    /// The offset of the next record in the file.
    pub(crate) offset: u64,
    /// The position of the next record in the log.
    pub(crate) position: u64,
    /// The offset of the end of the records in the file.
    end: u64,
    /// The mark of the record that was read last.
    mark: FlushMark,
}

/// What follows the last valid record of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileTail {
    /// Nothing but zeros.
    Zeros,
    /// A write that a crash has torn: none of it was acknowledged.
    Torn {
        /// The offset after its last byte that is not zero.
        end: u64,
    },
    /// A record that was acknowledged, and then damaged: later ones are there.
    Damaged,
}

impl RecordReader {
    /// Reads the header of a file. The inner error describes an invalid header.
    pub(crate) fn read_header(
        disk: &dyn Disk,
        path: &Path,
        magic: [u8; 8],
    ) -> Result<Result<FileHeader, HeaderFault>, Error> {
        let mut bytes = [0; HEADER_BYTES];
        match disk.read(path, 0)?.read_exact(&mut bytes) {
            Ok(()) => Ok(FileHeader::parse(&bytes, magic)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Ok(Err(HeaderFault::Invalid(NO_HEADER)))
            }
            Err(error) => Err(Error::io(path, error)),
        }
    }

    /// A reader of the records between two offsets, given the position of the first.
    pub(crate) fn new(
        disk: &dyn Disk,
        path: &Path,
        offset: u64,
        end: u64,
        position: u64,
    ) -> Result<Self, Error> {
        let (path, source) = (path.to_owned(), disk.read(path, offset)?);
        let (chunk, mark) = (Vec::new(), FlushMark::Unknown);
        Ok(Self { path, source, chunk, unread: 0..0, offset, position, end, mark })
    }

    /// Reads the next record. After [`NextRecord::Bad`] the reader must not be used further:
    /// without a valid length the start of the following record is unknown.
    pub(crate) fn next(&mut self) -> Result<NextRecord<'_>, Error> {
        let left = self.end.saturating_sub(self.offset);
        if left == 0 {
            return Ok(NextRecord::End);
        }
        if left < RECORD_OVERHEAD as u64 {
            return Ok(NextRecord::Bad(TRUNCATED));
        }
        let Some(start) = self.peek(LENGTH_BYTES)?.and_then(|bytes| bytes.first_chunk()) else {
            return Ok(NextRecord::Bad(TRUNCATED));
        };
        let start = *start;
        let Some((length, mark)) = parse_length(start, self.position) else {
            return Ok(NextRecord::Bad("a record length does not match its checksum"));
        };
        let whole = u64::from(length) + RECORD_OVERHEAD as u64;
        let Some(size) = usize::try_from(whole).ok().filter(|_| whole <= left) else {
            return Ok(NextRecord::Bad(TRUNCATED));
        };
        if self.peek(size)?.is_none() {
            return Ok(NextRecord::Bad(TRUNCATED));
        }
        let record = self.chunk.get(self.unread.start..).and_then(|bytes| bytes.get(..size));
        let body = record.and_then(|record| record.get(LENGTH_BYTES..));
        let Some((payload, checksum)) = body.and_then(|body| body.split_last_chunk()) else {
            return Ok(NextRecord::Bad(TRUNCATED));
        };
        if crc32fast::hash(payload) != u32::from_be_bytes(*checksum) {
            return Ok(NextRecord::Bad("a record does not match its checksum"));
        }
        self.mark = mark;
        self.unread.start += size;
        self.offset += whole;
        self.position += whole;
        Ok(NextRecord::Record(payload))
    }

    /// The next bytes of the file, which stay unread; `None` if it ends before.
    #[inline]
    fn peek(&mut self, length: usize) -> Result<Option<&[u8]>, Error> {
        if self.unread.len() < length {
            self.fill(length)?;
        }
        Ok(self.chunk.get(self.unread.clone()).and_then(|bytes| bytes.get(..length)))
    }

    /// Reads on until that many bytes are unread, or to the end of the file.
    fn fill(&mut self, length: usize) -> Result<(), Error> {
        self.chunk.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        let left = usize::try_from(self.end.saturating_sub(self.offset)).unwrap_or(usize::MAX);
        let size = READ_AHEAD.min(left).max(length);
        if self.chunk.len() < size {
            self.chunk.resize(size, 0);
        }
        while self.unread.len() < length {
            let free = self.chunk.get_mut(self.unread.end..).unwrap_or_default();
            match self.source.read(free) {
                Ok(0) => break,
                Ok(count) => self.unread.end += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&self.path, error)),
            }
        }
        Ok(())
    }

    /// What follows the offset at which reading stopped.
    pub(crate) fn examine_tail(&self, disk: &dyn Disk) -> Result<FileTail, Error> {
        let end = self.find_last_byte(disk)?;
        if end == self.offset {
            Ok(FileTail::Zeros)
        } else if self.has_later_flush(disk, end)? {
            Ok(FileTail::Damaged)
        } else {
            Ok(FileTail::Torn { end })
        }
    }

    /// The offset after the last byte that is not zero, at least that at which reading stopped.
    fn find_last_byte(&self, disk: &dyn Disk) -> Result<u64, Error> {
        let (mut offset, mut last) = (self.offset, self.offset);
        let mut source = BufReader::with_capacity(READ_AHEAD, disk.read(&self.path, offset)?);
        loop {
            let chunk = source.fill_buf().map_err(|error| Error::io(&self.path, error))?;
            if chunk.is_empty() {
                return Ok(last);
            }
            if let Some(at) = chunk.iter().rposition(|byte| *byte != 0) {
                last = offset + at as u64 + 1;
            }
            let length = chunk.len();
            offset += length as u64;
            source.consume(length);
        }
    }

    /// Whether a valid record that was not written together with that at which reading stopped
    /// starts anywhere after it, which distinguishes damage to acknowledged records from a torn
    /// write.
    fn has_later_flush(&self, disk: &dyn Disk, end: u64) -> Result<bool, Error> {
        let mut from = self.offset + 1;
        while let Some(start) = self.find_length(disk, from, end)? {
            from = start + 1;
            let position = self.position + (start - self.offset);
            let mut reader = Self::new(disk, &self.path, start, self.end, position)?;
            while let NextRecord::Record(_) = reader.next()? {
                if reader.mark != FlushMark::Continuation {
                    return Ok(true);
                }
                from = reader.offset;
            }
        }
        Ok(false)
    }

    /// Finds a place between two offsets where the length of a record is. Every offset is tried,
    /// with the position that a record there would have.
    fn find_length(&self, disk: &dyn Disk, from: u64, end: u64) -> Result<Option<u64>, Error> {
        let bytes = disk.read(&self.path, from)?.take(end.saturating_sub(from));
        // The zeros at the end may be those of the last length.
        let bytes = bytes.chain(io::repeat(0).take(LENGTH_BYTES as u64));
        let bytes = BufReader::with_capacity(READ_AHEAD, bytes).bytes();
        let mut window = [0; LENGTH_BYTES];
        for (read, byte) in (1..).zip(bytes) {
            window.rotate_left(1);
            window[LENGTH_BYTES - 1] = byte.map_err(|error| Error::io(&self.path, error))?;
            let Some(start) = (from + read).checked_sub(LENGTH_BYTES as u64) else { continue };
            let position = self.position + start.saturating_sub(self.offset);
            if start >= from && parse_length(window, position).is_some() {
                return Ok(Some(start));
            }
        }
        Ok(None)
    }
}
