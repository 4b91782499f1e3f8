//! Defaults of columns, and the values that only the client can make.

use std::fmt;

/// The default of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnDefault {
    /// What it is.
    pub value: DefaultValue,
    /// The expression of the file (`nextval` for a serial or identity column).
    pub sql: String,
    /// `GENERATED ALWAYS AS IDENTITY`: no statement may give the value.
    pub always: bool,
}

/// The value of a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// A constant, in CQL's spelling.
    Constant(String),
    /// A value that the client makes.
    Client(ClientValue),
    /// An expression that neither a statement of CQL nor the client can compute. A statement that
    /// relies on it is refused.
    Unsupported,
}

/// A value that the client makes when it runs a statement: in `PostgreSQL` the server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClientValue {
    /// The current time: one for all columns of a statement.
    Now,
    /// The current date.
    Today,
    /// The current time of the day.
    TimeOfDay,
    /// A new uuid.
    NewUuid,
    /// The next number of a sequence.
    NextNumber,
}

impl ClientValue {
    /// Whether all uses in one statement have the same value.
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Now | Self::Today | Self::TimeOfDay)
    }

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Today => "today",
            Self::TimeOfDay => "time of day",
            Self::NewUuid => "new uuid",
            Self::NextNumber => "next number",
        }
    }
}

impl fmt::Display for ClientValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Now => "the current time",
            Self::Today => "the current date",
            Self::TimeOfDay => "the current time of the day",
            Self::NewUuid => "a new uuid",
            Self::NextNumber => "the next number",
        })
    }
}
