//! [`Uuid`]: UUIDs, of which those of version 1 contain a time.

use std::cmp::Ordering;
use std::fmt;

use super::error::{TextForm, ValueError, refuse, refuse_form};
use crate::hex::hex_to_bytes;

/// A UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// Parses `8-4-4-4-12` hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let groups: Vec<&str> = text.split('-').collect();
        let lengths = groups.iter().map(|group| group.len());
        if !lengths.eq([8, 4, 4, 4, 12]) {
            return None;
        }
        Some(Self(hex_to_bytes(&groups.concat())?.try_into().ok()?))
    }

    /// The version: 1 for time-based UUIDs.
    pub fn version(self) -> u8 {
        self.0[6] >> 4
    }

    /// The high half: for version 1 the time, its low bits first.
    fn high(self) -> u64 {
        self.0.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
    }

    /// The low half: clock sequence and node.
    fn low(self) -> u64 {
        self.0.iter().skip(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
    }

    /// The high half with the bits of the time in order, after the version.
    fn reorder_timestamp(self) -> i64 {
        let high = self.high();
        (high << 48 | (high << 16) & 0xffff_0000_0000 | high >> 32).cast_signed()
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, byte) in self.0.iter().enumerate() {
            write!(f, "{}{byte:02x}", if matches!(i, 4 | 6 | 8 | 10) { "-" } else { "" })?;
        }
        Ok(())
    }
}

/// Parses a uuid; the empty text is the empty value.
pub(super) fn parse_uuid(text: &str) -> Result<Vec<u8>, ValueError> {
    match Uuid::parse(text) {
        Some(uuid) => Ok(uuid.0.to_vec()),
        None if text.is_empty() => Ok(Vec::new()),
        None => refuse_form(TextForm::Number, format!("Unable to make UUID from '{text}'")),
    }
}

/// Parses a timeuuid.
pub(super) fn parse_timeuuid(text: &str) -> Result<Vec<u8>, ValueError> {
    match Uuid::parse(text) {
        Some(uuid) if uuid.version() == 1 => Ok(uuid.0.to_vec()),
        Some(_) => refuse("TimeUUID supports only version 1 UUIDs"),
        None if text.is_empty() => Ok(Vec::new()),
        None => refuse(format!("Unknown timeuuid representation: {text}")),
    }
}

/// Validates sixteen bytes or none.
pub(super) fn validate_uuid(bytes: &[u8]) -> Result<(), ValueError> {
    match bytes.len() {
        0 | 16 => Ok(()),
        other => refuse(format!("UUID should be 16 or 0 bytes ({other})")),
    }
}

/// Validates a UUID of version 1. (The text shows the first digit of the value, not the version, as
/// the server's does.)
pub(super) fn validate_timeuuid(bytes: &[u8]) -> Result<(), ValueError> {
    validate_uuid(bytes)?;
    match (bytes.first(), bytes.get(6)) {
        (Some(first), Some(sixth)) if sixth & 0xf0 != 0x10 => {
            refuse(format!("Invalid version for TimeUUID type: 0x{:x}", first >> 4))
        }
        _ => Ok(()),
    }
}

fn to_uuid_pair(a: &[u8], b: &[u8]) -> Result<(Uuid, Uuid), Ordering> {
    match (a.try_into(), b.try_into()) {
        (Ok(a), Ok(b)) => Ok((Uuid(a), Uuid(b))),
        (a, b) => Err(a.is_ok().cmp(&b.is_ok())),
    }
}

/// Compares by version, then by time for version 1 and by bytes for all others.
pub(super) fn compare_uuids(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = match to_uuid_pair(a, b) {
        Ok(pair) => pair,
        Err(order) => return order,
    };
    let by_high = || {
        if a.version() == 1 {
            a.reorder_timestamp().cmp(&b.reorder_timestamp())
        } else {
            a.high().cmp(&b.high())
        }
    };
    a.version().cmp(&b.version()).then_with(by_high).then_with(|| a.low().cmp(&b.low()))
}

/// Compares by time, then by the signed bytes of the low half.
pub(super) fn compare_timeuuids(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = match to_uuid_pair(a, b) {
        Ok(pair) => pair,
        Err(order) => return order,
    };
    let signed_bytes = |uuid: Uuid| (uuid.low() ^ 0x0080_8080_8080_8080).cast_signed();
    a.reorder_timestamp()
        .cmp(&b.reorder_timestamp())
        .then_with(|| signed_bytes(a).cmp(&signed_bytes(b)))
}

/// Compares in Java's order of UUIDs, that of `LexicalUUIDType`: both halves as signed numbers.
pub(super) fn compare_lexical(a: &[u8], b: &[u8]) -> Ordering {
    match to_uuid_pair(a, b) {
        Ok((a, b)) => {
            let halves = |uuid: Uuid| (uuid.high().cast_signed(), uuid.low().cast_signed());
            halves(a).cmp(&halves(b))
        }
        Err(order) => order,
    }
}
