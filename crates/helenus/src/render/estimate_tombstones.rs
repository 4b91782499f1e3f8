//! The tombstones of a table by day: what is live, what is dead, and what reads scan.

use std::io::{self, Write};

use anstyle::Style;
use design::estimate::{TombstonePoint, TombstoneSeries, TombstoneThreshold, interpolate_read_ms};
use model::figures;

use super::estimate_limits::{crossing_text, limit_text, write_mistake};
use super::estimate_report::{EstimateReport, TableEstimate};
use super::estimate_text::{FAINT, columns, paragraph};

/// Fewer tombstones in a partition are not worth a table.
const FEW: f64 = 100.0;

/// Whether a partition ever has a tombstone.
pub(super) fn has_any(series: &TombstoneSeries) -> bool {
    find_most(series) >= 1.0
}

/// The most tombstones of a partition at p99.9, while compaction keeps up.
fn find_most(series: &TombstoneSeries) -> f64 {
    series.points.iter().map(|point| point.protected.p999).fold(0.0, f64::max)
}

/// Tombstones by day, and the days on which reads reach Cassandra's thresholds.
pub(super) fn write(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    series: &TombstoneSeries,
    out: &mut dyn Write,
) -> io::Result<()> {
    let would = if of.series.is_stated { "" } else { "would come " };
    let head = format!(
        "tombstones: {would}{} a day in a partition on average, each kept for gc_grace_seconds of {}",
        figures::format_count(series.growth.per_day),
        figures::format_days(series.growth.grace_days)
    );
    paragraph((FAINT, "  "), &head, report.width, out)?;
    let most = find_most(series);
    if most < FEW {
        let few = figures::pluralise(most, "tombstone");
        let text = format!("few: at most {few} at p99.9, while compaction keeps up");
        return paragraph((Style::new(), "  "), &text, report.width, out);
    }
    let labels = ["", "live rows", "tombstones", "a read scans", "takes", "uncompacted", "takes"];
    let mut rows = vec![labels.map(str::to_owned)];
    rows.extend(series.points.iter().map(day));
    columns(&rows, out)?;
    let note = "a read of the whole partition; uncompacted: where compaction removes none, or \
                repair has to run first and does not; times as in modelling guides (1,100 entries \
                5 ms, 50,100 200 ms, 500,100 2 s), not measured here";
    paragraph((FAINT, "  "), note, report.width, out)?;
    threshold_lines(report, of, "at p99.9 a whole partition", &series.thresholds, out)?;
    for (scan, thresholds) in &series.reads {
        let read = format!(
            "{} scans {} and, each day, {} more",
            scan.name,
            figures::pluralise(scan.rows, "row"),
            figures::pluralise(scan.tombstones_per_day, "tombstone")
        );
        threshold_lines(report, of, &read, thresholds, out)?;
    }
    let is_reached = |it: &&TombstoneThreshold| it.compacted.is_some();
    match series.thresholds.iter().find(is_reached) {
        Some(reached) => write_mistake(report, reached.limit.mistake, out),
        None => Ok(()),
    }
}

fn day(point: &TombstonePoint) -> [String; 7] {
    let (scanned, most) = (point.count_entries().mean, point.count_entries_at_most().mean);
    let time = |entries: f64| time_text(interpolate_read_ms(entries));
    [
        if point.day < 1.0 {
            figures::format_days(point.day)
        } else {
            format!("day {}", figures::format_count(point.day))
        },
        figures::format_count(point.live.mean),
        figures::format_count(point.protected.mean),
        figures::format_count(scanned),
        time(scanned),
        figures::format_count(most),
        time(most),
    ]
}

/// `5 ms`, `1.4 s`, `2 minutes`
fn time_text(ms: f64) -> String {
    match ms {
        ms if ms < 0.95 => "1 ms".to_owned(),
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms if ms < 59_500.0 => {
            let tenths = (ms / 100.0).round() / 10.0;
            let digits = usize::from(tenths < 9.95 && tenths.fract() > 0.0);
            format!("{tenths:.digits$} s")
        }
        ms => figures::format_duration(ms / 1e3),
    }
}

/// When a read reaches each threshold.
fn threshold_lines(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    read: &str,
    thresholds: &[TombstoneThreshold],
    out: &mut dyn Write,
) -> io::Result<()> {
    let would = if of.series.is_stated { "" } else { "would be " };
    let texts: Vec<String> = thresholds
        .iter()
        .map(|it| {
            let when = crossing_text(report, of, it.compacted);
            let kept = match (it.compacted, it.kept) {
                (None, Some(_)) => {
                    format!(", uncompacted {}", crossing_text(report, of, it.kept))
                }
                _ => String::new(),
            };
            format!("{} ({}) {would}{when}{kept}", it.limit.name, limit_text(it.limit))
        })
        .collect();
    let text = format!("{read}: {}", texts.join("; "));
    paragraph((Style::new(), "  "), &text, report.width, out)
}
