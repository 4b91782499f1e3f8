//! When a table crosses the published limits, what is seen then, and how soon that usually hurts.

use std::io::{self, Write};

use anstyle::Style;
use design::estimate::{LimitCrossing, crossings};
use model::figures;
use schema::size::limits::{Limit, Measure, Mistake, byte_limits};

use super::design::align_columns;
use super::estimate_report::{EstimateReport, TableEstimate};
use super::estimate_text::{BAD, FAINT, paragraph};
use super::planning_dates::is_far;

/// When limits are exceeded, with the symptoms of each stage.
pub(super) fn write(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    out: &mut dyn Write,
) -> io::Result<()> {
    // Tombstones have a table of their own.
    let mut crossed = crossings(&of.estimate);
    crossed.retain(|crossing| {
        crossing.limit.measure != Measure::Tombstones
            && !(is_far(crossing.p999) && is_far(crossing.largest))
    });
    let would = if of.series.is_stated { "" } else { "would " };
    if crossed.is_empty() {
        let never = if of.series.is_stated { "never exceeded" } else { "would never be exceeded" };
        return writeln!(out, "  {FAINT}limits of partitions: {never}{FAINT:#}");
    }
    let head =
        [format!("limits that partitions {would}exceed"), "at p99.9".into(), "at max".into()];
    let mut rows = vec![head];
    rows.extend(crossed.iter().map(|crossing| {
        let when = |days| crossing_text(report, of, days);
        let name = format!("{}, {}", limit_text(crossing.limit), stage_text(crossing.limit));
        [name, when(crossing.p999), when(crossing.largest)]
    }));
    let lines = align_columns(&rows);
    for (line, crossing) in lines.iter().zip(std::iter::once(None).chain(crossed.iter().map(Some)))
    {
        let Some(crossing) = crossing else {
            writeln!(out, "  {FAINT}{line}{FAINT:#}")?;
            continue;
        };
        let is_near = crossing.p999.is_some_and(|days| days <= of.estimate.horizon_days);
        let style = if is_near { BAD } else { Style::new() };
        writeln!(out, "  {style}{line}{style:#}")?;
        let symptom = format!("{} ({})", crossing.limit.consequence, crossing.limit.source);
        paragraph((FAINT, "    "), &symptom, report.width, out)?;
    }
    write_growth(report, of, &crossed, out)
}

/// The mistake behind limits that growth crosses.
fn write_growth(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    crossed: &[LimitCrossing],
    out: &mut dyn Write,
) -> io::Result<()> {
    let stages = crossed.iter().filter(|it| it.limit.measure == Measure::Bytes);
    match stages.map(|it| it.limit.mistake).next() {
        Some(mistake) if of.estimate.table.volume.is_unbounded() => {
            write_mistake(report, mistake, out)
        }
        _ => Ok(()),
    }
}

/// The severity of a mistake, and how long it usually takes until it hurts.
pub(super) fn write_mistake(
    report: &EstimateReport<'_>,
    mistake: &Mistake,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = format!(
        "{}: {}; usual time to impact {}; then {}",
        mistake.name, mistake.severity, mistake.time_to_impact, mistake.symptoms
    );
    paragraph((BAD, "  "), &text, report.width, out)
}

/// A minute in days: what is exceeded sooner is exceeded at once.
const MINUTE_DAYS: f64 = 1.0 / 1_440.0;

/// `exceeded today`, `2027-02-13 (408 days)`, `never`.
pub(super) fn crossing_text(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    days: Option<f64>,
) -> String {
    match days {
        Some(days) if days <= 0.0 && of.series.is_stated => "exceeded today".to_owned(),
        Some(days) if days < MINUTE_DAYS => "today".to_owned(),
        Some(days) if !is_far(Some(days)) => {
            format!("{} ({})", report.as_of.plus_days(days), figures::format_days(days))
        }
        _ => "never".to_owned(),
    }
}

/// The name of a limit; of bytes with the stage that it begins.
fn stage_text(limit: &Limit) -> String {
    match byte_limits().position(|of| of.name == limit.name) {
        Some(at) => format!("stage {}: {}", at + 1, limit.name),
        None => limit.name.to_owned(),
    }
}

/// The value of a limit: `100 MB`, `300k rows`.
pub(super) fn limit_text(limit: &Limit) -> String {
    match limit.measure {
        Measure::Bytes | Measure::CollectionBytes => figures::format_bytes(limit.most),
        Measure::Rows => figures::pluralise(limit.most, "row"),
        Measure::Cells => figures::pluralise(limit.most, "value"),
        Measure::Tombstones => figures::pluralise(limit.most, "tombstone"),
        Measure::Elements => figures::pluralise(limit.most, "element"),
    }
}
