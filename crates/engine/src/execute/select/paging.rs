//! [`PagingState`]: where the next page begins. Its encoding is opaque to clients, and valid for
//! any later execution of the same statement.
//!
//! ```text
//! version  flags  left of LIMIT (4)  taken of partition (4)  key length (2)  key  row length (4)  row
//! ```

use storage::{DecoratedKey, Position};

use cql::ErrorCode;

use crate::error::{Error, Result};

const VERSION: u8 = 0x68;
const HAS_LIMIT: u8 = 1;
const HAS_ROW: u8 = 2;

/// The position at which a page ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PagingState {
    /// How many rows or groups LIMIT still admits.
    pub(crate) left: Option<u32>,
    /// How many rows or groups of the partition were returned.
    pub(crate) taken: u32,
    /// The partition of the last row.
    pub(crate) key: DecoratedKey,
    /// The position of the last row; `None` if nothing more of the partition is read.
    pub(crate) row: Option<Position>,
}

impl PagingState {
    /// Encodes the state.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = vec![VERSION];
        let has_limit = if self.left.is_some() { HAS_LIMIT } else { 0 };
        out.push(has_limit | if self.row.is_some() { HAS_ROW } else { 0 });
        out.extend(self.left.unwrap_or_default().to_be_bytes());
        out.extend(self.taken.to_be_bytes());
        let key = self.key.key();
        out.extend(u16::try_from(key.len()).unwrap_or(u16::MAX).to_be_bytes());
        out.extend(key);
        if let Some(row) = &self.row {
            out.extend(u32::try_from(row.len()).unwrap_or(u32::MAX).to_be_bytes());
            out.extend(&**row);
        }
        out
    }

    /// Decodes a state; `key` builds the partition key as the table orders it.
    pub(crate) fn decode(bytes: &[u8], key: impl FnOnce(&[u8]) -> DecoratedKey) -> Result<Self> {
        Self::read(bytes, key)
            .ok_or_else(|| Error::new(ErrorCode::Protocol, "Invalid value for the paging state"))
    }

    fn read(bytes: &[u8], make: impl FnOnce(&[u8]) -> DecoratedKey) -> Option<Self> {
        let (&[version, flags], rest) = bytes.split_first_chunk()?;
        if version != VERSION || flags > HAS_LIMIT | HAS_ROW {
            return None;
        }
        let (left, rest) = rest.split_first_chunk()?;
        let (taken, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (key, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        let row = if flags & HAS_ROW == 0 {
            rest.is_empty().then_some(None)?
        } else {
            let (length, row) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            Some((row.len() == length).then(|| row.into())?)
        };
        Some(Self {
            left: (flags & HAS_LIMIT != 0).then(|| u32::from_be_bytes(*left)),
            taken: u32::from_be_bytes(*taken),
            key: make(key),
            row,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::PagingState;
    use storage::DecoratedKey;

    #[test]
    fn states_come_back_as_they_went() {
        let key = DecoratedKey::new(b"key");
        for row in [None, Some(Box::from(*b"row"))] {
            for left in [None, Some(0), Some(7)] {
                let state = PagingState { left, taken: 3, key: key.clone(), row: row.clone() };
                assert_eq!(PagingState::decode(&state.encode(), DecoratedKey::new).unwrap(), state);
            }
        }
    }

    #[test]
    fn garbage_is_refused() {
        for bytes in [&b""[..], b"garbage", &[0x68], &[0x68, 9, 0, 0]] {
            let error = PagingState::decode(bytes, DecoratedKey::new).unwrap_err();
            assert_eq!(error.message, "Invalid value for the paging state");
            assert_eq!(error.code, cql::ErrorCode::Protocol);
        }
    }
}
