//! The bytes of a file, and no more of them than a text can have.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::decoding;

/// The longest text: places in it are counted in 32 bits.
const LONGEST: u64 = u32::MAX as u64;
/// The longest line. A server takes no longer message either, and what people write has lines.
const LONGEST_LINE: usize = 16 << 20;
/// So many bytes tell whether something is text.
const LOOKED_AT: u64 = 8_192;
/// So many are read at once; less than a line may have.
const PIECE: u64 = 1 << 20;

/// The bytes of a file, or of standard input; else why there are none.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    if path == Path::new("-") {
        return text(io::stdin().lock(), 0);
    }
    let file = File::open(path).map_err(|error| refused(&error))?;
    let length = file.metadata().map_or(0, |known| known.len());
    text(file, length)
}

/// What is no text is not read to its end: it may have none.
fn text(mut input: impl Read, expected: u64) -> Result<Vec<u8>, String> {
    let too_long = || "is larger than 4 GiB".to_owned();
    if expected > LONGEST {
        return Err(too_long());
    }
    // A line that is too long is noticed before there is room for the whole.
    let room = expected.min(LONGEST_LINE as u64) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(room).unwrap_or(0));
    piece(&mut input, LOOKED_AT, &mut bytes)?;
    decoding::look_at(&bytes)?;
    let (mut line, mut read) = (0, 0);
    loop {
        let new = bytes.get(read..).unwrap_or_default();
        let first = new.iter().position(|byte| *byte == b'\n').unwrap_or(new.len());
        if read + first - line > LONGEST_LINE {
            return Err("has a line of more than 16 MiB".to_owned());
        }
        line = new.iter().rposition(|byte| *byte == b'\n').map_or(line, |last| read + last + 1);
        read = bytes.len();
        if read as u64 > LONGEST {
            return Err(too_long());
        }
        piece(&mut input, PIECE, &mut bytes)?;
        if bytes.len() == read {
            return Ok(bytes);
        }
    }
}

/// Reads on.
fn piece(input: &mut impl Read, length: u64, bytes: &mut Vec<u8>) -> Result<(), String> {
    input.by_ref().take(length).read_to_end(bytes).map(drop).map_err(|error| refused(&error))
}

fn refused(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_no_text() {
        assert_eq!(text(io::repeat(0), 0), Err("is a binary file".to_owned()));
        let endless = text(io::repeat(b'a'), 0);
        assert_eq!(endless, Err("has a line of more than 16 MiB".to_owned()));
        assert_eq!(text(io::empty(), LONGEST + 1), Err("is larger than 4 GiB".to_owned()));
    }

    #[test]
    fn lines_of_any_other_length_are_read() {
        for line in [10, 8_191, 8_192, 3 << 20, LONGEST_LINE] {
            let whole = [&vec![b'a'; line][..], b"\n", &vec![b'b'; line]].concat();
            assert_eq!(text(whole.as_slice(), 3), Ok(whole.clone()), "{line}");
        }
        let behind = [&b"a\n"[..], &vec![b'b'; LONGEST_LINE + 1], b"\nc"].concat();
        assert!(text(behind.as_slice(), 0).is_err());
    }
}
