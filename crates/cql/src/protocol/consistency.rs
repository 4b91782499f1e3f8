//! [`Consistency`]: the consistency levels.

use std::fmt;

crate::named_enum! {
    /// A consistency level.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Consistency {
        Any = 0x00 => "ANY",
        #[default]
        One = 0x01 => "ONE",
        Two = 0x02 => "TWO",
        Three = 0x03 => "THREE",
        Quorum = 0x04 => "QUORUM",
        All = 0x05 => "ALL",
        LocalQuorum = 0x06 => "LOCAL_QUORUM",
        EachQuorum = 0x07 => "EACH_QUORUM",
        Serial = 0x08 => "SERIAL",
        LocalSerial = 0x09 => "LOCAL_SERIAL",
        LocalOne = 0x0A => "LOCAL_ONE",
        NodeLocal = 0x0B => "NODE_LOCAL",
    }
}

impl Consistency {
    /// The level with that number.
    pub fn from_number(number: u16) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The number in the protocol.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// Whether it is a serial level, for conditional writes.
    pub const fn is_serial(self) -> bool {
        matches!(self, Self::Serial | Self::LocalSerial)
    }
}

impl fmt::Display for Consistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
