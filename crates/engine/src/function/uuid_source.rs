//! [`UuidSource`]: the source of new UUIDs, as a dependency.

use std::fmt;

/// A source of UUIDs.
pub trait UuidSource {
    /// A random UUID (version 4).
    fn uuid(&self) -> [u8; 16];

    /// A time-based UUID (version 1) of the current time, later than all before it.
    fn time_uuid(&self) -> [u8; 16];
}

impl fmt::Debug for dyn UuidSource + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ids")
    }
}
