//! Calendar dates of the command line and of reports, read and written as CQL's `date`.

use std::fmt;

use cql::types::{NativeType, Type};
use cql::value;

/// 1970-01-01 in CQL's encoding of `date`, which counts days from the middle of the unsigned range.
const EPOCH: u32 = 1 << 31;

/// A date, in CQL's encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date(u32);

impl Date {
    /// Parses a date such as `2026-01-31`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let bytes = Some(text)
            .filter(|text| text.contains('-'))
            .and_then(|text| value::from_text(&Type::Native(NativeType::Date), text, 0).ok());
        let day: Option<[u8; 4]> = bytes.and_then(|bytes| bytes.try_into().ok());
        day.map(|day| Self(u32::from_be_bytes(day)))
            .ok_or_else(|| "expected a date such as 2026-01-31".to_owned())
    }

    /// The date this many days after 1970-01-01.
    pub(crate) fn from_epoch_days(days: u64) -> Self {
        Self(EPOCH.saturating_add(u32::try_from(days).unwrap_or(u32::MAX)))
    }

    /// The date this many days later; fractions of a day are truncated.
    #[must_use]
    pub(crate) fn plus_days(self, days: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates, and dates that far away are not shown"
        )]
        let days = days.max(0.0) as u32;
        Self(self.0.saturating_add(days))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let literal = value::literal(&Type::Native(NativeType::Date), Some(&self.0.to_be_bytes()));
        f.write_str(literal.unwrap_or_default().trim_matches('\''))
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_are_read_written_and_added() {
        let day = Date::parse("2024-02-28").unwrap();
        assert_eq!(day.to_string(), "2024-02-28");
        assert_eq!(day.plus_days(2.9).to_string(), "2024-03-01");
        assert_eq!(Date::from_epoch_days(365).to_string(), "1971-01-01");
        for wrong in ["2024-02-30", "yesterday", "20240228", "", "2024-1-1"] {
            assert!(Date::parse(wrong).is_err(), "{wrong}");
        }
        assert!(day.plus_days(f64::INFINITY) > day);
    }
}
