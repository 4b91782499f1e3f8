//! Where new ids come from.

use std::fmt;

/// A source of ids, handed in.
pub trait UuidSource {
    /// A random id (version 4).
    fn uuid(&self) -> [u8; 16];

    /// A time-based id (version 1) of now, later than all before it.
    fn time_uuid(&self) -> [u8; 16];
}

impl fmt::Debug for dyn UuidSource + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ids")
    }
}
