//! Estimates as text: for each table its sizes, limits, collections, tombstones, formulas and
//! alternatives, aligned in columns that fit the width.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use design::estimate::{Estimate, SplitAlternative, YEAR};
use model::figures;
use model::plan::{ColumnRole, FileSpan, FileSpanBasis, PlannedColumn, PlannedTable, Quantiles};
use schema::size::formula::{FORMULAS, script_result};

use super::design::align_columns;
use super::estimate_report::{EstimateReport, TableEstimate};
use super::estimate_tombstones::has_any;
use super::findings::pluralise;
use super::planning_dates::date_text;
use super::ring_text::{balance_text, load_text};
use super::trace::wrap;
use super::{estimate_limits, estimate_sizes, estimate_tombstones};

const HEADING: Style = Style::new().bold();
const NAME: Style = AnsiColor::Cyan.on_default().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default();

/// The whole report.
pub(crate) fn report(report: &EstimateReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    if let Some(notice) = report.notice() {
        paragraph((BAD, ""), &notice, report.width, out)?;
        writeln!(out)?;
    }
    let copies = f64::from(report.concept.copies());
    let would = if report.is_assumed() { "would be " } else { "" };
    let today = |table: &TableEstimate| {
        table.estimate.table.volume.table_bytes_after(0.0) * f64::from(report.concept.copies())
    };
    writeln!(
        out,
        "{HEADING}{}{HEADING:#}: {} as of {}, {would}{} on disk with {}",
        report.concept.keyspace,
        pluralise(report.tables.len(), "table"),
        report.as_of,
        figures::format_bytes(report.tables.iter().map(today).sum()),
        figures::pluralise(copies, "replica"),
    )?;
    if let Some((load, table)) = report.load {
        paragraph(
            (Style::new(), ""),
            &format!("hottest node: {}", load_text(load, table)),
            report.width,
            out,
        )?;
    }
    for of in &report.tables {
        table(report, of, out)?;
    }
    formula_texts(report, out)?;
    if !report.assumptions.is_empty() {
        writeln!(out, "\n{HEADING}ASSUMPTIONS{HEADING:#}")?;
    }
    for assumption in report.assumptions {
        paragraph((Style::new(), "  - "), &assumption.topic.to_string(), report.width, out)?;
        paragraph((FAINT, "    "), &assumption.topic.help(), report.width, out)?;
    }
    Ok(())
}

/// A text in lines that fit the width, each behind an indent; the lead is only on the first.
pub(super) fn paragraph(
    (style, lead): (Style, &str),
    text: &str,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let indent = " ".repeat(lead.chars().count());
    let mut before = lead;
    for line in wrap(text, width.saturating_sub(indent.len())) {
        writeln!(out, "{style}{before}{line}{style:#}")?;
        before = &indent;
    }
    Ok(())
}

/// Rows in columns, the first of them a heading.
pub(super) fn columns<R: AsRef<[String]>>(rows: &[R], out: &mut dyn Write) -> io::Result<()> {
    for (at, line) in align_columns(rows).iter().enumerate() {
        let style = if at == 0 { FAINT } else { Style::new() };
        writeln!(out, "  {style}{line}{style:#}")?;
    }
    Ok(())
}

fn table(report: &EstimateReport<'_>, of: &TableEstimate, out: &mut dyn Write) -> io::Result<()> {
    let table = &of.estimate.table;
    writeln!(out, "\n{NAME}{}{NAME:#} {FAINT}{}{FAINT:#}", table.name, primary_key(table))?;
    let lines = summary(of);
    let label = lines.iter().map(|[label, _]| label.len()).max().unwrap_or(0);
    for [name, text] in &lines {
        let lead = format!("  {name:<label$}  ");
        paragraph((Style::new(), &lead), text, report.width, out)?;
    }
    writeln!(out)?;
    estimate_sizes::write(report, of, out)?;
    writeln!(out)?;
    estimate_limits::write(report, of, out)?;
    for collection in &of.series.collections {
        writeln!(out)?;
        estimate_sizes::write_collection(report, of, collection, out)?;
    }
    if let Some(series) = of.series.tombstones.as_ref().filter(|it| has_any(it)) {
        writeln!(out)?;
        estimate_tombstones::write(report, of, series, out)?;
    }
    writeln!(out)?;
    formulas(&of.estimate, out)?;
    if !of.alternatives.is_empty() {
        writeln!(out)?;
        alternatives(report, &of.estimate, &of.alternatives, out)?;
    }
    Ok(())
}

/// The partitions, the size of a row, the retention, the heat and the ring.
pub(super) fn summary(of: &TableEstimate) -> Vec<[String; 2]> {
    let estimate = &of.estimate;
    let volume = &estimate.table.volume;
    let line = |label: &str, text: String| [label.to_owned(), text];
    let row = format!(
        "{}, {}; partition without rows {}",
        figures::format_bytes(volume.row_bytes),
        figures::pluralise(volume.row_cells, "cell"),
        figures::format_bytes(volume.fixed_bytes)
    );
    let mut lines = vec![line("partitions", partitions_text(of)), line("row", row)];
    if let Some(days) = estimate.retain_days {
        lines.push(line("retention", figures::format_days(days)));
    }
    lines.push(line("files", file_span_text(volume.file_span)));
    if volume.hottest_reads + volume.hottest_writes > 0.0 {
        let [reads, writes] =
            [volume.hottest_reads, volume.hottest_writes].map(figures::format_rate);
        lines.push(line("hottest partition", format!("{reads} reads, {writes} writes")));
    }
    if let Some(balance) = &of.balance {
        let sample = figures::format_count(f64::from(balance.placed));
        let keys = if balance.is_whole {
            format!("its {}", figures::pluralise(f64::from(balance.placed), "key"))
        } else {
            format!("{sample} sampled keys")
        };
        lines.push(line("ring", format!("{} (Murmur3 tokens of {keys})", balance_text(balance))));
    }
    if !of.indexed.is_empty() {
        let text = format!(
            "on {}: a search without the partition key asks all nodes and takes 20 to 200 ms, more \
             with each node; a read by key takes 2 to 5 ms (figures of modelling guides, not \
             measured here)",
            of.indexed.join(", ")
        );
        lines.push(line("index", text));
    }
    lines
}

