//! Sizes on dates, a column for each: of partitions, of the table, and of collections.

use std::io::{self, Write};

use anstyle::Style;
use design::estimate::{CollectionSeries, SizePoint};
use model::figures;
use model::plan::Quantiles;

use super::design::align_columns;
use super::estimate_limits::{crossing_text, limit_text, write_mistake};
use super::estimate_report::{EstimateReport, TableEstimate};
use super::estimate_text::{BAD, FAINT, GOOD, paragraph};

/// A line of figures: its label, the figure on each date, and how it is shown.
struct FigureLine {
    label: String,
    figures: Vec<String>,
    style: Style,
}

/// A quantile of a distribution, with its name.
pub(super) type NamedQuantile = (&'static str, fn(Quantiles) -> f64);
pub(super) const QUANTILES: [NamedQuantile; 6] = [
    ("mean", |rows| rows.mean),
    ("p50", |rows| rows.p50),
    ("p95", |rows| rows.p95),
    ("p99", |rows| rows.p99),
    ("p99.9", |rows| rows.p999),
    ("max", |rows| rows.max),
];

/// Sizes today and later.
pub(super) fn write(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    out: &mut dyn Write,
) -> io::Result<()> {
    let points = &of.series.sizes;
    let verdict = if of.estimate.exceeds { BAD } else { GOOD };
    let mut lines = quantile_lines("rows of a partition", points, verdict, |point| {
        quantile_texts(point.rows, figures::format_count)
    });
    lines.extend(quantile_lines("bytes of a partition", points, verdict, |point| {
        quantile_texts(point.bytes, figures::format_bytes)
    }));
    lines.extend(table_lines(of, points));
    let dates: Vec<f64> = points.iter().map(|point| point.days).collect();
    write_lines(report, &lines, &dates, out)
}

/// The text of each quantile.
fn quantile_texts(quantiles: Quantiles, format: fn(f64) -> String) -> [String; 6] {
    QUANTILES.map(|(_, pick)| format(pick(quantiles)))
}

/// The lines of a distribution; a single one where all partitions are alike.
fn quantile_lines(
    heading: &'static str,
    points: &[SizePoint],
    verdict: Style,
    texts: impl Fn(&SizePoint) -> [String; 6],
) -> Vec<FigureLine> {
    let columns: Vec<[String; 6]> = points.iter().map(texts).collect();
    let is_even = columns.iter().all(|column| column.iter().all(|text| *text == column[0]));
    let line = |label: String, at: usize, style| FigureLine {
        label,
        figures: columns.iter().map(|column| column[at].clone()).collect(),
        style,
    };
    if is_even {
        return vec![line(heading.to_owned(), 0, verdict)];
    }
    let heading = FigureLine { label: heading.to_owned(), figures: Vec::new(), style: FAINT };
    let lines = QUANTILES.iter().enumerate().map(|(at, (name, _))| {
        // Limits apply to p99.9.
        let style = if *name == "p99.9" { verdict } else { Style::new() };
        line(format!("  {name}"), at, style)
    });
    std::iter::once(heading).chain(lines).collect()
}

fn table_lines(of: &TableEstimate, points: &[SizePoint]) -> Vec<FigureLine> {
    let line = |label: &str, figure: fn(&SizePoint) -> f64, format: fn(f64) -> String| FigureLine {
        label: label.to_owned(),
        figures: points.iter().map(|point| format(figure(point))).collect(),
        style: Style::new(),
    };
    let mut lines = vec![
        line("partitions", |point| point.partitions, figures::format_count),
        line("rows", |point| point.table_rows, figures::format_count),
        line("disk, all replicas", |point| point.disk_bytes, figures::format_bytes),
        line("disk of a node", |point| point.node_bytes, figures::format_bytes),
    ];
    if of.balance.is_some() {
        let fullest = |point: &SizePoint| point.fullest_node_bytes;
        lines.push(line("of the fullest", fullest, figures::format_bytes));
    }
    lines
}

/// Lines of figures under their dates, in as many blocks as the width requires; one column where
/// nothing changes.
fn write_lines(
    report: &EstimateReport<'_>,
    lines: &[FigureLine],
    dates: &[f64],
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_steady = lines.iter().all(|line| line.figures.iter().all(|it| *it == line.figures[0]));
    let shown = if is_steady { 1 } else { dates.len() };
    let head = |at: usize| match dates.get(at) {
        Some(_) if is_steady && dates.len() > 1 => "today and later".to_owned(),
        Some(days) if *days > 0.0 => figures::format_time_ahead(*days),
        _ => "today".to_owned(),
    };
    let width = |at: usize| {
        let texts = lines.iter().filter_map(|line| line.figures.get(at));
        texts.chain([&head(at)]).map(|text| text.chars().count()).max().unwrap_or(0) + 2
    };
    let label = lines.iter().map(|line| line.label.len()).max().unwrap_or(0) + 2;
    let mut from = 0;
    while from < shown {
        let (mut to, mut used) = (from + 1, label + width(from));
        while to < shown && used + width(to) <= report.width {
            used += width(to);
            to += 1;
        }
        if from > 0 {
            writeln!(out)?;
        }
        let mut rows = vec![std::iter::once(String::new()).chain((from..to).map(head)).collect()];
        rows.extend(lines.iter().map(|line| {
            let figures = line.figures.get(from..to).unwrap_or_default().iter().cloned();
            std::iter::once(line.label.clone()).chain(figures).collect::<Vec<String>>()
        }));
        let styles = std::iter::once(FAINT).chain(lines.iter().map(|line| line.style));
        for (text, style) in align_columns(&rows).iter().zip(styles) {
            writeln!(out, "  {style}{text}{style:#}")?;
        }
        from = to;
    }
    Ok(())
}

/// A collection on dates, and when it crosses its limits.
pub(super) fn write_collection(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    series: &CollectionSeries,
    out: &mut dyn Write,
) -> io::Result<()> {
    let line =
        |label: &str, figures| FigureLine { label: label.to_owned(), figures, style: Style::new() };
    let points = series.points.iter();
    let lines = [
        line("elements", points.clone().map(|it| figures::format_count(it.elements)).collect()),
        line("bytes", points.map(|it| figures::format_bytes(it.bytes)).collect()),
    ];
    writeln!(out, "  {FAINT}collection {} of a row{FAINT:#}", series.column)?;
    let dates: Vec<f64> = series.points.iter().map(|point| point.days).collect();
    write_lines(report, &lines, &dates, out)?;
    let would = if of.series.is_stated { "" } else { "would be " };
    for crossing in &series.crossings {
        let limit = crossing.limit;
        let text = format!(
            "{}: {would}{}; {}",
            limit_text(limit),
            crossing_text(report, of, crossing.days),
            limit.consequence
        );
        paragraph((Style::new(), "  "), &text, report.width, out)?;
    }
    if let Some(first) = series.crossings.iter().find(|it| it.days.is_some()) {
        write_mistake(report, first.limit.mistake, out)?;
    }
    Ok(())
}
