//! The dates for which sizes are shown: those of the growth that the model gives, else round years.

use design::estimate::YEAR;
use model::figures;
use model::plan::Volume;

/// Years after which sizes are shown where no dates are given.
const YEARS: [f64; 3] = [1.0, 3.0, 5.0];
/// At most this many dates are shown side by side.
const DATES_MAX: usize = 8;

/// The dates for some tables, in days from today, ascending and without today.
pub(crate) fn list_dates<'a>(volumes: impl IntoIterator<Item = &'a Volume>) -> Vec<f64> {
    let mut dates: Vec<f64> = volumes.into_iter().flat_map(Volume::curve_dates).collect();
    let last = YEARS.map(|years| years * YEAR);
    if dates.is_empty() {
        return last.to_vec();
    }
    dates.sort_by(f64::total_cmp);
    dates.dedup();
    dates.truncate(DATES_MAX);
    // The last year of the planning period is shown, unless a date is there already.
    let end = last[2];
    if dates.last().is_none_or(|date| *date < end * 0.99) {
        dates.push(end);
    }
    dates
}

/// A date in words: `today`, `in 6 months`.
pub(crate) fn date_text(days: f64) -> String {
    if days <= 0.0 {
        "today".to_owned()
    } else {
        format!("in {}", figures::format_time_ahead(days))
    }
}
