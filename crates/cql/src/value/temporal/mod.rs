//! Dates, times of day and timestamps, parsed with the leniency and the peculiarities of Java's
//! formatters.

mod calendar;
mod date;
mod scanner;
mod time;
mod timestamp;
mod zone;

pub use calendar::CalendarDate;
pub(super) use date::{parse_date, print_date};
pub(super) use time::{parse_time, print_time};
pub(super) use timestamp::{parse_timestamp, print_timestamp};

/// Whether a text is digits with an optional minus sign: a raw number in place of a date.
fn is_raw(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}
