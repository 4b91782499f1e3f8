//! Files in folders: plain, `.gz`, or in a `.zip`. Nothing is unpacked to disk, and a file is read
//! as a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

use flate2::read::{DeflateDecoder, MultiGzDecoder};

/// The most bytes that one file may unpack to: more is a bomb, or a disk image.
const UNPACKED_MAX: u64 = 64 << 30;
/// Files of an archive.
const ENTRIES_MAX: usize = 100_000;
/// The directory of an archive.
const DIRECTORY_MAX: u64 = 64 << 20;
/// The end of a directory, with the longest comment.
const END_MAX: u64 = 22 + 65_535;

/// What handles a file of a folder: its name and its content.
pub(super) type FileHandler<'a> = dyn FnMut(&str, &mut dyn BufRead) + 'a;

/// Hands out the file at a path, or each file of the archive at it.
pub(super) fn open(path: &Path, name: &str, handle: &mut FileHandler<'_>) -> io::Result<()> {
    let file = regular_file::open(path)?;
    if has_extension(path, "zip") {
        return read_zip(file, name, handle);
    }
    if has_extension(path, "gz") {
        let name = name.strip_suffix(".gz").unwrap_or(name);
        let stream = MultiGzDecoder::new(BufReader::new(file)).take(UNPACKED_MAX);
        handle(name, &mut BufReader::with_capacity(1 << 16, stream));
        return Ok(());
    }
    handle(name, &mut BufReader::with_capacity(1 << 20, file));
    Ok(())
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// A file in an archive.
struct ZipEntry {
    name: String,
    method: u16,
    packed_bytes: u64,
    header_at: u64,
}

fn read_zip(mut file: File, name: &str, handle: &mut FileHandler<'_>) -> io::Result<()> {
    for entry in list_entries(&mut file)? {
        if entry.name.ends_with('/') {
            continue;
        }
        let path = format!("{name}/{}", entry.name);
        let content = open_entry(&mut file, &entry)?;
        match entry.method {
            0 => handle(&path, &mut BufReader::new(content)),
            8 if has_extension(Path::new(&entry.name), "gz") => {
                let stream = MultiGzDecoder::new(DeflateDecoder::new(content)).take(UNPACKED_MAX);
                let path = path.strip_suffix(".gz").unwrap_or(&path);
                handle(path, &mut BufReader::new(stream));
            }
            8 => {
                let stream = DeflateDecoder::new(content).take(UNPACKED_MAX);
                handle(&path, &mut BufReader::new(stream));
            }
            _ => return Err(archive_error("a compression that is not supported")),
        }
    }
    Ok(())
}

fn archive_error(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the archive has {what}"))
}

fn list_entries(file: &mut File) -> io::Result<Vec<ZipEntry>> {
    let length = file.seek(SeekFrom::End(0))?;
    let tail_at = length.saturating_sub(END_MAX);
    let tail = read_at(file, tail_at, length - tail_at)?;
    let end = tail.windows(4).rposition(|bytes| bytes == b"PK\x05\x06");
    let end = tail.get(end.ok_or_else(|| archive_error("no directory"))?..).unwrap_or_default();
    let (bytes, at) = (u64::from(long(end, 12)?), u64::from(long(end, 16)?));
    if bytes > DIRECTORY_MAX || at.saturating_add(bytes) > length {
        return Err(archive_error("a directory that is too large"));
    }
    let directory = read_at(file, at, bytes)?;
    let mut rest = directory.as_slice();
    let mut entries = Vec::new();
    while rest.starts_with(b"PK\x01\x02") && entries.len() < ENTRIES_MAX {
        let lengths = [short(rest, 28)?, short(rest, 30)?, short(rest, 32)?].map(usize::from);
        let [name_length, extra_length, comment_length] = lengths;
        let name =
            rest.get(46..46 + name_length).ok_or_else(|| archive_error("a cut directory"))?;
        entries.push(ZipEntry {
            name: String::from_utf8_lossy(name).into_owned(),
            method: short(rest, 10)?,
            packed_bytes: long(rest, 20)?.into(),
            header_at: long(rest, 42)?.into(),
        });
        let next = 46 + name_length + extra_length + comment_length;
        rest = rest.get(next..).ok_or_else(|| archive_error("a cut directory"))?;
    }
    Ok(entries)
}

fn open_entry<'f>(file: &'f mut File, entry: &ZipEntry) -> io::Result<Take<&'f mut File>> {
    let header = read_at(file, entry.header_at, 30)?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(archive_error("a wrong header"));
    }
    let skipped = 30 + u64::from(short(&header, 26)?) + u64::from(short(&header, 28)?);
    file.seek(SeekFrom::Start(entry.header_at.saturating_add(skipped)))?;
    Ok(file.take(entry.packed_bytes))
}

fn read_at(file: &mut File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn short(bytes: &[u8], at: usize) -> io::Result<u16> {
    let field = bytes.get(at..at + 2).and_then(|field| field.try_into().ok());
    field.map(u16::from_le_bytes).ok_or_else(|| archive_error("a cut field"))
}

fn long(bytes: &[u8], at: usize) -> io::Result<u32> {
    let field = bytes.get(at..at + 4).and_then(|field| field.try_into().ok());
    field.map(u32::from_le_bytes).ok_or_else(|| archive_error("a cut field"))
}
