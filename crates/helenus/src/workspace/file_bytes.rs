//! Reads the bytes of a text file, and stops early at binary or endless input.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use super::encoding;
use crate::outcome::Outcome;

/// The longest text: spans have 32 bits.
const TEXT_BYTES_MAX: u64 = u32::MAX as u64;
/// The longest text from standard input, which may have no end.
const STREAM_BYTES_MAX: u64 = 256 << 20;
/// The names of standard input. The others than `-` are pipes or devices, but nobody means them as such.
const STANDARD_INPUT: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
/// The longest line: about the largest message a server accepts, and far beyond any written text.
const LINE_BYTES_MAX: usize = 16 << 20;
/// The number of bytes that decide whether a file is text.
const SNIFFED_BYTES: u64 = 8_192;
/// The number of bytes read at once; less than `LINE_BYTES_MAX`.
const CHUNK_BYTES: u64 = 1 << 20;

/// Why a file was not read. Its text is a predicate, such as `is a binary file`.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The operating system refused.
    Io(io::Error),
    /// The content is not a text that can be checked.
    NotText(String),
}

impl ReadError {
    /// The exit code of a command that cannot go on without the file.
    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Self::Io(error) if !regular_file::is_wrong_kind(error) => Outcome::EnvironmentFailed,
            Self::Io(_) | Self::NotText(_) => Outcome::BadInput,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot be read: {error}"),
            Self::NotText(reason) => f.write_str(reason),
        }
    }
}

/// Whether a path names standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    STANDARD_INPUT.iter().any(|name| path == Path::new(name))
}

/// Reads a file, or standard input.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    if is_standard_input(path) {
        return read_text(io::stdin().lock(), 0, STREAM_BYTES_MAX);
    }
    let file = regular_file::open(path).map_err(ReadError::Io)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    read_text(file, length, TEXT_BYTES_MAX)
}

/// Reads a text; anything else is not read to its end, since it may have none.
fn read_text(mut input: impl Read, expected: u64, most: u64) -> Result<Vec<u8>, ReadError> {
    let too_long = || ReadError::NotText(format!("is larger than {} MiB", (most + 1) >> 20));
    if expected > most {
        return Err(too_long());
    }
    // A line that is too long is found before memory is allocated for the whole file.
    let room = expected.min(LINE_BYTES_MAX as u64) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    read_chunk(&mut input, SNIFFED_BYTES, &mut bytes)?;
    encoding::check_text(&bytes).map_err(ReadError::NotText)?;
    let (mut line, mut read) = (0, 0);
    loop {
        let new = bytes.get(read..).unwrap_or_default();
        let first = new.iter().position(|byte| *byte == b'\n').unwrap_or(new.len());
        if read + first - line > LINE_BYTES_MAX {
            return Err(ReadError::NotText("has a line of more than 16 MiB".to_owned()));
        }
        line = new.iter().rposition(|byte| *byte == b'\n').map_or(line, |last| read + last + 1);
        read = bytes.len();
        if read as u64 > most {
            return Err(too_long());
        }
        read_chunk(&mut input, CHUNK_BYTES, &mut bytes)?;
        if bytes.len() == read {
            return Ok(bytes);
        }
    }
}

/// Appends the next bytes.
fn read_chunk(input: &mut impl Read, length: u64, bytes: &mut Vec<u8>) -> Result<(), ReadError> {
    input.by_ref().take(length).read_to_end(bytes).map(drop).map_err(ReadError::Io)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: impl Read, expected: u64) -> Result<Vec<u8>, String> {
        read_text(input, expected, TEXT_BYTES_MAX).map_err(|error| error.to_string())
    }

    #[test]
    fn what_has_no_end_is_no_text() {
        assert_eq!(read(io::repeat(0), 0), Err("is a binary file".to_owned()));
        let endless = read(io::repeat(b'a'), 0);
        assert_eq!(endless, Err("has a line of more than 16 MiB".to_owned()));
        let endless = read_text(io::repeat(b'\n'), 0, STREAM_BYTES_MAX).unwrap_err().to_string();
        assert_eq!(endless, "is larger than 256 MiB");
        assert_eq!(
            read(io::empty(), TEXT_BYTES_MAX + 1),
            Err("is larger than 4096 MiB".to_owned())
        );
    }

    #[test]
    fn lines_of_any_other_length_are_read() {
        for line in [10, 8_191, 8_192, 3 << 20, LINE_BYTES_MAX] {
            let whole = [&vec![b'a'; line][..], b"\n", &vec![b'b'; line]].concat();
            assert_eq!(read(whole.as_slice(), 3), Ok(whole.clone()), "{line}");
        }
        let behind = [&b"a\n"[..], &vec![b'b'; LINE_BYTES_MAX + 1], b"\nc"].concat();
        assert!(read(behind.as_slice(), 0).is_err());
    }
}
