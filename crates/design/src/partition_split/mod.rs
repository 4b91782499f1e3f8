//! Buckets and shards, where the size or the heat of partitions requires them.
//!
//! A table without equality whose reads order or range by time is bucketed by time. Any other is
//! split only when necessary: by time where a clustering column is a time and every read can walk
//! the buckets (`bucket_columns`), by ranges of a growing integer where every read gives them,
//! otherwise by a hash of the row's key (`columns`). What cannot be split is refused by `notes`.

mod bucket_columns;
pub(crate) mod columns;
mod explanation;
mod oldest_bucket_table;
pub(crate) mod ranges;

#[cfg(test)]
mod tests;

use cql::types::{NativeType, Type};
use model::concept::{Attribute, DAY};
use model::id::TableId;
use model::plan::{Bucket, Derivation, MappingReason, MappingRule, Note, PlannedTable, Volume};
use model::workload::Column;

use crate::{Context, volume};

/// Buckets from the coarsest to the finest.
const WIDTHS: [Bucket; 5] = [Bucket::YEAR, Bucket::MONTH, Bucket::WEEK, Bucket::DAY, Bucket::HOUR];
/// More shards than this are never proposed.
pub(crate) const SHARDS_MAX: u32 = 1 << 16;

/// Sets the volume of every table from position `from` on and adds, where size or heat requires it,
/// a bucket, shards and (appended) the table that remembers its oldest bucket.
pub(crate) fn split(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    from: usize,
    notes: &mut Vec<Note>,
) {
    let mut position = from;
    while position < tables.len() {
        let at = TableId::new(position);
        if tables[at].remembers.is_none() {
            split_table(context, tables, at, notes);
        }
        tables[at].volume = volume::estimate_volume(context, &tables[at]);
        notes.extend(explanation::hot_bucket_table_note(context, &tables[at], at));
        position += 1;
    }
}

fn split_table(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    at: TableId,
    notes: &mut Vec<Note>,
) {
    let before = &tables[at];
    // A key that the user forces is reviewed, not changed.
    if is_forced(before) {
        return;
    }
    let parted = with_buckets_and_shards(context, before);
    let before = &columns::unsplit(before);
    let whole = volume::estimate_volume(context, before);
    if parted.bucket().is_some_and(|(_, _, bucket)| bucket.days().is_some())
        && whole.per_day.mean <= 0.0
    {
        notes.push(explanation::unknown_growth_note(context, before, &whole, at));
    }
    notes.extend(explanation::time_of_another_note(context, &parted, at));
    let memory = oldest_bucket_table::build(context, tables, &parted, before, at);
    tables[at] = parted;
    tables.extend(memory);
}

/// The table with the buckets and shards that it needs; unchanged when it needs none, when none
/// would help, or when it has some.
pub(crate) fn with_buckets_and_shards(context: Context<'_>, table: &PlannedTable) -> PlannedTable {
    split_with_volume(context, table).0
}

/// The same, and the volume that it then has.
pub(crate) fn split_with_volume(
    context: Context<'_>,
    table: &PlannedTable,
) -> (PlannedTable, Volume) {
    let whole = volume::estimate_volume(context, table);
    if table.bucket().is_some() || table.shards() > 1 {
        return (table.clone(), whole);
    }
    let too_large = is_over_limit(context, table, &whole);
    let bucketed = if let Some(of) = bucket_columns::find_time(context, table) {
        let has_constant =
            table.partition_key().any(|column| column.derivation == Derivation::Constant);
        let by_time = has_constant && bucket_columns::is_used_by_reads(context, table, of);
        // Rows whose number has settled arrived over some time, too.
        let is_time_ordered = || bucket_columns::is_used_by_reads(context, table, of);
        let is_needed = by_time || (too_large && (whole.per_day.mean > 0.0 || is_time_ordered()));
        is_needed.then(|| with_time_bucket(context, table, of, &whole))
    } else if too_large {
        bucket_columns::find_integer(context, table)
            .map(|of| with_range_bucket(context, table, of, &whole))
    } else {
        None
    };
    let (parted, held) = bucketed.unwrap_or_else(|| (table.clone(), whole));
    with_shards_needed(context, parted, &held)
}

