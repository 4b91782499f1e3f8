//! Volume of a table: the size of its partitions now and later, and their heat.
//!
//! What the partition key fixes (`anchor`) determines the rows under it (`rows`) as a distribution
//! (`distribution`); the columns and the time span of files (`file_span`) determine their bytes
//! (`bytes`, and `collections` as far as they grow), the rates their heat (`heat`).

mod anchor;
mod bytes;
mod collections;
mod distribution;
mod file_span;
mod heat;
mod number_scope;
mod rows;

#[cfg(test)]
mod tests;

use model::concept::{Concept, DAY};
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::plan::{Bucket, Derivation, PlannedTable, Quantiles, Volume};
use model::workload::Column;
use schema::size;

use crate::Context;
use rows::RowEstimate;

pub(crate) use bytes::{field, layout, layout_after, layout_of};
pub(crate) use file_span::{TableMutations, predict_single_write_ttl, to_ttl};
pub(crate) use rows::{LETTERS, attribute, is_time, retention, time_retention};

/// Days of a year.
pub(crate) const YEAR: f64 = 365.25;
/// Days of a second: no time is shorter.
const SHORTEST: f64 = 1.0 / DAY;

/// The volume of a table, with the buckets and shards that its partition key has.
pub(crate) fn estimate_volume(context: Context<'_>, table: &PlannedTable) -> Volume {
    let horizon = horizon(context, table);
    let Some(rows) = rows::estimate_rows(context.concept, table, horizon) else {
        return Volume::default();
    };
    let retain = retention(context.concept, table).map(|seconds| (seconds / DAY).max(SHORTEST));
    let mut volume = match table.bucket().map(|(_, _, bucket)| bucket) {
        Some(Bucket::Range(width)) => {
            let numbered = number_scope::rows_numbered(context.concept, table, horizon);
            range_volume(&rows, width, numbered, horizon)
        }
        Some(bucket) => window_volume(&rows, bucket.days().unwrap_or(1.0), retain, horizon),
        None if rows.by_day => window_volume(&rows, 1.0, retain, horizon),
        None => unsplit_volume(&rows, retain),
    };
    divide_by_shards(&mut volume, f64::from(table.shards()), horizon);
    volume.file_span = file_span::derive_file_span(context, table);
    let layout =
        bytes::layout_over(context.concept, table, retain.map(|days| days * DAY), volume.file_span);
    volume.fixed_bytes = size::partition_overhead(&layout);
    volume.row_bytes = size::row(&layout);
    volume.row_cells = size::cells(&layout);
    volume.collections = collections::estimate_growth(context.concept, table, &layout, horizon);
    (volume.hottest_writes, volume.hottest_reads) = heat::estimate_heat(context, table, &rows);
    volume
}

/// Days over which the growth of a table is considered: its retention, or the planning years where
/// rows stay, or come faster later.
pub(crate) fn horizon(context: Context<'_>, table: &PlannedTable) -> f64 {
    let planned = context.options.limits.years * YEAR;
    let days = match retention(context.concept, table).map(|seconds| seconds / DAY) {
        Some(days) if has_even_growth(context.concept, table) => days,
        Some(days) => planned.max(days),
        None => planned,
    };
    days.max(SHORTEST)
}

/// Whether as many rows come each day, so that as many expire.
fn has_even_growth(concept: &Concept, table: &PlannedTable) -> bool {
    let source = tip(concept, table).and_then(|at| table.holds.sources.member(at));
    let entity = source.and_then(|source| concept.entities.member(source.entity));
    entity.is_none_or(|entity| entity.curve.is_linear())
}

/// Days over which the rows of a partition arrived: its bucket, its retention, or as long as its
/// growth took; a year where there are none yet, since then the rows after a year are priced.
pub(crate) fn days_held(context: Context<'_>, table: &PlannedTable) -> f64 {
    let volume = &table.volume;
    let age = (volume.per_day.mean > 0.0).then(|| volume.today.mean / volume.per_day.mean);
    let age = age.map(|days| if days > 0.0 { days } else { YEAR });
    volume.grows_for.or(age).unwrap_or_else(|| horizon(context, table))
}

/// The share of accesses by key that go to the most popular value of a table's partition key.
pub(crate) fn popularity(context: Context<'_>, table: &PlannedTable) -> f64 {
    let rows = rows::estimate_rows(context.concept, table, horizon(context, table));
    rows.map_or(1.0, |rows| heat::popularity(context.concept, &rows.anchors))
}

/// The source whose rows the table's rows are.
pub(crate) fn tip(concept: &Concept, table: &PlannedTable) -> Option<SourceId> {
    anchor::SourceGraph::new(concept, table).tips().first().copied()
}

/// The attribute that a column's values are made from.
pub(crate) fn attribute_of(derivation: &Derivation) -> Option<Column> {
    match derivation {
        Derivation::Attribute(of)
        | Derivation::Coalesced(of, _)
        | Derivation::Element(of)
        | Derivation::Bucket(of, _)
        | Derivation::Prefix(of, _)
        | Derivation::Sum(of) => Some(*of),
        Derivation::Count(of) => *of,
        Derivation::Shard { .. }
        | Derivation::Constant
        | Derivation::Oldest(_)
        | Derivation::Newest(_) => None,
    }
}

