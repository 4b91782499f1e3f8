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
    /// Version 5: segments with checksums, ids of result columns, a keyspace and a time per request,
    /// `duration`.
    V5 = 5,
    /// Version 6, a beta: the messages of version 5. Clients must set the flag `USE_BETA`.
    V6 = 6,
}

impl ProtocolVersion {
    /// All supported versions, lowest first.
    pub const ALL: [Self; 4] = [Self::V3, Self::V4, Self::V5, Self::V6];
    /// The highest version that is not a beta: the version of errors that are sent to clients with
    /// an unsupported version.
    pub const HIGHEST: Self = Self::V5;

    /// The version with that number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.number() == number)
    }

    /// The version number.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Whether clients must set the flag `USE_BETA`.
    pub const fn is_beta(self) -> bool {
        matches!(self, Self::V6)
    }

    /// Whether frames are sent in segments after STARTUP.
    pub fn has_segments(self) -> bool {
        self >= Self::V5
    }

    /// The error text for a version that is unsupported, or a beta without its flag. Drivers check
    /// its first words, and some the list.
    pub fn refusal(number: u8) -> String {
        if let Some(beta) = Self::from_number(number).filter(|version| version.is_beta()) {
            return format!(
                "Beta version of the protocol used ({beta}), but USE_BETA flag is unset"
            );
        }
        let supported = Self::ALL.map(|version| version.to_string()).join(", ");
        format!(
            "Invalid or unsupported protocol version ({number}); supported versions are ({supported})"
        )
    }
}

impl fmt::Display for ProtocolVersion {
    /// The form in SUPPORTED: `4/v4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let beta = if self.is_beta() { "-beta" } else { "" };
        write!(f, "{0}/v{0}{beta}", self.number())
    }
}
