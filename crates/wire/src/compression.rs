//! [`Compression`]: the algorithms for bodies (versions 3 and 4) and segments (from version 5 on).

use lz4_flex::block::{self, CompressTable};

use crate::error::{ErrorKind, ErrorMessage};

/// The bytes of the plain length before a body compressed by LZ4.
const LENGTH_BYTES: usize = 4;

cql::named_enum! {
    /// An algorithm, by its name in STARTUP.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Compression {
        /// Snappy; in versions 3 and 4 only.
        Snappy => "snappy",
        /// LZ4.
        Lz4 => "lz4",
    }
}

impl Compression {
    /// The algorithm with that name, in upper or lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|compression| compression.name().eq_ignore_ascii_case(name))
    }

    /// Decompresses a body into a buffer. A body that claims to be longer than the limit is refused
    /// before memory is allocated for it.
    pub(crate) fn decompress_body(
        self,
        body: &[u8],
        out: &mut Vec<u8>,
        limit: usize,
    ) -> Result<(), ErrorMessage> {
        let malformed = || match self {
            Self::Snappy => ErrorMessage::new(
                ErrorKind::Protocol,
                "Provided frame does not appear to be Snappy compressed",
            ),
            Self::Lz4 => ErrorMessage::new(ErrorKind::Server, "Malformed LZ4 input"),
        };
        let (length, compressed) = match self {
            Self::Snappy => (snap::raw::decompress_len(body).map_err(|_| malformed())?, body),
            Self::Lz4 => {
                let (length, block) =
                    body.split_first_chunk::<LENGTH_BYTES>().ok_or_else(malformed)?;
                (u32::from_be_bytes(*length) as usize, block)
            }
        };
        if length > limit {
            let message = format!(
                "Request is too big: length {length} exceeds maximum allowed length {limit}."
            );
            return Err(ErrorMessage::new(ErrorKind::Invalid, message));
        }
        out.clear();
        out.resize(length, 0);
        let count = match self {
            Self::Snappy => snap::raw::Decoder::new().decompress(compressed, out).ok(),
            Self::Lz4 => decompress_block(compressed, out),
        };
        count.filter(|count| *count == length).map(|_| ()).ok_or_else(malformed)
    }
}

/// Decompresses a block of LZ4 into a slice; returns the number of bytes, or nothing for a malformed
/// block or one that does not fit.
pub(crate) fn decompress_block(compressed: &[u8], out: &mut [u8]) -> Option<usize> {
    block::decompress_into(compressed, out).ok()
}

/// The state of the compression of a connection.
pub(crate) enum Compressor {
    Snappy(Box<snap::raw::Encoder>),
    Lz4(CompressTable),
}

impl Compressor {
    pub(crate) fn new(compression: Compression) -> Self {
        match compression {
            Compression::Snappy => Self::Snappy(Box::new(snap::raw::Encoder::new())),
            Compression::Lz4 => Self::Lz4(CompressTable::small()),
        }
    }

    /// Appends a compressed body and returns its length; nothing is appended if it is not shorter
    /// than the plain one.
    pub(crate) fn append_body(&mut self, body: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let start = out.len();
        if matches!(self, Self::Lz4(_)) {
            out.extend(u32::try_from(body.len()).ok()?.to_be_bytes());
        }
        let length =
            self.append_block(body, out).map(|_| out.len() - start).filter(|it| *it < body.len());
        if length.is_none() {
            out.truncate(start);
        }
        length
    }

    /// Appends compressed bytes and returns their number; nothing is appended if they are not fewer
    /// than the plain ones.
    pub(crate) fn append_block(&mut self, plain: &[u8], out: &mut Vec<u8>) -> Option<usize> {
        let start = out.len();
        let room = match self {
            Self::Snappy(_) => snap::raw::max_compress_len(plain.len()),
            Self::Lz4(_) => block::get_maximum_output_size(plain.len()),
        };
        out.resize(start + room, 0);
        let target = out.get_mut(start..).unwrap_or_default();
        let count = match self {
            Self::Snappy(encoder) => encoder.compress(plain, target).ok(),
            Self::Lz4(table) => block::compress_into_with_table(plain, target, table).ok(),
        };
        let count = count.filter(|count| *count < plain.len());
        out.truncate(start + count.unwrap_or_default());
        count
    }
}