/// The table that remembers the oldest bucket of a split one, where a walk would have no end
/// without it.
pub(crate) fn oldest_bucket_table(
    context: Context<'_>,
    parted: &PlannedTable,
) -> Option<PlannedTable> {
    parted.bucket()?;
    oldest_bucket_table::build(context, &[], parted, &columns::unsplit(parted), TableId::new(0))
}

/// Whether some read of a table orders or ranges by the column first.
pub(crate) fn is_read_along(context: Context<'_>, table: &PlannedTable, of: Column) -> bool {
    bucket_columns::is_used_by_reads(context, table, of)
}

/// The growing integer by whose ranges a table may be bucketed, given the reads that it serves.
pub(crate) fn range_column(context: Context<'_>, table: &PlannedTable) -> Option<Column> {
    bucket_columns::find_integer(context, table)
}

/// The widest bucket of several times this width, of at most `most` times, that stays within the
/// limits in a table; `None` where only the width itself does.
pub(crate) fn widest_multiple(
    context: Context<'_>,
    bucketed: &PlannedTable,
    most: u16,
) -> Option<Bucket> {
    let (_, of, width) = bucketed.bucket()?;
    let whole = columns::unsplit(bucketed);
    let retained = volume::retention(context.concept, bucketed).map(|seconds| seconds / DAY);
    let fits = |bucket: &Bucket| {
        let parted = columns::with_bucket(context, &whole, of, *bucket);
        let held = volume::estimate_volume(context, &parted);
        let lasts = bucket.days().zip(retained).is_some_and(|(days, retained)| days > retained);
        !lasts && !is_over_limit(context, &parted, &held)
    };
    let multiples = (2..=most).map_while(|count| width.times(count));
    multiples.take_while(fits).last()
}

/// How many shards alone would keep partitions within the limits.
pub(crate) fn shards_needed(context: Context<'_>, table: &PlannedTable) -> u32 {
    let held = volume::estimate_volume(context, table);
    let hot = held.hottest_writes / context.options.limits.hot_writes;
    shards_for(excess(context, table, &held).max(hot))
}

/// The time by which a table may be bucketed, given the reads that it serves.
pub(crate) fn bucket_time(context: Context<'_>, table: &PlannedTable) -> Option<Column> {
    bucket_columns::find_time(context, table)
}

/// Whether the partitions of a table are too large at p99.9 within its retention or the planning
/// years.
pub(crate) fn is_over_limit(context: Context<'_>, table: &PlannedTable, volume: &Volume) -> bool {
    excess(context, table, volume) > 1.0
}

/// How many times too large the partitions are.
fn excess(context: Context<'_>, table: &PlannedTable, volume: &Volume) -> f64 {
    let limits = &context.options.limits;
    let days = volume.fullest_day(volume::horizon(context, table));
    let rows = volume.rows_after(days).p999 / limits.partition_rows;
    // What is stored once in each partition is not divided by splitting it.
    let room = (limits.partition_bytes - volume.fixed_bytes).max(1.0);
    let bytes = volume.rows_after(days).p999 * volume.row_bytes_after(days) / room;
    rows.max(bytes)
}

/// The narrowest bucket of a time: a date has no hours.
pub(crate) fn narrowest_bucket(context: Context<'_>, table: &PlannedTable, of: Column) -> Bucket {
    let is_date = |attribute: &Attribute| attribute.ty == Type::Native(NativeType::Date);
    if volume::attribute(context.concept, table, of).is_some_and(is_date) {
        Bucket::DAY
    } else {
        Bucket::HOUR
    }
}

