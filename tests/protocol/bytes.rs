//! The notations of the protocol: reading them with bounds, and writing them.

use std::io;

/// A cursor over the bytes of one answer; what does not fit is an error, never a panic.
pub(super) struct AnswerReader<'a> {
    rest: &'a [u8],
}

impl<'a> AnswerReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| format_error("an answer is cut short"))?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| format_error("an answer is cut short"))
    }

    pub(super) fn short(&mut self) -> io::Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn int(&mut self) -> io::Result<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// An int that counts something.
    pub(super) fn count(&mut self) -> io::Result<usize> {
        let count = usize::try_from(self.int()?).map_err(|_| format_error("a negative count"))?;
        // Everything counted takes at least a byte, save rows without columns, which nobody sends.
        if count > self.rest.len() {
            Err(format_error("a count beyond the answer"))
        } else {
            Ok(count)
        }
    }

    pub(super) fn string(&mut self) -> io::Result<String> {
        let length = usize::from(self.short()?);
        self.take(length).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    pub(super) fn short_bytes(&mut self) -> io::Result<Vec<u8>> {
        let length = usize::from(self.short()?);
        self.take(length).map(<[u8]>::to_vec)
    }

    /// Bytes with their length; a negative length is null.
    pub(super) fn bytes(&mut self) -> io::Result<Option<Vec<u8>>> {
        match usize::try_from(self.int()?) {
            Ok(length) => self.take(length).map(|bytes| Some(bytes.to_vec())),
            Err(_) => Ok(None),
        }
    }
}

pub(super) fn format_error(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

pub(super) fn put_short(out: &mut Vec<u8>, value: u16) {
    out.extend(value.to_be_bytes());
}

pub(super) fn put_string(out: &mut Vec<u8>, text: &str) {
    put_short_bytes(out, text.as_bytes());
}

pub(super) fn put_short_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_short(out, u16::try_from(bytes.len()).expect("a short string"));
    out.extend(bytes);
}

pub(super) fn put_long_string(out: &mut Vec<u8>, text: &str) {
    put_bytes(out, Some(text.as_bytes()));
}

pub(super) fn put_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        None => out.extend((-1_i32).to_be_bytes()),
        Some(bytes) => {
            out.extend(i32::try_from(bytes.len()).expect("less than 2 GB").to_be_bytes());
            out.extend(bytes);
        }
    }
}
