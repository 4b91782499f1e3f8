//! Estimates as text: for each table its sizes, limits, formulas and alternatives, aligned in
//! columns.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use design::capacity::ring_balance;
use design::estimate::{Estimate, SplitAlternative, YEAR, crossings};
use model::figures;
use model::plan::{ColumnRole, FileSpan, FileSpanBasis, PlannedColumn, PlannedTable, Quantiles};
use schema::size::formula::FORMULAS;
use schema::size::limits::{Limit, Measure};

use super::design::align_columns;
use super::estimate_report::EstimateReport;
use super::findings::pluralise;
use super::planning_dates::date_text;
use super::ring_text::{balance_text, load_text};

const HEADING: Style = Style::new().bold();
const NAME: Style = AnsiColor::Cyan.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
/// Limits that are exceeded only after this many years are not shown.
const FAR_YEARS: f64 = 100.0;

/// A quantile of a distribution, with its name.
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
        figures::pluralise(copies, "replica"),
    )?;
    if let Some((load, table)) = report.load {
        writeln!(out, "hottest node: {}", load_text(load, table))?;
    }
    for (estimate, splits) in &report.tables {
        table(report, estimate, splits, out)?;
    }
    if !report.assumptions.is_empty() {
        writeln!(out, "\n{HEADING}ASSUMPTIONS{HEADING:#}")?;
    }
    for assumption in report.assumptions {
        writeln!(out, "  - {}\n    {FAINT}{}{FAINT:#}", assumption.topic, assumption.topic.help())?;
    }
    Ok(())
}

/// The bytes of all tables with all replicas.
fn disk_bytes(report: &EstimateReport<'_>, days: f64) -> f64 {
    let tables = report.tables.iter();
    let bytes: f64 =
        tables.map(|(estimate, _)| estimate.table.volume.table_bytes_after(days)).sum();
    bytes * f64::from(report.concept.copies())
}

fn table(
    report: &EstimateReport<'_>,
    estimate: &Estimate,
    splits: &[SplitAlternative],
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = &estimate.table;
    writeln!(out, "\n{NAME}{}{NAME:#} {FAINT}{}{FAINT:#}", table.name, primary_key(table))?;
    for line in align_columns(&summary(report, estimate)) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)?;
    sizes(report, estimate, out)?;
    writeln!(out)?;
    limits(report, estimate, out)?;
    writeln!(out)?;
    formulas(estimate, out)?;
    if !splits.is_empty() {
        writeln!(out)?;
        alternatives(report, estimate, splits, out)?;
    }
    Ok(())
}

/// The size of a row, the number of partitions, the retention and the disk usage.
fn summary(report: &EstimateReport<'_>, estimate: &Estimate) -> Vec<[String; 2]> {
    let volume = &estimate.table.volume;
    let copies = f64::from(report.concept.copies());
    let row = format!(
        "{}, {}; partition without rows {}",
        figures::format_bytes(volume.row_bytes),
        figures::pluralise(volume.row_cells, "cell"),
        figures::format_bytes(volume.fixed_bytes)
    );
    let more = match volume.partitions_per_day {
        daily if daily > 0.0 => format!(", {} more per day", figures::format_count(daily)),
        _ => String::new(),
    };
    let disk: Vec<_> = report
        .dates_for(estimate)
        .into_iter()
        .map(|days| {
            let bytes = volume.table_bytes_after(days) * copies;
            format!("{} {}", figures::format_bytes(bytes), date_text(days))
        })
        .collect();
    let mut lines = vec![
        ["row".to_owned(), row],
        ["partitions".to_owned(), format!("{}{more}", figures::format_count(volume.partitions))],
    ];
    if let Some(days) = estimate.retain_days {
        lines.push(["retention".to_owned(), figures::format_days(days)]);
    }
    lines.push(["files".to_owned(), file_span_text(volume.file_span)]);
    lines.push(["disk".to_owned(), disk.join(", ")]);
    if volume.hottest_reads + volume.hottest_writes > 0.0 {
        let [reads, writes] =
            [volume.hottest_reads, volume.hottest_writes].map(figures::format_rate);
        lines.push(["hottest partition".to_owned(), format!("{reads} reads, {writes} writes")]);
    }
    if let Some(balance) = ring_balance(report.concept, &estimate.table) {
        let sample = figures::format_count(f64::from(balance.placed));
        let keys = if balance.is_whole {
            format!("its {}", figures::pluralise(f64::from(balance.placed), "key"))
        } else {
            format!("{sample} sampled keys")
        };
        let text = format!("{} (Murmur3 tokens of {keys})", balance_text(&balance));
        lines.push(["ring".to_owned(), text]);
    }
    lines
}

/// The time span of files, and where it comes from.
fn file_span_text(span: FileSpan) -> String {
    let basis = match span.basis {
        FileSpanBasis::Stated => "as stated",
        FileSpanBasis::Window => "the window of compaction",
        FileSpanBasis::Retention => "the retention time",
        FileSpanBasis::Period => "the planning period",
    };
    format!("writes of {} in an SSTable ({basis})", figures::format_duration(span.seconds()))
}

