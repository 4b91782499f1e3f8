//! Estimates for people: a few aligned tables for each table.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use design::estimate::{Estimate, SplitAlternative, YEAR, crossings};
use model::figures;
use model::plan::{ColumnRole, PlannedTable, Quantiles};
use schema::size::formula::FORMULAS;
use schema::size::limits::{Limit, Measure};

use super::design::align_columns;
use super::estimate_report::EstimateReport;

const HEADING: Style = Style::new().bold();
const NAME: Style = AnsiColor::Cyan.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
/// When sizes are shown.
const TIMES: [(&str, f64); 4] =
    [("today", 0.0), ("in 1 year", 1.0), ("in 3 years", 3.0), ("in 5 years", 5.0)];
/// Years after which nobody asks any more.
const FAR_YEARS: f64 = 100.0;

/// The figures of a distribution, with their names.
type NamedQuantile = (&'static str, fn(Quantiles) -> f64);
const QUANTILES: [NamedQuantile; 5] = [
    ("mean", |rows| rows.mean),
    ("p50", |rows| rows.p50),
    ("p99", |rows| rows.p99),
    ("p99.9", |rows| rows.p999),
    ("max", |rows| rows.max),
];

/// The whole report.
pub(crate) fn report(report: &EstimateReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let copies = f64::from(report.concept.copies());
    writeln!(
        out,
        "{HEADING}{}{HEADING:#}: {} as of {}, {} on disk with {}",
        report.concept.keyspace,
        pluralise(report.tables.len(), "table"),
        report.as_of,
        figures::format_bytes(disk_bytes(report, 0.0)),
        figures::pluralise(copies, "copy"),
    )?;
    for (estimate, ways) in &report.tables {
        table(report, estimate, ways, out)?;
    }
    if !report.assumptions.is_empty() {
        writeln!(out, "\n{HEADING}ASSUMPTIONS{HEADING:#}")?;
    }
    for assumption in report.assumptions {
        writeln!(out, "  - {}\n    {FAINT}{}{FAINT:#}", assumption.topic, assumption.topic.help())?;
    }
    Ok(())
}

/// Bytes of all tables, with their copies.
fn disk_bytes(report: &EstimateReport<'_>, days: f64) -> f64 {
    let one: f64 =
        report.tables.iter().map(|(it, _)| it.table.volume.table_bytes_after(days)).sum();
    one * f64::from(report.concept.copies())
}

fn table(
    report: &EstimateReport<'_>,
    estimate: &Estimate,
    ways: &[SplitAlternative],
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = &estimate.table;
    writeln!(out, "\n{NAME}{}{NAME:#} {FAINT}{}{FAINT:#}", table.name, primary_key(table))?;
    for line in align_columns(&summary(report, estimate)) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    sizes(estimate, out)?;
    writeln!(out)?;
    limits(report, estimate, out)?;
    writeln!(out)?;
    formulas(estimate, out)?;
    if !ways.is_empty() {
        writeln!(out)?;
        alternatives(report, estimate, ways, out)?;
    }
    Ok(())
}

/// Row, partitions, retention, disk.
fn summary(report: &EstimateReport<'_>, estimate: &Estimate) -> Vec<[String; 2]> {
    let volume = &estimate.table.volume;
    let copies = f64::from(report.concept.copies());
    let row = format!(
        "{}, {}; a partition without rows {}",
        figures::format_bytes(volume.row_bytes),
        figures::pluralise(volume.row_cells, "cell"),
        figures::format_bytes(volume.fixed_bytes)
    );
    let more = match volume.partitions_per_day {
        daily if daily > 0.0 => format!(", {} more a day", figures::format_count(daily)),
        _ => String::new(),
    };
    let disk: Vec<_> = TIMES
        .iter()
        .map(|(when, years)| {
            let bytes = volume.table_bytes_after(years * YEAR) * copies;
            format!("{} {when}", figures::format_bytes(bytes))
        })
        .collect();
    let mut lines = vec![
        ["a row".to_owned(), row],
        ["partitions".to_owned(), format!("{}{more}", figures::format_count(volume.partitions))],
    ];
    if let Some(days) = estimate.retain_days {
        lines.push(["kept for".to_owned(), figures::format_days(days)]);
    }
    lines.push(["disk".to_owned(), disk.join(", ")]);
    lines
}

/// Rows and bytes of a partition, today and later.
fn sizes(estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let head: [String; 5] = std::array::from_fn(|at| match at.checked_sub(1) {
        None => "a partition".to_owned(),
        Some(time) => TIMES[time].0.to_owned(),
    });
    let mut rows = vec![head];
    for (name, pick) in QUANTILES {
        rows.push(std::array::from_fn(|at| match at.checked_sub(1) {
            None => name.to_owned(),
            Some(time) => {
                let (rows, bytes) = estimate.size_after(TIMES[time].1 * YEAR);
                let rows = figures::pluralise(pick(rows), "row");
                format!("{rows}, {}", figures::format_bytes(pick(bytes)))
            }
        }));
    }
    let lines = align_columns(&rows);
    for (at, line) in lines.iter().enumerate() {
        // The line that the bound speaks of.
        let style = match at {
            0 => FAINT,
            4 if estimate.exceeds => BAD,
            4 => GOOD,
            _ => Style::new(),
        };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

/// When limits are crossed.
fn limits(report: &EstimateReport<'_>, estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let far = |days: Option<f64>| days.is_none_or(|days| days > FAR_YEARS * YEAR);
    let mut crossed = crossings(&estimate.table.volume);
    crossed.retain(|crossing| !far(crossing.p999) || !far(crossing.largest));
    if crossed.is_empty() {
        return writeln!(out, "  {GOOD}no limit is crossed{GOOD:#}");
    }
    let when = |days: Option<f64>| match days {
        Some(days) if days <= 0.0 => "crossed today".to_owned(),
        Some(days) if !far(Some(days)) => {
            format!("{} (in {})", report.as_of.plus_days(days), figures::format_days(days))
        }
        _ => "never".to_owned(),
    };
    let head = ["limit", "at p99.9", "by the largest", ""].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(crossed.iter().map(|crossing| {
        let limit = crossing.limit;
        let name = format!("{}, {}", limit_text(limit), limit.name);
        [name, when(crossing.p999), when(crossing.largest), limit.source.to_owned()]
    }));
    for (at, line) in align_columns(&rows).iter().enumerate() {
        let style = if at == 0 { FAINT } else { Style::new() };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

/// What a limit allows: `100 MB`, `300k rows`.
fn limit_text(limit: &Limit) -> String {
    match limit.measure {
        Measure::Bytes => figures::format_bytes(limit.most),
        Measure::Rows => figures::pluralise(limit.most, "row"),
        Measure::Cells => figures::pluralise(limit.most, "value"),
    }
}

/// The computed bytes beside those of the published formulas.
fn formulas(estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let (rows, bytes) = estimate.size_after(estimate.horizon_days);
    let (rows, bytes) = (rows.p999, bytes.p999);
    let when = match estimate.retain_days {
        Some(_) => "p99.9".to_owned(),
        None => format!("p99.9 in {}", figures::format_days(estimate.horizon_days)),
    };
    let head =
        [format!("{} ({when})", figures::pluralise(rows, "row")), String::new(), String::new()];
    let computed =
        ["as Cassandra 5.0 writes them".to_owned(), figures::format_bytes(bytes), String::new()];
    let mut lines = vec![head, computed];
    lines.extend(FORMULAS.iter().map(|formula| {
        let by_formula = (formula.bytes)(&estimate.layout, rows);
        let off = (by_formula / bytes.max(1.0) - 1.0) * 100.0;
        [
            formula.name.to_owned(),
            format!("{} ({off:+.0} %)", figures::format_bytes(by_formula)),
            formula.text.to_owned(),
        ]
    }));
    for (at, line) in align_columns(&lines).iter().enumerate() {
        let style = if at == 0 { FAINT } else { Style::new() };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

/// Other ways to split the table.
fn alternatives(
    report: &EstimateReport<'_>,
    estimate: &Estimate,
    ways: &[SplitAlternative],
    out: &mut dyn Write,
) -> io::Result<()> {
    let days = report.options.limits.years * YEAR;
    let head = ["bucket", "shards", "partitions", "p50", "p99.9", "max", ""].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(ways.iter().map(|way| {
        let volume = &way.volume;
        let size = |pick: fn(Quantiles) -> f64| {
            let rows = figures::pluralise(pick(volume.rows_after(days)), "row");
            format!("{rows}, {}", figures::format_bytes(pick(volume.bytes_after(days))))
        };
        let verdict = match (way.is_taken, way.exceeds) {
            (true, true) => "as it is: over the bound",
            (true, false) => "as it is",
            (false, true) => "over the bound",
            (false, false) => "",
        };
        [
            way.bucket.map_or("none", |bucket| bucket.name()).to_owned(),
            way.shards.to_string(),
            figures::format_count(volume.partitions + volume.partitions_per_day * days),
            size(|rows| rows.p50),
            size(|rows| rows.p999),
            size(|rows| rows.max),
            verdict.to_owned(),
        ]
    }));
    let years = figures::format_days(days);
    let of = estimate.time.as_ref().map_or_else(
        || "; no clustering column of time makes buckets".to_owned(),
        |(_, name)| format!(", buckets of {name}"),
    );
    writeln!(out, "  {FAINT}other ways, in {years}{of}{FAINT:#}")?;
    for (at, line) in align_columns(&rows).iter().enumerate() {
        let style = match at.checked_sub(1).map(|at| ways[at].exceeds) {
            None => FAINT,
            Some(true) => BAD,
            Some(false) => GOOD,
        };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

/// A primary key as CQL writes it.
pub(crate) fn primary_key(table: &PlannedTable) -> String {
    let partition: Vec<_> = table.partition_key().map(|column| column.name.as_str()).collect();
    let partition = format!("({})", partition.join(", "));
    let clustering = table.columns.iter().filter(|it| matches!(it.role, ColumnRole::Clustering(_)));
    let clustering = clustering.map(|column| column.name.as_str());
    let parts: Vec<_> = std::iter::once(partition.as_str()).chain(clustering).collect();
    format!("({})", parts.join(", "))
}

fn pluralise(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}
