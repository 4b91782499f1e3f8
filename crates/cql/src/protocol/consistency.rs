//! [`Consistency`]: the consistency levels.

use std::fmt;

/// A consistency level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Consistency {
    /// `ANY`
    Any = 0x00,
    /// `ONE`
    #[default]
    One = 0x01,
    /// `TWO`
    Two = 0x02,
    /// `THREE`
    Three = 0x03,
    /// `QUORUM`
    Quorum = 0x04,
    /// `ALL`
    All = 0x05,
    /// `LOCAL_QUORUM`
    LocalQuorum = 0x06,
    /// `EACH_QUORUM`
    EachQuorum = 0x07,
    /// `SERIAL`
    Serial = 0x08,
    /// `LOCAL_SERIAL`
    LocalSerial = 0x09,
    /// `LOCAL_ONE`
    LocalOne = 0x0A,
    /// `NODE_LOCAL`
    NodeLocal = 0x0B,
}

impl Consistency {
    /// All levels, in numeric order.
    pub const ALL_LEVELS: [Self; 12] = [
        Self::Any,
        Self::One,
        Self::Two,
        Self::Three,
        Self::Quorum,
        Self::All,
        Self::LocalQuorum,
        Self::EachQuorum,
        Self::Serial,
        Self::LocalSerial,
        Self::LocalOne,
        Self::NodeLocal,
    ];

    /// The level with that number.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL_LEVELS.get(usize::from(number)).copied()
    }

    /// The number in the protocol.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Whether it is a serial level, for conditional writes.
    pub const fn is_serial(self) -> bool {
        matches!(self, Self::Serial | Self::LocalSerial)
    }

    /// The name of the level.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "ANY",
            Self::One => "ONE",
            Self::Two => "TWO",
            Self::Three => "THREE",
            Self::Quorum => "QUORUM",
            Self::All => "ALL",
            Self::LocalQuorum => "LOCAL_QUORUM",
            Self::EachQuorum => "EACH_QUORUM",
            Self::Serial => "SERIAL",
            Self::LocalSerial => "LOCAL_SERIAL",
            Self::LocalOne => "LOCAL_ONE",
            Self::NodeLocal => "NODE_LOCAL",
        }
    }
}

impl fmt::Display for Consistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
