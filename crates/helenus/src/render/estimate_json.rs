//! Estimates as JSON, for `helenus estimate --json`.

use design::capacity::{RingBalance, ring_balance};
use design::estimate::{Estimate, SplitAlternative, YEAR, crossings};
use model::plan::{FileSpan, FileSpanBasis, Quantiles};
use schema::size::formula::FORMULAS;
use schema::size::limits::Measure;
use serde_json::{Value, json};

use super::estimate_report::EstimateReport;
use super::estimate_text::primary_key;

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
        "keyspace": report.concept.keyspace,
        "asOf": report.as_of.to_string(),
        "replicas": report.concept.copies(),
        "limits": {
            "bytes": whole(limits.partition_bytes),
            "rows": whole(limits.partition_rows),
            "years": limits.years,
        },
        "tables": report
            .tables
            .iter()
            .map(|(estimate, alternatives)| table(report, estimate, alternatives))
            .collect::<Vec<_>>(),
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

fn table(
    report: &EstimateReport<'_>,
    estimate: &Estimate,
    alternatives: &[SplitAlternative],
) -> Value {
    let volume = &estimate.table.volume;
    let copies = f64::from(report.concept.copies());
    let sizes: Vec<_> = report
        .dates_for(estimate)
        .into_iter()
        .map(|days| {
            let (rows, bytes) = estimate.size_after(days);
            json!({
                "years": figure(days / YEAR),
                "days": figure(days),
                "rows": quantiles(rows),
                "bytes": quantiles(bytes.map(f64::round)),
                "partitions": whole(volume.partitions_after(days)),
                "diskBytes": whole(volume.table_bytes_after(days) * copies),
            })
        })
        .collect();
    json!({
        "name": estimate.table.name,
        "key": primary_key(&estimate.table),
        "rowBytes": whole(volume.row_bytes),
        "rowCells": volume.row_cells,
        "partitionBytes": whole(volume.fixed_bytes),
        "fileSpan": file_span(volume.file_span),
        "partitionsPerDay": volume.partitions_per_day,
        "retentionDays": estimate.retain_days,
        "exceedsLimits": estimate.exceeds,
        "ring": ring_balance(report.concept, &estimate.table).map(ring),
        "sizes": sizes,
        "limits": limit_crossings(report, estimate),
        "formulas": formulas(estimate),
        "alternatives": alternatives
            .iter()
            .map(|split| alternative(report, split))
            .collect::<Vec<_>>(),
    })
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

/// The date on which each limit is exceeded, null for never.
fn limit_crossings(report: &EstimateReport<'_>, estimate: &Estimate) -> Vec<Value> {
    let date = |days: Option<f64>| days.map(|days| report.as_of.plus_days(days).to_string());
    let object = |crossing: design::estimate::LimitCrossing| {
        let measure = match crossing.limit.measure {
            Measure::Bytes => "bytes",
            Measure::Rows => "rows",
            Measure::Cells => "values",
            Measure::Tombstones => "tombstones",
        };
        json!({
            "name": crossing.limit.name,
            "measure": measure,
            "limit": whole(crossing.limit.most),
            "source": crossing.limit.source,
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
    json!({ "rows": figure(rows.p999), "computedBytes": whole(bytes.p999), "published": published })
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

fn quantiles(quantiles: Quantiles) -> Value {
    json!({
        "mean": figure(quantiles.mean),
        "p50": figure(quantiles.p50),
        "p99": figure(quantiles.p99),
        "p999": figure(quantiles.p999),
        "max": figure(quantiles.max),
    })
}

/// A number rounded to three decimals, so that the output is the same on every platform.
fn figure(number: f64) -> Value {
    let rounded = (number * 1_000.0).round() / 1_000.0;
    if rounded.fract() == 0.0 { whole(rounded) } else { json!(rounded) }
}

/// A number rounded to an integer.
fn whole(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates; counts and sizes are not negative"
    )]
    let whole = number.round() as u64;
    json!(whole)
}
