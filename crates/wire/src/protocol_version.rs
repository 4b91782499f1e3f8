//! The versions of the protocol that are spoken here.

use std::fmt;

/// A version of the native protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProtocolVersion {
    /// 3
    V3 = 3,
    /// 4: unset values, warnings, custom payloads, positions of the partition key, `smallint` and its like.
    V4 = 4,
}

impl ProtocolVersion {
    /// All of them, lowest first.
    pub const ALL: [Self; 2] = [Self::V3, Self::V4];
    /// In which we answer those who speak a version unknown to us.
    pub const HIGHEST: Self = Self::V4;

    /// The version of that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.number() == number)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The refusal of any other version. Drivers look for its first words, and some for the list.
    pub fn refusal(number: u8) -> String {
        let supported = Self::ALL.map(|version| version.to_string()).join(", ");
        format!(
            "Invalid or unsupported protocol version ({number}); supported versions are ({supported})"
        )
    }
}

impl fmt::Display for ProtocolVersion {
    /// As SUPPORTED lists it: `4/v4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}/v{0}", self.number())
    }
}
