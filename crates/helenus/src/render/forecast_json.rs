//! Forecasts as JSON.

use serde_json::{Value, json};

use super::forecast_text;
use super::trace::verdict_name;
use crate::forecast::{FigureSource, Forecast, ReasonKind, Spread};

/// A forecast; what nobody knows is null.
pub(crate) fn object(forecast: &Forecast) -> Value {
    let spread = |spread: Option<Spread>| spread.map(|of| json!({ "p50": of.p50, "p99": of.p99 }));
    let source = forecast.source.map(|source| match source {
        FigureSource::Comments => "comments",
        FigureSource::Model => "model",
        FigureSource::Cluster => "cluster",
    });
    let reasons = forecast.reasons.iter().map(|reason| {
        json!({
            "kind": kind(reason.kind),
            "verdict": verdict_name(reason.verdict),
            "figure": reason.figure,
            "limit": reason.limit,
            "text": forecast_text::reason(reason),
        })
    });
    json!({
        "figures": source,
        "partitions": spread(forecast.partitions),
        "rowsRead": spread(forecast.rows_read),
        "bytesRead": spread(forecast.bytes_read),
        "rowsReturned": spread(forecast.rows_returned),
        "rowsFiltered": spread(forecast.rows_filtered),
        "tombstones": spread(forecast.tombstones),
        "nodes": forecast.nodes,
        "clusterNodes": forecast.cluster_nodes,
        "coordinatorBytes": spread(forecast.coordinator_bytes),
        "assumesRange": forecast.assumes_range,
        "verdict": forecast.verdict().map(verdict_name),
        "reasons": reasons.collect::<Vec<_>>(),
    })
}

fn kind(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::FullScan => "fullScan",
        ReasonKind::Filtering => "filtering",
        ReasonKind::IndexOnAllNodes => "indexOnAllNodes",
        ReasonKind::ManyPartitions => "manyPartitions",
        ReasonKind::ManyBytes => "manyBytes",
        ReasonKind::ManyRows => "manyRows",
        ReasonKind::Tombstones => "tombstones",
        ReasonKind::LargePartition => "largePartition",
        ReasonKind::CoordinatorMemory => "coordinatorMemory",
        ReasonKind::BatchPartitions => "batchPartitions",
        ReasonKind::Transaction => "transaction",
    }
}
