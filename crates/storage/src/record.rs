//! Records in files: how one is framed, and how they are read back without believing a byte.
//!
//! ```text
//!   file    head 32   magic 8, version 4, number 8, position 8, crc32 of these 4
//!           record    length 4, crc32 of the length 4, payload, crc32 of the payload 4
//!           record ..
//! ```
//!
//! All numbers are big-endian. Every record has a position: how many bytes of records stand before it, in this file and
//! in those before it. The position is mixed into the check of the length, so that bytes inside a payload that look like
//! a record (a copy of one, say) are none.

use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::disk::Disk;

/// What a record takes beside its payload.
pub(crate) const RECORD_OVERHEAD: usize = 12;
/// The length of a file's head.
pub(crate) const HEADER_BYTES: usize = 32;
const VERSION: u32 = 1;
/// How much is read from the disk at once.
const READ_AHEAD: usize = 1 << 18;

/// The checks of a payload, made before its position is known.
#[derive(Clone, Copy)]
pub(crate) struct RecordChecksums {
    length: u32,
    length_check: u32,
    payload_check: u32,
}

impl RecordChecksums {
    /// Looks at a payload.
    pub(crate) fn for_payload(payload: &[u8]) -> Result<Self, Error> {
        let length =
            i32::try_from(payload.len()).ok().and_then(|length| u32::try_from(length).ok());
        let length = length.ok_or(Error::TooLarge { length: payload.len() })?;
        Ok(Self {
            length,
            length_check: crc32fast::hash(&length.to_be_bytes()),
            payload_check: crc32fast::hash(payload),
        })
    }

    /// Appends the record of the payload that was looked at; gives the position behind it.
    pub(crate) fn append(self, payload: &[u8], position: u64, out: &mut Vec<u8>) -> u64 {
        out.reserve(payload.len() + RECORD_OVERHEAD);
        out.extend_from_slice(&self.length.to_be_bytes());
        out.extend_from_slice(&(self.length_check ^ mix_position(position)).to_be_bytes());
        out.extend_from_slice(payload);
        out.extend_from_slice(&self.payload_check.to_be_bytes());
        position + (payload.len() + RECORD_OVERHEAD) as u64
    }
}

/// Positions that differ little give numbers that differ much.
fn mix_position(position: u64) -> u32 {
    let mixed = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    u32::try_from(mixed).unwrap_or(0)
}

/// The length that the first bytes of a record state, if they are such.
fn parse_length(bytes: [u8; 8], position: u64) -> Option<u32> {
    let [l0, l1, l2, l3, c0, c1, c2, c3] = bytes;
    let length = [l0, l1, l2, l3];
    let check = u32::from_be_bytes([c0, c1, c2, c3]);
    (crc32fast::hash(&length) ^ mix_position(position) == check).then(|| u32::from_be_bytes(length))
}

/// What the head of a file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileHeader {
    /// The file's number, also part of its name.
    pub(crate) number: u64,
    /// The position of its first record.
    pub(crate) position: u64,
}

impl FileHeader {
    /// The bytes of the head.
    pub(crate) fn to_bytes(self, magic: [u8; 8]) -> Vec<u8> {
        let mut out = magic.to_vec();
        out.extend(VERSION.to_be_bytes());
        out.extend(self.number.to_be_bytes());
        out.extend(self.position.to_be_bytes());
        out.extend(crc32fast::hash(&out).to_be_bytes());
        out
    }

    fn parse(bytes: &[u8; HEADER_BYTES], magic: [u8; 8]) -> Result<Self, &'static str> {
        let (body, check) = bytes.split_last_chunk::<4>().ok_or("it has no head")?;
        if crc32fast::hash(body) != u32::from_be_bytes(*check) {
            return Err("the head of the file does not match its checksum");
        }
        let (found, rest) = body.split_first_chunk::<8>().ok_or("it has no head")?;
        if *found != magic {
            return Err("the file is of another kind");
        }
        let (version, rest) = rest.split_first_chunk().ok_or("it has no head")?;
        if u32::from_be_bytes(*version) != VERSION {
            return Err("the file was written by another version of this program");
        }
        let (number, rest) = rest.split_first_chunk().ok_or("it has no head")?;
        let (position, _) = rest.split_first_chunk().ok_or("it has no head")?;
        Ok(Self { number: u64::from_be_bytes(*number), position: u64::from_be_bytes(*position) })
    }
}

