//! Java's calendar: Gregorian since 15 October 1582, Julian before.

/// The milliseconds of a day.
pub(super) const DAY_MS: i64 = 86_400_000;
/// The first day of the Gregorian calendar, in days since 1970.
const GREGORIAN_START: i64 = -141_427;
/// Days from 1 March of the year 0 of either calendar to 1970.
const GREGORIAN_OFFSET: i64 = 719_468;
const JULIAN_OFFSET: i64 = GREGORIAN_OFFSET + 2;

/// A date; months count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CalendarDate {
    pub(super) year: i64,
    pub(super) month: i64,
    day: i64,
}

impl CalendarDate {
    /// The date of a day since 1970.
    pub(super) fn from_day(day: i64) -> Self {
        let (year, day_of_year) = if day >= GREGORIAN_START {
            let days = day + GREGORIAN_OFFSET;
            let (era, rest) = (days.div_euclid(146_097), days.rem_euclid(146_097));
            let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365;
            (era * 400 + year, rest - (365 * year + year / 4 - year / 100))
        } else {
            let days = day + JULIAN_OFFSET;
            let (cycle, rest) = (days.div_euclid(1461), days.rem_euclid(1461));
            let year = (rest / 365).min(3);
            (cycle * 4 + year, rest - 365 * year)
        };
        // Years start in March here, so that the leap day is their last.
        let month = (5 * day_of_year + 2) / 153;
        let date = day_of_year - (153 * month + 2) / 5 + 1;
        let is_next = month >= 10;
        Self { year: year + i64::from(is_next), month: (month + 2) % 12, day: date }
    }

    /// The day since 1970.
    pub(super) fn day(self) -> i64 {
        let day = self.day_in(true);
        if day >= GREGORIAN_START { day } else { self.day_in(false) }
    }

    fn day_in(self, gregorian: bool) -> i64 {
        let year = if self.month < 2 { self.year - 1 } else { self.year };
        let month = (self.month + 10) % 12;
        let day_of_year = (153 * month + 2) / 5 + self.day - 1;
        let leap_days = year.div_euclid(4);
        if gregorian {
            let leap_days = leap_days - year.div_euclid(100) + year.div_euclid(400);
            365 * year + leap_days + day_of_year - GREGORIAN_OFFSET
        } else {
            365 * year + leap_days + day_of_year - JULIAN_OFFSET
        }
    }

    /// Adds months; the day is capped at the end of a shorter month.
    pub(super) fn add_months(self, months: i64) -> Self {
        let total = self.year * 12 + self.month + months;
        let (year, month) = (total.div_euclid(12), total.rem_euclid(12));
        Self { year, month, day: self.day.min(month_length(year, month)) }
    }
}

fn month_length(year: i64, month: i64) -> i64 {
    let first = |year, month| CalendarDate { year, month, day: 1 }.day();
    let (next_year, next_month) = if month == 11 { (year + 1, 0) } else { (year, month + 1) };
    let length = first(next_year, next_month) - first(year, month);
    // October 1582 lacks ten days in the middle.
    if length < 28 { 31 } else { length }
}

/// Adds months to a time, both in milliseconds since 1970.
pub(super) fn add_months(millis: i64, months: i64) -> i64 {
    let (day, of_day) = (millis.div_euclid(DAY_MS), millis.rem_euclid(DAY_MS));
    CalendarDate::from_day(day).add_months(months).day().wrapping_mul(DAY_MS).wrapping_add(of_day)
}

#[cfg(test)]
mod tests {
    use super::CalendarDate;

    #[test]
    fn days_and_dates_agree() {
        for day in (-800_000..800_000).step_by(13) {
            assert_eq!(CalendarDate::from_day(day).day(), day, "{:?}", CalendarDate::from_day(day));
        }
        let last_julian = CalendarDate::from_day(-141_428);
        assert_eq!((last_julian.year, last_julian.month, last_julian.day), (1582, 9, 4));
    }
}
