//! Estimates as JSON, for `helenus estimate --json`.

use design::capacity::RingBalance;
use design::estimate::{Estimate, SplitAlternative, YEAR, crossings};
use model::plan::{FileSpan, FileSpanBasis};
use schema::size::formula::{FORMULAS, script_result};
use schema::size::limits::Measure;
use serde_json::{Value, json};

use super::estimate_report::{EstimateReport, TableEstimate};
use super::estimate_series_json::{self, camel_case, figure, quantiles, whole};
use super::estimate_text::primary_key;
use super::planning_dates::is_far;

/// The whole report.
pub(crate) fn object(report: &EstimateReport<'_>) -> Value {
    let limits = &report.options.limits;
    let assumptions: Vec<_> = report
        .assumptions
        .iter()
        .map(|assumption| {
            json!({ "message": assumption.topic.to_string(), "help": assumption.topic.help() })
        })
        .collect();
    json!({
        "allAssumed": report.is_assumed(),
        "allAssumedNotice": report.notice(),
        "keyspace": report.concept.keyspace,
        "asOf": report.as_of.to_string(),
        "replicas": report.concept.copies(),
        "limits": {
            "bytes": whole(limits.partition_bytes),
            "rows": whole(limits.partition_rows),
            "years": limits.years,
        },
        "tables": report.tables.iter().map(|of| table(report, of)).collect::<Vec<_>>(),
        "hottestNode": report.load.map(|(load, table)| json!({
            "nodes": load.nodes,
            "requestsPerSecond": figure(load.hottest),
            "timesAverage": figure(load.ratio()),
            "table": table,
            "tableShare": figure(load.share),
        })),
        "assumptions": assumptions,
    })
}

fn table(report: &EstimateReport<'_>, of: &TableEstimate) -> Value {
    let estimate = &of.estimate;
    let volume = &estimate.table.volume;
    let mut table = json!({
        "name": estimate.table.name,
        "key": primary_key(&estimate.table),
        "rowBytes": whole(volume.row_bytes),
        "rowCells": volume.row_cells,
        "partitionBytes": whole(volume.fixed_bytes),
        "fileSpan": file_span(volume.file_span),
        "partitionsPerDay": volume.partitions_per_day,
        "retentionDays": estimate.retain_days,
        "exceedsLimits": estimate.exceeds,
        "ring": of.balance.map(ring),
        "indexedOnAllNodes": of.indexed,
        "limits": limit_crossings(report, estimate),
        "formulas": formulas(estimate),
        "alternatives": of
            .alternatives
            .iter()
            .map(|split| alternative(report, split))
            .collect::<Vec<_>>(),
    });
    if let (Some(table), Value::Object(series)) =
        (table.as_object_mut(), camel_case(estimate_series_json::object(&of.series)))
    {
        table.extend(series);
    }
    table
}

/// The time span of files, and where it comes from.
fn file_span(span: FileSpan) -> Value {
    let basis = match span.basis {
        FileSpanBasis::Stated => "stated",
        FileSpanBasis::Window => "window",
        FileSpanBasis::Retention => "retention",
        FileSpanBasis::Period => "period",
    };
    json!({ "seconds": figure(span.seconds()), "basis": basis })
}

/// The balance over the nodes of a datacenter.
fn ring(balance: RingBalance) -> Value {
    json!({
        "nodes": balance.nodes,
        "unusedNodes": balance.unused,
        "fullestNode": figure(balance.fullest),
        "keys": balance.placed,
        "allKeys": balance.is_whole,
    })
}

/// The date on which each limit is exceeded, null for never or in more than a hundred years.
fn limit_crossings(report: &EstimateReport<'_>, estimate: &Estimate) -> Vec<Value> {
    let date = |days: Option<f64>| {
        let near = days.filter(|days| !is_far(Some(*days)));
        near.map(|days| report.as_of.plus_days(days).to_string())
    };
    let object = |crossing: design::estimate::LimitCrossing| {
        let measure = match crossing.limit.measure {
            Measure::Bytes => "bytes",
            Measure::Rows => "rows",
            Measure::Cells => "values",
            Measure::Tombstones => "tombstones",
            Measure::Elements => "elements",
            Measure::CollectionBytes => "collection bytes",
        };
        json!({
            "name": crossing.limit.name,
            "measure": measure,
            "limit": whole(crossing.limit.most),
            "symptom": crossing.limit.consequence,
            "severity": crossing.limit.mistake.severity,
            "usualTimeToImpact": crossing.limit.mistake.time_to_impact,
            "source": crossing.limit.source,
            "p999Days": crossing.p999.map(figure),
            "maxDays": crossing.largest.map(figure),
            "p999": date(crossing.p999),
            "max": date(crossing.largest),
        })
    };
    crossings(estimate).into_iter().map(object).collect()
}

/// The bytes at p99.9 by the published formulas, beside the computed ones.
fn formulas(estimate: &Estimate) -> Value {
    let (rows, bytes) = estimate.size_after(estimate.horizon_days);
    let published: Vec<_> = FORMULAS
        .iter()
        .map(|formula| {
            json!({
                "name": formula.name,
                "formula": formula.text,
                "source": formula.source,
                "bytes": whole((formula.bytes)(&estimate.layout, rows.p999)),
            })
        })
        .collect();
    let script = script_result(&estimate.layout, rows.p999);
    json!({
        "rows": figure(rows.p999),
        "computedBytes": whole(bytes.p999),
        "published": published,
        "script": {
            "row_size_bytes": figure(script.row_bytes),
            "partition_size_bytes": figure(script.partition_bytes),
            "partition_size_mb": figure(script.partition_mb),
            "recommendation": script.recommendation,
        },
    })
}

fn alternative(report: &EstimateReport<'_>, split: &SplitAlternative) -> Value {
    let days = report.options.limits.years * YEAR;
    let volume = &split.volume;
    json!({
        "bucket": split.bucket.map(|bucket| bucket.to_string()),
        "shards": split.shards,
        "partitions": whole(volume.partitions_after(days)),
        "rows": quantiles(volume.rows_after(days)),
        "bytes": quantiles(volume.bytes_after(days).map(f64::round)),
        "exceedsLimits": split.exceeds,
        "tinyPartitions": split.is_tiny,
        "selected": split.is_taken,
    })
}
