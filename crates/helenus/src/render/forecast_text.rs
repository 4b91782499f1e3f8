//! Forecasts as text: labelled lines behind those of the access plan.

use doctor::trace::analysis::Verdict;
use model::figures::{format_bytes, group_thousands, pluralise};

use super::trace::verdict_name;
use crate::forecast::{FigureSource, Forecast, Reason, ReasonKind, Spread};

/// The lines of a forecast.
pub(crate) fn lines(forecast: &Forecast) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    match forecast.source {
        None => lines.push(("figures", NO_FIGURES.to_owned())),
        Some(source) => lines.push(("figures", source_name(source).to_owned())),
    }
    if let Some(rows) = forecast.rows_read {
        let partitions = forecast.partitions.map(|spread| pluralise(spread.p50, "partition"));
        let of = partitions.map(|partitions| format!(" of {partitions}")).unwrap_or_default();
        let bytes = forecast.bytes_read.map(|bytes| spread(bytes, format_bytes));
        let bytes = bytes.map(|bytes| format!(", {bytes}")).unwrap_or_default();
        let assumed =
            if forecast.assumes_range { "; the range is taken as a tenth of the rows" } else { "" };
        lines.push(("row count", format!("{}{of}{bytes}{assumed}", spread(rows, rows_text))));
    }
    if let Some(returned) = forecast.rows_returned.filter(|_| forecast.rows_filtered.is_some()) {
        lines.push(("returned", spread(returned, rows_text)));
    }
    if let Some(tombstones) = forecast.tombstones {
        lines.push((
            "tombstones",
            spread(tombstones, |number| pluralise(number.round(), "tombstone")),
        ));
    }
    if let (Some(nodes), Some(of)) = (forecast.nodes, forecast.cluster_nodes) {
        let nodes = group_thousands(nodes.round().max(1.0));
        lines.push(("nodes", format!("{nodes} of {of} at consistency level ONE")));
    }
    if let Some(bytes) = forecast.coordinator_bytes {
        lines.push(("coordinator", format!("holds {}", spread(bytes, format_bytes))));
    }
    lines.push(("verdict", verdict(forecast)));
    lines
}

const NO_FIGURES: &str = "none: state volumes in comments of the schema (-- @rows 10M above CREATE TABLE), in a model file (--model) or ask a cluster (--on)";

/// The verdict with the figure and the limit that decide.
pub(crate) fn verdict(forecast: &Forecast) -> String {
    let reasons: Vec<_> = forecast.reasons.iter().map(reason).collect();
    match forecast.verdict() {
        None => "unknown without figures".to_owned(),
        Some(Verdict::Fine) if forecast.rows_read.is_some() && forecast.tombstones.is_none() => {
            "fine, unless deleted or expired rows lie in between: deletes are not known".to_owned()
        }
        Some(Verdict::Fine) => "fine".to_owned(),
        Some(verdict) => format!("{}: {}", verdict_name(verdict), reasons.join("; ")),
    }
}

/// A reason in words.
pub(crate) fn reason(reason: &Reason) -> String {
    let limit = |format: &dyn Fn(f64) -> String| {
        reason.limit.map(|limit| format!(" (limit {})", format(limit))).unwrap_or_default()
    };
    let number = |value: f64| group_thousands(value.round());
    let figure = reason.figure;
    match reason.kind {
        ReasonKind::FullScan => match figure {
            Some(rows) => format!("reads the whole table, {}{}", rows_text(rows), limit(&number)),
            None => "reads the whole table".to_owned(),
        },
        ReasonKind::Filtering => match figure {
            Some(rows) => format!("{} are read to be discarded{}", rows_text(rows), limit(&number)),
            None => "rows are read to be discarded".to_owned(),
        },
        ReasonKind::IndexOnAllNodes => match figure {
            Some(rows) => format!("the index is searched on every node and gives {}{}", rows_text(rows), limit(&number)),
            None => "the index is searched on every node".to_owned(),
        },
        ReasonKind::ManyPartitions => format!("{} in one request{}", pluralise(figure.unwrap_or_default(), "partition"), limit(&number)),
        ReasonKind::ManyBytes => format!("{} are read at p99{}", format_bytes(figure.unwrap_or_default()), limit(&|bytes| format_bytes(bytes))),
        ReasonKind::ManyRows => format!("{} are read at p99{}", rows_text(figure.unwrap_or_default()), limit(&number)),
        ReasonKind::Tombstones => format!("{} tombstones are met at p99{}", number(figure.unwrap_or_default()), limit(&number)),
        ReasonKind::LargePartition => format!("partitions have {} at p99{}", format_bytes(figure.unwrap_or_default()), limit(&|bytes| format_bytes(bytes))),
        ReasonKind::CoordinatorMemory => format!("the coordinator holds {}{}", format_bytes(figure.unwrap_or_default()), limit(&|bytes| format_bytes(bytes))),
        ReasonKind::BatchPartitions => format!("the batch writes to {}{}", pluralise(figure.unwrap_or_default(), "partition"), limit(&number)),
        ReasonKind::Transaction => "a lightweight transaction takes four round trips, and competes with others on the partition".to_owned(),
    }
}

fn rows_text(rows: f64) -> String {
    pluralise(rows.round(), "row")
}

/// `50 rows (p99 2,000 rows)`, or one figure if both are the same.
fn spread(spread: Spread, format: impl Fn(f64) -> String) -> String {
    let (p50, p99) = (format(spread.p50), format(spread.p99));
    if p50 == p99 { p50 } else { format!("{p50} (p99 {p99})") }
}

fn source_name(source: FigureSource) -> &'static str {
    match source {
        FigureSource::Comments => "from comments in the schema",
        FigureSource::Model => "from the model file",
        FigureSource::Cluster => {
            "from the cluster: system.size_estimates, and the types of the columns"
        }
    }
}