/// What comes next in a file.
pub(crate) enum NextRecord<'a> {
    /// The payload of a record.
    Record(&'a [u8]),
    /// The end, right behind a record.
    End,
    /// Bytes that are no record, and why.
    Bad(&'static str),
}

/// Reads the records of a file one after the other, holding one at a time.
pub(crate) struct RecordReader {
    path: PathBuf,
    source: BufReader<Box<dyn Read + Send>>,
    /// Where the next record starts in the file, and what its position is.
    pub(crate) offset: u64,
    pub(crate) position: u64,
    /// Where the records end in the file.
    end: u64,
    payload: Vec<u8>,
}

impl RecordReader {
    /// Reads the head of a file. The inner error says what is wrong with it.
    pub(crate) fn read_header(
        disk: &dyn Disk,
        path: &Path,
        magic: [u8; 8],
    ) -> Result<Result<FileHeader, &'static str>, Error> {
        let mut bytes = [0; HEADER_BYTES];
        match disk.read(path, 0)?.read_exact(&mut bytes) {
            Ok(()) => Ok(FileHeader::parse(&bytes, magic)),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(Err("it has no head")),
            Err(error) => Err(Error::io(path, error)),
        }
    }

    /// Reads records from an offset up to another, given the position of the first.
    pub(crate) fn new(
        disk: &dyn Disk,
        path: &Path,
        offset: u64,
        end: u64,
        position: u64,
    ) -> Result<Self, Error> {
        let source = BufReader::with_capacity(READ_AHEAD, disk.read(path, offset)?);
        Ok(Self { path: path.to_owned(), source, offset, position, end, payload: Vec::new() })
    }

    /// The next record. After bytes that are none there is nothing more to ask for.
    pub(crate) fn next(&mut self) -> Result<NextRecord<'_>, Error> {
        let left = self.end.saturating_sub(self.offset);
        if left == 0 {
            return Ok(NextRecord::End);
        }
        let mut start = [0; 8];
        if left < RECORD_OVERHEAD as u64 || !self.fill(&mut start)? {
            return Ok(NextRecord::Bad("the file ends inside a record"));
        }
        let Some(length) = parse_length(start, self.position) else {
            return Ok(NextRecord::Bad("the length of a record does not match its checksum"));
        };
        let whole = u64::from(length) + RECORD_OVERHEAD as u64;
        let Some(length) = usize::try_from(length).ok().filter(|_| whole <= left) else {
            return Ok(NextRecord::Bad("the file ends inside a record"));
        };
        let mut payload = std::mem::take(&mut self.payload);
        payload.resize(length, 0);
        let mut check = [0; 4];
        let complete = self.fill(&mut payload)? && self.fill(&mut check)?;
        self.payload = payload;
        if !complete {
            return Ok(NextRecord::Bad("the file ends inside a record"));
        }
        if crc32fast::hash(&self.payload) != u32::from_be_bytes(check) {
            return Ok(NextRecord::Bad("a record does not match its checksum"));
        }
        self.offset += whole;
        self.position += whole;
        Ok(NextRecord::Record(&self.payload))
    }

    /// Whether all bytes were there.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, Error> {
        match self.source.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(Error::io(&self.path, error)),
        }
    }

    /// Whether a whole record starts anywhere behind the place where reading stopped.
    pub(crate) fn find_later_record(&self, disk: &dyn Disk) -> Result<bool, Error> {
        let mut offset = self.offset + 1;
        let mut position = self.position + 1;
        let bytes = BufReader::with_capacity(READ_AHEAD, disk.read(&self.path, offset)?).bytes();
        let mut window = [0; 8];
        for (count, byte) in bytes.enumerate() {
            window.rotate_left(1);
            window[7] = byte.map_err(|error: io::Error| Error::io(&self.path, error))?;
            if count < 7 {
                continue;
            }
            if parse_length(window, position).is_some() {
                let mut reader = Self::new(disk, &self.path, offset, self.end, position)?;
                if matches!(reader.next()?, NextRecord::Record(_)) {
                    return Ok(true);
                }
            }
            offset += 1;
            position += 1;
        }
        Ok(false)
    }
}