/// The table bucketed by the longest period that stays within the limits.
fn with_time_bucket(
    context: Context<'_>,
    table: &PlannedTable,
    of: Column,
    whole: &Volume,
) -> (PlannedTable, Volume) {
    let retained = volume::retention(context.concept, table);
    let retained_days = retained.map_or(f64::INFINITY, |seconds| seconds / DAY);
    let mut coarser = None;
    let narrowest = narrowest_bucket(context, table, of);
    for width in WIDTHS {
        let parted = columns::with_bucket(context, table, of, width);
        let held = volume::estimate_volume(context, &parted);
        let finest = width == narrowest;
        // A bucket that outlives its rows would never be dropped as a whole.
        let lasts = width.days().is_some_and(|days| days > retained_days);
        if finest || (!lasts && !is_over_limit(context, &parted, &held)) {
            let text = explanation::explain_bucket(
                context,
                table,
                whole,
                (width, &held),
                coarser.as_ref(),
            );
            let is_bucket = |derivation: &Derivation| matches!(derivation, Derivation::Bucket(..));
            return (with_reason(parted, &is_bucket, MappingRule::Bucket, text), held);
        }
        coarser = Some((width, held)).filter(|_| !lasts);
    }
    (table.clone(), *whole)
}

/// The table bucketed by ranges of a growing integer: the widest power of ten that stays within the
/// limits.
fn with_range_bucket(
    context: Context<'_>,
    table: &PlannedTable,
    of: Column,
    whole: &Volume,
) -> (PlannedTable, Volume) {
    let bucket = Bucket::Range(ranges::widest_range(context, table, of, &[1]));
    let parted = columns::with_bucket(context, table, of, bucket);
    let held = volume::estimate_volume(context, &parted);
    let text = explanation::explain_bucket(context, table, whole, (bucket, &held), None);
    let is_bucket = |derivation: &Derivation| matches!(derivation, Derivation::Bucket(..));
    (with_reason(parted, &is_bucket, MappingRule::Bucket, text), held)
}

/// The table with as many shards as its size and heat require; unchanged where a hash of the row's
/// key cannot split it.
fn with_shards_needed(
    context: Context<'_>,
    table: PlannedTable,
    held: &Volume,
) -> (PlannedTable, Volume) {
    let hot = held.hottest_writes / context.options.limits.hot_writes;
    let needed = excess(context, &table, held).max(hot);
    if needed <= 1.0 {
        return (table, *held);
    }
    let of = columns::shard_columns(context, &table);
    if of.is_empty() {
        return (table, *held);
    }
    let count = shards_for(needed);
    let parted = columns::with_shards(&table, of, count);
    let text = explanation::explain_shards(context, &table, held, count);
    let is_shard = |derivation: &Derivation| matches!(derivation, Derivation::Shard { .. });
    let parted = with_reason(parted, &is_shard, MappingRule::Shard, text);
    let held = volume::estimate_volume(context, &parted);
    (parted, held)
}

/// The number of shards for partitions that are too large by a factor.
fn shards_for(excess: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let count = excess.ceil().clamp(1.0, f64::from(SHARDS_MAX)) as u32;
    count
}

/// The table with an additional reason on the partition column of this derivation.
fn with_reason(
    mut table: PlannedTable,
    wanted: &dyn Fn(&Derivation) -> bool,
    rule: MappingRule,
    text: String,
) -> PlannedTable {
    let read = table.serves.first().map(|served| served.read);
    if let Some(column) = table.columns.iter_mut().find(|column| wanted(&column.derivation)) {
        column.reasons.push(MappingReason { rule, read, text });
    }
    table
}

/// Whether the user forces this key.
pub(crate) fn is_forced(table: &PlannedTable) -> bool {
    let mut reasons = table.columns.iter().flat_map(|column| &column.reasons);
    reasons.any(|reason| reason.rule == MappingRule::Forced)
}
