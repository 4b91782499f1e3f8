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
    /// The current time plus an interval.
    ShiftedNow(TimeShift),
    /// The current date plus an interval.
    ShiftedToday(TimeShift),
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
        !matches!(self, Self::NewUuid | Self::NextNumber)
    }

    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Today => "today",
            Self::ShiftedNow(_) => "now plus an interval",
            Self::ShiftedToday(_) => "today plus an interval",
            Self::TimeOfDay => "time of day",
            Self::NewUuid => "new uuid",
            Self::NextNumber => "next number",
        }
    }
}

impl fmt::Display for ClientValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Now => f.write_str("the current time"),
            Self::Today => f.write_str("the current date"),
            Self::ShiftedNow(shift) => write!(f, "the current time {shift}"),
            Self::ShiftedToday(shift) => write!(f, "the current date {shift}"),
            Self::TimeOfDay => f.write_str("the current time of the day"),
            Self::NewUuid => f.write_str("a new uuid"),
            Self::NextNumber => f.write_str("the next number"),
        }
    }
}

/// An interval that is added to a time: calendar months, then milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TimeShift {
    /// Months.
    pub months: i32,
    /// Milliseconds.
    pub millis: i64,
}

impl TimeShift {
    /// The interval in the opposite direction.
    #[must_use]
    pub const fn negate(self) -> Self {
        Self { months: self.months.saturating_neg(), millis: self.millis.saturating_neg() }
    }

    /// Both intervals, one after the other.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            months: self.months.saturating_add(other.months),
            millis: self.millis.saturating_add(other.millis),
        }
    }
}

impl fmt::Display for TimeShift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units =
            [("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000), ("seconds", 1_000)];
        let sign = |is_negative: bool| if is_negative { "-" } else { "+" };
        if self.months != 0 {
            write!(f, "{} {} months", sign(self.months < 0), self.months.unsigned_abs())?;
        }
        if self.millis != 0 || self.months == 0 {
            let between = if self.months == 0 { "" } else { " " };
            let unit = units.iter().find(|(_, length)| self.millis % length == 0);
            let (unit, length) = unit.copied().unwrap_or(("milliseconds", 1));
            let number = (self.millis / length).unsigned_abs();
            write!(f, "{between}{} {number} {unit}", sign(self.millis < 0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_spelt_in_their_largest_unit() {
        let text = |months, millis| TimeShift { months, millis }.to_string();
        assert_eq!(text(0, -7 * 86_400_000), "- 7 days");
        assert_eq!(text(0, 5_400_000), "+ 90 minutes");
        assert_eq!(text(1, 0), "+ 1 months");
        assert_eq!(text(-1, 1), "- 1 months + 1 milliseconds");
    }
}