/// Whether what a table holds depends on an attribute of an entity.
pub(crate) fn is_dependent_on(
    table: &PlannedTable,
    entity: EntityId,
    attribute: AttributeId,
) -> bool {
    let is_it = |of: Column| {
        let source = table.holds.sources.member(of.source);
        of.attribute == attribute && source.is_some_and(|source| source.entity == entity)
    };
    let mut filters = table.holds.filters.iter().flat_map(|filter| filter.predicate.columns());
    filters.any(|of| is_it(*of))
        || table.columns.iter().any(|column| attribute_of(&column.derivation).is_some_and(is_it))
}

/// The volume when all rows under a value of the key are in one partition.
fn unsplit_volume(rows: &RowEstimate, retain: Option<f64>) -> Volume {
    let growing = &rows.growing;
    let grows_for = retain.filter(|_| growing.daily.rows.mean > 0.0);
    let steady = retain.filter(|_| rows.total_daily > 0.0);
    let total =
        steady.map_or(rows.total, |days| rows.total_daily * rows.curve.elapsed_within(days, 0.0));
    let today = growing.today.rows.map(|count| if count > 0.0 { count.max(1.0) } else { 0.0 });
    let mut volume = Volume {
        today,
        per_day: growing.daily.rows,
        rows_curve: rows.curve,
        grows_for,
        partitions_per_day: if steady.is_some() { 0.0 } else { rows.values_daily },
        partitions_curve: if steady.is_some() { rows.curve } else { rows.values_curve },
        partitions_live_for: steady.filter(|_| grows_for.is_none()),
        ..Volume::default()
    };
    let mean = volume.rows_after(0.0).mean;
    volume.partitions = if mean > 0.0 { total / mean.max(1.0) } else { growing.today.values };
    volume
}

/// The volume when the rows of one period under a value of the key are in one partition.
fn window_volume(rows: &RowEstimate, width: f64, retain: Option<f64>, horizon: f64) -> Volume {
    let mut daily = rows.growing.daily.rows;
    let mut total_daily = rows.total_daily;
    if daily.mean > 0.0 && retain.is_none() && rows.values_daily <= 0.0 {
        // As many rows as without the period, where the rate of the INSERTs is not exactly that of
        // all values together: a rounded figure must not decide how a table is split.
        total_daily = unsplit_volume(rows, retain).partitions * daily.mean;
    }
    if daily.mean <= 0.0 {
        // The rows under a value do not grow in number, or nothing is known about it: as if those
        // of today had been added evenly, over the time that the whole table took.
        let age = if total_daily > 0.0 { rows.total / total_daily } else { horizon };
        let age = age.clamp(width.min(horizon), horizon);
        daily = rows.growing.today.rows.map(|count| count / age);
        if total_daily <= 0.0 {
            total_daily = rows.total / age;
        }
    }
    let days = retain.map_or(width, |retain| retain.min(width));
    // The bucket of the fastest growth is the largest.
    let daily = daily.map(|count| count * rows.curve.peak(horizon));
    // An existing partition has at least one row.
    let per_day = daily.map(|count| count.max(1.0 / days));
    let held = per_day.map(|count| count * days);
    let all =
        retain.map_or(rows.total, |retain| total_daily * rows.curve.elapsed_within(retain, 0.0));
    Volume {
        partitions: all / held.mean,
        partitions_per_day: if retain.is_some() { 0.0 } else { total_daily / held.mean },
        partitions_curve: rows.curve,
        partitions_live_for: retain,
        today: held,
        per_day,
        grows_for: Some(days),
        ..Volume::default()
    }
}

/// The volume when the rows of one range of a growing integer under a value of the key are in one
/// partition: no more rows than the width of the range, and only so many as are of the value's own
/// where all values share the numbers.
fn range_volume(rows: &RowEstimate, width: u64, numbered: Option<f64>, horizon: f64) -> Volume {
    #[expect(clippy::cast_precision_loss, reason = "the widths are round numbers")]
    let width = width as f64;
    let growing = &rows.growing;
    let days = rows.curve.elapsed(horizon);
    let later = growing.today.rows.zip(growing.daily.rows, |now, daily| now + daily * days);
    let share = |count: f64| numbered.map_or(1.0, |all| (count / all.max(1.0)).min(1.0));
    let held = later.map(|count| count.min(width * share(count)).max(1.0));
    Volume {
        partitions: rows.total / held.mean,
        partitions_per_day: rows.total_daily / held.mean,
        partitions_curve: rows.curve,
        today: held,
        per_day: Quantiles::default(),
        ..Volume::default()
    }
}

/// Divides the volume among shards; an existing partition has at least one row.
fn divide_by_shards(volume: &mut Volume, shards: f64, horizon: f64) {
    if shards <= 1.0 {
        return;
    }
    let before = volume.rows_after(0.0).mean;
    let all = (volume.partitions + volume.partitions_per_day * horizon).max(1.0) * shards;
    let deviation = shard_deviation(volume.rows_after(horizon).p50 / shards, shards);
    let least = volume.grows_for.map_or(0.0, |days| 1.0 / days);
    let today = volume.today.map(|count| (count / shards).max(1.0_f64.min(count)));
    let per_day = volume.per_day.map(|count| (count / shards).max(least.min(count)));
    volume.today = distribution::widen(today, deviation, all);
    volume.per_day = distribution::widen(per_day, deviation, all);
    let after = volume.rows_after(0.0).mean;
    let more = if after > 0.0 { before / after } else { shards };
    volume.partitions *= more;
    volume.partitions_per_day *= more;
}

/// The standard deviation of the rows of a shard, as a share of their number: a hash distributes
/// them at random.
fn shard_deviation(rows: f64, shards: f64) -> f64 {
    ((1.0 - 1.0 / shards) / rows.max(1.0)).sqrt()
}
