//! The dates for which sizes are shown: those of the growth that the model gives, else round years.

use design::estimate::YEAR;
use model::figures;
use model::plan::Volume;

/// Years after which sizes are shown where no dates are given.
const YEARS: [f64; 3] = [1.0, 3.0, 5.0];
/// The years of charts.
const SERIES_YEARS: [f64; 9] = [0.0, 1.0 / 12.0, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0];
/// Dates of a chart that are fewer days apart cannot be told apart.
const SERIES_GAP: f64 = 1.0;
/// At most this many dates are shown side by side.
const DATES_MAX: usize = 8;
/// What happens only after this many years never happens.
const FAR_YEARS: f64 = 100.0;

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

/// The dates of charts, in days from today, ascending and with today: months of the first year, then
/// years, and those of further dates that lie between them.
pub(crate) fn list_series_dates(further: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut dates = SERIES_YEARS.map(|years| years * YEAR).to_vec();
    let is_near = |one: f64, other: f64| (one - other).abs() < SERIES_GAP;
    for days in further {
        let is_within = dates.last().is_some_and(|last| days < *last);
        if is_within && !dates.iter().any(|date| is_near(*date, days)) {
            dates.push(days);
            dates.sort_by(f64::total_cmp);
        }
    }
    dates
}

/// Whether a day is too far away to be spoken of.
pub(crate) fn is_far(days: Option<f64>) -> bool {
    days.is_none_or(|days| days > FAR_YEARS * YEAR)
}

/// A date in words: `today`, `in 6 months`.
pub(crate) fn date_text(days: f64) -> String {
    if days <= 0.0 {
        "today".to_owned()
    } else {
        format!("in {}", figures::format_time_ahead(days))
    }
}
