//! The series of a table as JSON, for `helenus estimate --json`.

use design::estimate::{
    CollectionCrossing, CollectionSeries, SizePoint, TableSeries, TombstonePoint, TombstoneSeries,
    TombstoneThreshold, YEAR, interpolate_read_ms,
};
use model::plan::Quantiles;
use schema::size::limits::Measure;
use serde_json::{Map, Value, json};

/// A table over time.
pub(super) fn object(series: &TableSeries) -> Value {
    json!({
        "stated": series.is_stated,
        "sizes": series.sizes.iter().map(size).collect::<Vec<_>>(),
        "collections": series.collections.iter().map(collection).collect::<Vec<_>>(),
        "tombstones": series.tombstones.as_ref().map(tombstones),
    })
}

/// The same with keys in camel case.
pub(crate) fn camel_case(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter();
            Value::Object(
                members.map(|(key, of)| (camel(&key), camel_case(of))).collect::<Map<_, _>>(),
            )
        }
        Value::Array(list) => Value::Array(list.into_iter().map(camel_case).collect()),
        other => other,
    }
}

fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut text, word| {
        let mut letters = word.chars();
        text.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        text.push_str(letters.as_str());
        text
    })
}

fn size(point: &SizePoint) -> Value {
    json!({
        "years": figure(point.days / YEAR),
        "days": figure(point.days),
        "partitions": whole(point.partitions),
        "rows": quantiles(point.rows),
        "bytes": quantiles(point.bytes.map(f64::round)),
        "table_rows": whole(point.table_rows),
        "disk_bytes": whole(point.disk_bytes),
        "node_bytes": whole(point.node_bytes),
        "fullest_node_bytes": whole(point.fullest_node_bytes),
    })
}

fn collection(series: &CollectionSeries) -> Value {
    let crossing = |it: &CollectionCrossing| {
        let is_elements = it.limit.measure == Measure::Elements;
        json!({
            "name": it.limit.name,
            "measure": if is_elements { "elements" } else { "bytes" },
            "limit": whole(it.limit.most),
            "days": it.days.map(figure),
        })
    };
    json!({
        "column": series.column,
        "points": series.points.iter().map(|point| json!({
            "days": figure(point.days),
            "elements": figure(point.elements),
            "bytes": whole(point.bytes),
        })).collect::<Vec<_>>(),
        "limits": series.crossings.iter().map(crossing).collect::<Vec<_>>(),
    })
}

fn tombstones(series: &TombstoneSeries) -> Value {
    json!({
        "per_day": figure(series.growth.per_day),
        "grace_days": figure(series.growth.grace_days),
        "points": series.points.iter().map(tombstone_point).collect::<Vec<_>>(),
        "thresholds": series.thresholds.iter().map(threshold).collect::<Vec<_>>(),
        "reads": series.reads.iter().map(|(scan, thresholds)| json!({
            "name": scan.name,
            "rows": figure(scan.rows),
            "tombstones_per_day": figure(scan.tombstones_per_day),
            "thresholds": thresholds.iter().map(threshold).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

fn tombstone_point(point: &TombstonePoint) -> Value {
    let (scanned, most) = (point.count_entries(), point.count_entries_at_most());
    json!({
        "day": figure(point.day),
        "live_rows": quantiles(point.live),
        "protected": quantiles(point.protected),
        "droppable": quantiles(point.droppable),
        "scanned": quantiles(scanned),
        "scanned_without_compaction": quantiles(most),
        "published_read_ms": figure(interpolate_read_ms(scanned.mean)),
        "published_read_ms_without_compaction": figure(interpolate_read_ms(most.mean)),
    })
}

fn threshold(threshold: &TombstoneThreshold) -> Value {
    json!({
        "name": threshold.limit.name,
        "tombstones": whole(threshold.limit.most),
        "day": threshold.compacted.map(figure),
        "day_without_compaction": threshold.kept.map(figure),
    })
}

pub(super) fn quantiles(quantiles: Quantiles) -> Value {
    json!({
        "mean": figure(quantiles.mean),
        "p50": figure(quantiles.p50),
        "p95": figure(quantiles.p95),
        "p99": figure(quantiles.p99),
        "p999": figure(quantiles.p999),
        "max": figure(quantiles.max),
    })
}

/// A number rounded to three decimals, so that the output is the same on every platform.
pub(super) fn figure(number: f64) -> Value {
    let rounded = (number * 1_000.0).round() / 1_000.0;
    if rounded.fract() == 0.0 { whole(rounded) } else { json!(rounded) }
}

/// A number rounded to an integer.
pub(super) fn whole(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates; counts and sizes are not negative"
    )]
    let whole = number.round() as u64;
    json!(whole)
}