/// `100M of 12 rows (1.2 KB), the largest of 100 rows (10 KB); 1k more per day`
fn partitions_text(of: &TableEstimate) -> String {
    let volume = &of.estimate.table.volume;
    let (rows, bytes) = of.estimate.size_after(0.0);
    let size = |pick: fn(Quantiles) -> f64| {
        let rows = figures::pluralise(pick(rows), "row");
        format!("{rows} ({})", figures::format_bytes(pick(bytes)))
    };
    let would = if of.series.is_stated { "" } else { "would be " };
    let more = match volume.partitions_per_day {
        daily if daily > 0.0 => format!("; {} more per day", figures::format_count(daily)),
        _ => String::new(),
    };
    if volume.partitions <= 0.0 {
        return format!("{would}none yet{more}");
    }
    let count = figures::format_count(volume.partitions);
    let usual = size(|rows| rows.p50);
    let largest = size(|rows| rows.max);
    let largest =
        if largest == usual { String::new() } else { format!(", the largest of {largest}") };
    format!("{would}{count} of {usual}{largest}{more}")
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

/// The computed bytes beside those of the published formulas.
fn formulas(estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    let (rows, bytes) = estimate.size_after(estimate.horizon_days);
    let (rows, bytes) = (rows.p999, bytes.p999);
    let when = match estimate.retain_days {
        Some(_) => "p99.9".to_owned(),
        None => format!("p99.9 {}", date_text(estimate.horizon_days)),
    };
    let head = [format!("{} ({when})", figures::pluralise(rows, "row")), String::new()];
    let computed = ["as stored by Cassandra 5.0".to_owned(), figures::format_bytes(bytes)];
    let mut lines = vec![head, computed];
    lines.extend(FORMULAS.iter().map(|formula| {
        let by_formula = (formula.bytes)(&estimate.layout, rows);
        let deviation = (by_formula / bytes.max(1.0) - 1.0) * 100.0;
        let size = figures::format_bytes(by_formula);
        [formula.name.to_owned(), format!("{size} ({deviation:+.0} %)")]
    }));
    let script = script_result(&estimate.layout, rows);
    let printed = format!(
        "{} bytes, {:.2} MB: {}",
        figures::group_thousands(script.partition_bytes),
        script.partition_mb,
        script.recommendation
    );
    lines.push(["  as the script prints it".to_owned(), printed]);
    columns(&lines, out)
}

/// The published formulas themselves, once for all tables.
fn formula_texts(report: &EstimateReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{HEADING}FORMULAS{HEADING:#}")?;
    for formula in &FORMULAS {
        writeln!(out, "  {}: {}", formula.name, formula.text)?;
        paragraph((FAINT, "    "), formula.source, report.width, out)?;
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
    let head = ["bucket", "shards", "partitions", "p50", "p99.9", ""].map(str::to_owned);
    let mut rows = vec![head];
    rows.extend(splits.iter().map(|split| {
        let volume = &split.volume;
        let size = |pick: fn(Quantiles) -> f64| {
            let rows = figures::pluralise(pick(volume.rows_after(days)), "row");
            format!("{rows}, {}", figures::format_bytes(pick(volume.bytes_after(days))))
        };
        [
            split.bucket.map_or_else(|| "none".to_owned(), |bucket| bucket.to_string()),
            split.shards.to_string(),
            figures::format_count(volume.partitions_after(days)),
            size(|rows| rows.p50),
            size(|rows| rows.p999),
            describe_split(split).to_owned(),
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

/// What to say of a split.
pub(super) fn describe_split(split: &SplitAlternative) -> &'static str {
    match (split.is_taken, split.exceeds) {
        (true, true) => "current; exceeds the limits",
        (true, false) if split.is_tiny => "current; tiny partitions",
        (true, false) => "current",
        (false, true) => "exceeds the limits",
        (false, false) if split.is_tiny => "tiny partitions",
        (false, false) => "",
    }
}

/// The primary key in CQL.
pub(super) fn primary_key(table: &PlannedTable) -> String {
    let partition: Vec<_> = table.partition_key().map(|column| column.name.as_str()).collect();
    let partition = format!("({})", partition.join(", "));
    let is_clustering = |column: &&PlannedColumn| matches!(column.role, ColumnRole::Clustering(_));
    let clustering = table.columns.iter().filter(is_clustering).map(|column| column.name.as_str());
    let parts: Vec<_> = std::iter::once(partition.as_str()).chain(clustering).collect();
    format!("({})", parts.join(", "))
}
