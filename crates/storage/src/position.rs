//! Positions: partitions on the ring ([`DecoratedKey`]) and rows within a partition ([`Position`]),
//! encoded so that their order is the order of the bytes.
//!
//! The position of a row is its clustering values in byte-comparable form, each after a marker
//! byte, and a terminator. A bound before or after all rows that share a prefix has another
//! terminator: `BEFORE < ROW_END < NULL < VALUE < AFTER`. So the bounds of slices and of range
//! tombstones are positions in the same order, never equal to that of a row, and every range can be
//! half-open. Cassandra's `ByteComparable` encoding does the same with the same bytes.

use schema::partitioner::Token;

use crate::byte_comparable;
use crate::layout::Layout;

const BEFORE: u8 = 0x20;
const ROW_END: u8 = 0x38;
const NULL: u8 = 0x3e;
const VALUE: u8 = 0x40;
const AFTER: u8 = 0x60;

/// The position of a row, or of a bound between rows, within a partition.
pub type Position = Box<[u8]>;

/// Appends the position of the row with these clustering values.
pub fn encode_row<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
    out: &mut Vec<u8>,
) {
    encode_prefix(layout, values, out);
    out.push(ROW_END);
}

/// The bound before all rows that start with these values.
pub fn prefix_start<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
) -> Position {
    let mut out = Vec::new();
    encode_prefix(layout, values, &mut out);
    out.push(BEFORE);
    out.into()
}

/// The bound after all rows that start with these values.
pub fn prefix_end<'a>(
    layout: &Layout,
    values: impl IntoIterator<Item = Option<&'a [u8]>>,
) -> Position {
    let mut out = Vec::new();
    encode_prefix(layout, values, &mut out);
    out.push(AFTER);
    out.into()
}

/// The bound before all rows.
pub fn first() -> Position {
    Box::new([BEFORE])
}

/// The bound after all rows.
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

/// A slice of the rows of a partition: a half-open range of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The first position in the slice.
    pub start: Position,
    /// The first position after the slice.
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

/// A partition key with its token, in the order of the ring: by token, then by the bytes of the
/// key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecoratedKey(Box<[u8]>);

const TOKEN_BYTES: usize = 8;

/// The token in the bytes of a [`DecoratedKey`]. With the sign bit flipped, signed numbers are in
/// the order of their big-endian bytes.
pub(crate) fn token_bytes(token: Token) -> [u8; TOKEN_BYTES] {
    (token.0 ^ i64::MIN).to_be_bytes()
}

impl DecoratedKey {
    /// Decorates a partition key with its token.
    pub fn new(key: &[u8]) -> Self {
        Self::with_token(Token::from_key(key), key)
    }

    /// A key with a given token; with an empty key, the bound before all partitions of that token.
    pub fn with_token(token: Token, key: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(TOKEN_BYTES + key.len());
        bytes.extend(token_bytes(token));
        bytes.extend(key);
        Self(bytes.into())
    }

    /// A key from what [`Self::as_bytes`] returned.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The partition key as serialised, without the token.
    pub fn key(&self) -> &[u8] {
        self.0.get(TOKEN_BYTES..).unwrap_or_default()
    }

    /// The token of the key.
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
