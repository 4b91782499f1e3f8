//! The proleptic Gregorian calendar, counted in days since 1970.

/// A day of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarDate {
    /// The year, with a year 0.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
}

pub(super) const MILLIS_PER_DAY: i64 = 86_400_000;

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// The number of days of a month.
pub(super) fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl CalendarDate {
    /// The days since 1970-01-01. Years are counted from March, in eras of 400 years.
    pub fn to_epoch_days(self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month = (self.month + 9) % 12;
        let day_of_year = (153 * month + 2) / 5 + self.day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The date that many days after 1970-01-01.
    pub fn from_epoch_days(days: i64) -> Self {
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let day_of_era = days.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Self { year, month, day: day_of_year - (153 * shifted + 2) / 5 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::{CalendarDate, month_length};

    #[test]
    fn every_day_of_eight_centuries() {
        let mut expected = CalendarDate { year: 1599, month: 12, day: 31 }.to_epoch_days();
        for year in 1600..2400 {
            for month in 1..=12 {
                for day in 1..=month_length(year, month) {
                    expected += 1;
                    let found = CalendarDate { year, month, day };
                    assert_eq!(found.to_epoch_days(), expected);
                    assert_eq!(CalendarDate::from_epoch_days(expected), found);
                }
            }
        }
        assert_eq!(CalendarDate { year: 1970, month: 1, day: 1 }.to_epoch_days(), 0);
    }
}
