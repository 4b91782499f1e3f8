//! What was foretold and what happened, side by side.

use std::io::{self, Write};

use doctor::trace::analysis::TraceAnalysis;
use model::figures::{format_bytes, group_thousands};
use serde_json::{Value, json};

use crate::forecast::{Forecast, Spread};
use crate::render::trace::{micros, verdict_name};

/// What the client got.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// Rows of the first page.
    pub(super) rows: usize,
    /// Bytes of their values.
    pub(super) bytes: usize,
    /// Whether there are more pages.
    pub(super) has_more: bool,
}

/// Writes both as a table.
pub(super) fn write(
    forecast: &Forecast,
    analysis: &TraceAnalysis,
    answer: Answer,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "  {:<14}{:<26}happened", "", "foretold")?;
    for (label, foretold, happened) in lines(forecast, analysis, answer) {
        writeln!(out, "  {label:<14}{foretold:<26}{happened}")?;
    }
    Ok(())
}

fn lines(
    forecast: &Forecast,
    analysis: &TraceAnalysis,
    answer: Answer,
) -> Vec<(&'static str, String, String)> {
    let unknown = || "-".to_owned();
    let counted = |spread: Option<Spread>| {
        spread.map_or_else(unknown, |of| text(of, |number| group_thousands(number.round())))
    };
    let sized = |spread: Option<Spread>| spread.map_or_else(unknown, |of| text(of, format_bytes));
    let number = |figure: Option<u64>| {
        figure.map_or_else(unknown, |figure| group_thousands(to_float(figure)))
    };
    let reads = &analysis.reads;
    let partitions = (reads.partitions > 0).then_some(reads.partitions);
    let pages = if answer.has_more { " (first page, there are more)" } else { "" };
    let nodes =
        forecast.nodes.map_or_else(unknown, |nodes| group_thousands(nodes.round().max(1.0)));
    let verdict = forecast.verdict().map_or("unknown", verdict_name);
    vec![
        ("partitions", counted(forecast.partitions), number(partitions)),
        ("rows read", counted(forecast.rows_read), number(reads.live)),
        (
            "rows returned",
            counted(forecast.rows_returned),
            format!("{}{pages}", group_thousands(to_float(answer.rows as u64))),
        ),
        ("tombstones", counted(forecast.tombstones), number(reads.tombstones)),
        (
            "bytes",
            sized(forecast.bytes_read),
            format!("{} of values returned", format_bytes(to_float(answer.bytes as u64))),
        ),
        ("nodes", nodes, analysis.nodes.len().to_string()),
        ("time", unknown(), micros(analysis.timeline.total)),
        ("verdict", verdict.to_owned(), verdict_name(analysis.verdict()).to_owned()),
    ]
}

/// Both as JSON; the figures themselves are in `forecast` and `trace`.
pub(super) fn object(answer: Answer) -> Value {
    json!({ "rows": answer.rows, "bytes": answer.bytes, "hasMorePages": answer.has_more })
}

fn text(spread: Spread, format: impl Fn(f64) -> String) -> String {
    let (p50, p99) = (format(spread.p50), format(spread.p99));
    if p50 == p99 { p50 } else { format!("{p50} (p99 {p99})") }
}

/// Exact up to the precision of floating point, which the output rounds anyway.
#[expect(clippy::cast_precision_loss, reason = "figures of a trace are far below 2^53")]
fn to_float(number: u64) -> f64 {
    number as f64
}
