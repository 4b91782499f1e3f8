//! [`ProtocolVersion`]: the supported versions of the native protocol.

use std::fmt;

/// A version of the native protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProtocolVersion {
    /// Version 3.
    V3 = 3,
    /// Version 4: unset values, warnings, custom payloads, the markers of the partition key,
    /// `smallint` and other types.
    V4 = 4,
}

impl ProtocolVersion {
    /// All supported versions, lowest first.
    pub const ALL: [Self; 2] = [Self::V3, Self::V4];
    /// The version of errors that are sent to clients with an unsupported version.
    pub const HIGHEST: Self = Self::V4;

    /// The version with that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.number() == number)
    }

    /// The version number.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The error text for an unsupported version. Drivers check its first words, and some the list.
    pub fn refusal(number: u8) -> String {
        let supported = Self::ALL.map(|version| version.to_string()).join(", ");
        format!(
            "Invalid or unsupported protocol version ({number}); supported versions are ({supported})"
        )
    }
}

impl fmt::Display for ProtocolVersion {
    /// The form in SUPPORTED: `4/v4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{0}/v{0}", self.number())
    }
}