/// Rows and bytes per partition, today and later.
fn sizes(report: &EstimateReport<'_>, estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let dates = report.dates_for(estimate);
    let mut head = vec!["per partition".to_owned()];
    head.extend(dates.iter().map(|days| date_text(*days)));
    let mut rows = vec![head];
    for (name, pick) in QUANTILES {
        let mut row = vec![name.to_owned()];
        row.extend(dates.iter().map(|days| {
            let (rows, bytes) = estimate.size_after(*days);
            let rows = figures::pluralise(pick(rows), "row");
            format!("{rows}, {}", figures::format_bytes(pick(bytes)))
        }));
        rows.push(row);
    }
    let lines = align_columns(&rows);
    for (at, line) in lines.iter().enumerate() {
        // Line 4 is p99.9, to which the limits apply.
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

/// When limits are exceeded.
fn limits(report: &EstimateReport<'_>, estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let is_far = |days: Option<f64>| days.is_none_or(|days| days > FAR_YEARS * YEAR);
    let mut crossed = crossings(estimate);
    crossed.retain(|crossing| !is_far(crossing.p999) || !is_far(crossing.largest));
    if crossed.is_empty() {
        return writeln!(out, "  {GOOD}no limit is exceeded{GOOD:#}");
    }
    let when = |days: Option<f64>| match days {
        Some(days) if days <= 0.0 => "exceeded today".to_owned(),
        Some(days) if !is_far(Some(days)) => {
            format!("{} (in {})", report.as_of.plus_days(days), figures::format_days(days))
        }
        _ => "never".to_owned(),
    };
    let head = ["limit exceeded", "at p99.9", "at max", ""].map(str::to_owned);
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

/// The value of a limit: `100 MB`, `300k rows`.
fn limit_text(limit: &Limit) -> String {
    match limit.measure {
        Measure::Bytes => figures::format_bytes(limit.most),
        Measure::Rows => figures::pluralise(limit.most, "row"),
        Measure::Cells => figures::pluralise(limit.most, "value"),
        Measure::Tombstones => figures::pluralise(limit.most, "tombstone"),
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
        ["as stored by Cassandra 5.0".to_owned(), figures::format_bytes(bytes), String::new()];
    let mut lines = vec![head, computed];
    lines.extend(FORMULAS.iter().map(|formula| {
        let by_formula = (formula.bytes)(&estimate.layout, rows);
        let deviation = (by_formula / bytes.max(1.0) - 1.0) * 100.0;
        [
            formula.name.to_owned(),
            format!("{} ({deviation:+.0} %)", figures::format_bytes(by_formula)),
            formula.text.to_owned(),
        ]
    }));
    for (at, line) in align_columns(&lines).iter().enumerate() {
        let style = if at == 0 { FAINT } else { Style::new() };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

/// Alternative splits of the table into buckets and shards.
fn alternatives(
    report: &EstimateReport<'_>,
    estimate: &Estimate,
    splits: &[SplitAlternative],
    out: &mut dyn Write,
) -> io::Result<()> {
    let days = report.options.limits.years * YEAR;
    let head = ["bucket", "shards", "partitions", "p50", "p99.9", "max", ""].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(splits.iter().map(|split| {
        let volume = &split.volume;
        let size = |pick: fn(Quantiles) -> f64| {
            let rows = figures::pluralise(pick(volume.rows_after(days)), "row");
            format!("{rows}, {}", figures::format_bytes(pick(volume.bytes_after(days))))
        };
        let verdict = match (split.is_taken, split.exceeds) {
            (true, true) => "current; exceeds the limits",
            (true, false) if split.is_tiny => "current; tiny partitions",
            (true, false) => "current",
            (false, true) => "exceeds the limits",
            (false, false) if split.is_tiny => "tiny partitions",
            (false, false) => "",
        };
        [
            split.bucket.map_or_else(|| "none".to_owned(), |bucket| bucket.to_string()),
            split.shards.to_string(),
            figures::format_count(volume.partitions_after(days)),
            size(|rows| rows.p50),
            size(|rows| rows.p999),
            size(|rows| rows.max),
            verdict.to_owned(),
        ]
    }));
    let years = figures::format_days(days);
    let buckets = estimate.time.as_ref().map_or_else(
        || "; no buckets, since no clustering column is a time".to_owned(),
        |(_, name)| format!(", with buckets of {name}"),
    );
    writeln!(out, "  {FAINT}alternatives, in {years}{buckets}{FAINT:#}")?;
    for (at, line) in align_columns(&rows).iter().enumerate() {
        let style = match at.checked_sub(1).map(|at| splits[at].exceeds) {
            None => FAINT,
            Some(true) => BAD,
            Some(false) => GOOD,
        };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

/// The primary key in CQL.
pub(crate) fn primary_key(table: &PlannedTable) -> String {
    let partition: Vec<_> = table.partition_key().map(|column| column.name.as_str()).collect();
    let partition = format!("({})", partition.join(", "));
    let is_clustering = |column: &&PlannedColumn| matches!(column.role, ColumnRole::Clustering(_));
    let clustering = table.columns.iter().filter(is_clustering).map(|column| column.name.as_str());
    let parts: Vec<_> = std::iter::once(partition.as_str()).chain(clustering).collect();
    format!("({})", parts.join(", "))
}
