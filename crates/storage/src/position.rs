//! Places: partitions on the ring, rows within a partition, as bytes whose plain order is theirs.
//!
//! A row is at the encodings of its clustering values, each behind a mark, and a mark for the end. A place before or after
//! all rows that share a prefix has another mark at the end, so that the ends of slices and of range deletions are places
//! in the same order, and never those of a row.

use schema::partitioner::Token;

use crate::byte_comparable;
use crate::layout::Layout;

const BEFORE: u8 = 0x20;
const ROW_END: u8 = 0x38;
const NULL: u8 = 0x3e;
const VALUE: u8 = 0x40;
const AFTER: u8 = 0x60;

/// A place among the rows of a partition.
pub type Position = Box<[u8]>;

/// Where the row of these clustering values is.
pub fn encode_row<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
    out: &mut Vec<u8>,
) {
    encode_prefix(layout, values, out);
    out.push(ROW_END);
}

/// The place before all rows that start with these values.
pub fn prefix_start<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
) -> Position {
    let mut out = Vec::new();
    encode_prefix(layout, values, &mut out);
    out.push(BEFORE);
    out.into()
}

/// The place after all rows that start with these values.
pub fn prefix_end<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
) -> Position {
    let mut out = Vec::new();
    encode_prefix(layout, values, &mut out);
    out.push(AFTER);
    out.into()
}

/// Before all rows.
pub fn first() -> Position {
    Box::new([BEFORE])
}

/// After all rows.
pub fn last() -> Position {
    Box::new([AFTER])
}

fn encode_prefix<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
    out: &mut Vec<u8>,
) {
    for ((ty, descending), value) in layout.clustering.iter().zip(values) {
        match value {
            None => out.push(NULL),
            Some(value) => {
                out.push(VALUE);
                if *descending {
                    byte_comparable::encode_reversed(ty, value, out);
                } else {
                    byte_comparable::encode(ty, value, out);
                }
            }
        }
    }
}

/// A slice of the rows of a partition: from a place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Rows from here on.
    pub start: Position,
    /// Rows before here.
    pub end: Position,
}

impl Slice {
    /// All rows.
    pub fn all() -> Self {
        Self { start: first(), end: last() }
    }

    /// Whether no row can be in it.
    pub fn is_empty(&self) -> bool {
        self.start >= self.end
    }
}

/// A partition's place on the ring: its token, then its key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecoratedKey(Box<[u8]>);

const TOKEN_BYTES: usize = 8;

impl DecoratedKey {
    /// The place of the partition with that key.
    pub fn new(key: &[u8]) -> Self {
        Self::with_token(Token::from_key(key), key)
    }

    /// The place of a token and key; with an empty key, the place before all partitions of that token.
    pub fn with_token(token: Token, key: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(TOKEN_BYTES + key.len());
        // The sign bit turned, signed numbers are in the order of their bytes.
        bytes.extend((token.0 ^ i64::MIN).to_be_bytes());
        bytes.extend(key);
        Self(bytes.into())
    }

    /// The key.
    pub fn key(&self) -> &[u8] {
        self.0.get(TOKEN_BYTES..).unwrap_or_default()
    }

    /// The token.
    pub fn token(&self) -> Token {
        let bytes = self.0.first_chunk::<TOKEN_BYTES>().copied().unwrap_or_default();
        Token(i64::from_be_bytes(bytes) ^ i64::MIN)
    }

    /// Token and key as bytes in the order of the ring.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::borrow::Borrow<[u8]> for DecoratedKey {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}
