//! [`Reader`]: decodes the notations of the protocol from a body, within its bounds.

use std::fmt;
use std::net::IpAddr;

use cql::ErrorCode;
use cql::protocol::Consistency;

/// Why a body cannot be decoded, with the server's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Whether the server reports a protocol error; otherwise a server error.
    pub protocol: bool,
    /// The text of the error.
    pub message: String,
}

impl DecodeError {
    pub(crate) fn protocol(message: impl Into<String>) -> Self {
        Self { protocol: true, message: message.into() }
    }

    /// The code of the ERROR that is sent in response.
    pub fn code(&self) -> ErrorCode {
        if self.protocol { ErrorCode::Protocol } else { ErrorCode::Server }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

const SHORT_STRING_ERROR: &str =
    "Not enough bytes to read an UTF8 serialized string preceded by its 2 bytes length";
const LONG_STRING_ERROR: &str =
    "Not enough bytes to read an UTF8 serialized string preceded by its 4 bytes length";
const SHORT_BYTES_ERROR: &str =
    "Not enough bytes to read a byte array preceded by its 2 bytes length";

/// A position in a body.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(body: &'a [u8]) -> Self {
        Self { body, at: 0 }
    }

    /// A consistency level.
    pub(crate) fn consistency(&mut self) -> Result<Consistency, DecodeError> {
        let number = self.short()?;
        Consistency::from_number(number).ok_or_else(|| {
            DecodeError::protocol(format!("Unknown code {number} for a consistency level"))
        })
    }

    /// The bytes that are not decoded yet.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.body.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        match self.rest().get(..length) {
            Some(bytes) => {
                self.at += length;
                Ok(bytes)
            }
            None => Err(DecodeError {
                protocol: false,
                message: format!(
                    "java.lang.IndexOutOfBoundsException: readerIndex({}) + length({length}) exceeds writerIndex({})",
                    self.at,
                    self.body.len()
                ),
            }),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let bytes = self.take(N)?;
        Ok(bytes.first_chunk().copied().unwrap_or([0; N]))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    pub(crate) fn short(&mut self) -> Result<u16, DecodeError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    pub(crate) fn int(&mut self) -> Result<i32, DecodeError> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    pub(crate) fn long(&mut self) -> Result<i64, DecodeError> {
        Ok(i64::from_be_bytes(self.array()?))
    }

    pub(crate) fn uuid(&mut self) -> Result<[u8; 16], DecodeError> {
        self.array()
    }

    /// A count, checked against the remaining bytes, given the minimum length of an element: memory
    /// is not reserved for counts that cannot be true.
    pub(crate) fn count(&mut self, least_bytes: usize) -> Result<usize, DecodeError> {
        let count = self.int()?;
        let fits = |count: &usize| {
            count.checked_mul(least_bytes).is_some_and(|bytes| bytes <= self.rest().len())
        };
        usize::try_from(count)
            .ok()
            .filter(fits)
            .ok_or_else(|| DecodeError::protocol(format!("Invalid count {count}")))
    }

    pub(crate) fn string(&mut self) -> Result<&'a str, DecodeError> {
        let bytes = self.short().and_then(|length| self.take(usize::from(length)));
        decode_utf8(bytes.map_err(|_| DecodeError::protocol(SHORT_STRING_ERROR))?)
    }

    pub(crate) fn long_string(&mut self) -> Result<&'a str, DecodeError> {
        let bytes = self.bytes().map_err(|_| DecodeError::protocol(LONG_STRING_ERROR))?;
        decode_utf8(bytes.ok_or_else(|| DecodeError::protocol(LONG_STRING_ERROR))?)
    }

    /// Bytes preceded by a length of two bytes.
    pub(crate) fn short_bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        self.short()
            .and_then(|length| self.take(usize::from(length)))
            .map_err(|_| DecodeError::protocol(SHORT_BYTES_ERROR))
    }

    /// Bytes preceded by a length of four bytes; a negative length is null.
    pub(crate) fn bytes(&mut self) -> Result<Option<&'a [u8]>, DecodeError> {
        let length = self.int()?;
        usize::try_from(length).ok().map(|length| self.take(length)).transpose()
    }

    /// An address preceded by its length in one byte.
    pub(crate) fn address(&mut self) -> Result<IpAddr, DecodeError> {
        let length = self.byte()?;
        let bytes = self.take(usize::from(length))?;
        <[u8; 4]>::try_from(bytes)
            .map(IpAddr::from)
            .or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
            .map_err(|_| {
                DecodeError::protocol("Invalid IP address while deserializing inet address")
            })
    }

    pub(crate) fn string_list(&mut self) -> Result<Vec<String>, DecodeError> {
        let count = self.short()?;
        (0..count).map(|_| Ok(self.string()?.to_owned())).collect()
    }
}

/// Decodes UTF-8; the server's error shows the bytes from the first invalid one on.
fn decode_utf8(bytes: &[u8]) -> Result<&str, DecodeError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let bad = bytes.get(error.valid_up_to()..).unwrap_or_default();
        let shown = cql::value::bytes_to_hex(bad.get(..1024).unwrap_or(bad));
        let length = error.error_len().unwrap_or(1);
        DecodeError::protocol(format!(
            "Cannot decode string as UTF8: '{shown}'; java.nio.charset.MalformedInputException: Input length = {length}"
        ))
    })
}
