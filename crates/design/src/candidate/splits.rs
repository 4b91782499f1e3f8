//! The same key with other splits than the limits alone require.
//!
//! The limits give the coarsest unit of the calendar within them, so the variants are finer ones,
//! and several of that unit where one read would otherwise visit many; instead of buckets there may
//! be shards, where no read follows the time or one needs many buckets; and there may be more shards,
//! all of which a read visits but which share the load of a hot partition and are smaller. What
//! fits into one partition is not split: no read would read less.

use std::collections::BTreeSet;

use model::concept::DAY;
use model::plan::{Bucket, Derivation, MappingReason, MappingRule, PlannedTable};
use model::workload::{Column, Limit, Read};

use super::CandidateTable;
use crate::partition_split::{self, columns, ranges};
use crate::{Context, volume};
use model::figures::{pluralise, with_article};

/// Keys of a read for which other splits are tried: later ones are far from the rules.
const SPLIT_KEYS: usize = 6;
/// Rows that a walk over buckets needs where the read has no limit: a page.
const USUAL_PAGE: f64 = 100.0;
/// Buckets in which a walk should find all rows it needs.
const WALK_BUCKETS_MAX: f64 = 2.0;

/// Buckets above which a read should rather query shards: more than a walk requests at once.
const WALK_BUCKETS_MANY: f64 = 8.0;

/// How many times as many shards as are needed are tried.
const SHARD_FACTORS: [u32; 2] = [2, 5];
/// Ranges narrower than the limits ask for that are tried: a half, a fifth and a tenth.
const NARROWER_RANGES: usize = 3;
/// Most units of a bucket of several: hours of a day.
const UNITS_MAX: u16 = 23;

/// Variants of these candidates with other splits than they would have with all that the read
/// needs, at most `most` of them.
pub(super) fn split_variants(
    context: Context<'_>,
    read: &Read,
    candidates: &[CandidateTable],
    most: usize,
) -> Vec<CandidateTable> {
    let mut found = Vec::new();
    for candidate in
        candidates.iter().take(SPLIT_KEYS).filter(|one| !partition_split::is_forced(&one.table))
    {
        // The candidates of a read have its sources in its order.
        let needed: BTreeSet<Column> = super::complete_table::columns_used(read).collect();
        let filled = candidate.table_with(context, &needed).table;
        let time = filled.bucket().map(|(_, _, width)| width);
        if let Some(Bucket::Range(width)) = time {
            found.extend(with_other_ranges(context, read, candidate, &filled, width));
        } else if let Some(width) = time {
            found.extend(with_finer_bucket(context, read, candidate, &filled, width));
            found.extend(with_several_units(context, read, candidate, &filled));
        }
        if time.is_some() && can_replace_bucket(context, read, &filled) {
            found.extend(with_needed_shards(context, candidate, &needed));
        } else if time.is_none() && filled.shards() > 1 {
            let more = SHARD_FACTORS.map(|factor| filled.shards().saturating_mul(factor));
            found.extend(
                more.into_iter().filter_map(|count| with_shards(context, candidate, count)),
            );
        }
    }
    found.truncate(most);
    found
}

/// The next finer bucket, where a read still finds all rows it needs in one or two of them.
fn with_finer_bucket(
    context: Context<'_>,
    read: &Read,
    candidate: &CandidateTable,
    filled: &PlannedTable,
    width: Bucket,
) -> Option<CandidateTable> {
    let next = match width {
        Bucket::YEAR => Bucket::MONTH,
        Bucket::MONTH => Bucket::WEEK,
        Bucket::WEEK => Bucket::DAY,
        Bucket::DAY => Bucket::HOUR,
        _ => return None,
    };
    let (column, ..) = filled.bucket()?;
    let coarser = column.name.clone();
    // Sources may have been left out of the table, but not that of the bucket: it is found again by
    // its column.
    let of = partition_split::bucket_time(context, &candidate.table)?;
    if width == partition_split::narrowest_bucket(context, &candidate.table, of) {
        return None;
    }
    let mut table = columns::with_bucket(context, &candidate.table, of, next);
    let wanted = rows_wanted(read);
    let held = volume::estimate_volume(context, &table).rows_after(0.0).mean;
    if held * WALK_BUCKETS_MAX < wanted {
        return None;
    }
    let text = format!(
        "{} holds {} on average, enough for one read; {} would also stay within the bound",
        with_article(next),
        pluralise(held, "row"),
        with_article(coarser),
    );
    explain(&mut table, MappingRule::Bucket, text);
    Some(CandidateTable::new(table))
}

/// Other ranges of a growing integer than the power of ten that the limits give: the widest round
/// one, and narrower ones in which a read still finds all rows it needs in one or two of them.
fn with_other_ranges(
    context: Context<'_>,
    read: &Read,
    candidate: &CandidateTable,
    filled: &PlannedTable,
    width: u64,
) -> Vec<CandidateTable> {
    let Some(of) = partition_split::range_column(context, &candidate.table) else {
        return Vec::new();
    };
    let wanted = rows_wanted(read);
    let whole = columns::unsplit(filled);
    let widest = filled.bucket().map_or(width, |(_, of, _)| {
        ranges::widest_range(context, &whole, of, &ranges::ROUND_DIGITS)
    });
    let narrower = std::iter::successors(ranges::narrower_range(width), |wider| {
        ranges::narrower_range(*wider)
    });
    let widths = std::iter::once(widest).filter(|widest| *widest > width);
    let tables = widths.chain(narrower.take(NARROWER_RANGES)).filter_map(|width| {
        let bucket = Bucket::Range(width);
        let mut table = columns::with_bucket(context, &candidate.table, of, bucket);
        let held = volume::estimate_volume(context, &table).rows_after(0.0).mean;
        if held * WALK_BUCKETS_MAX < wanted {
            return None;
        }
        let text = format!("a {bucket} values holds {} on average", pluralise(held, "row"));
        explain(&mut table, MappingRule::Bucket, text);
        Some(CandidateTable::new(table))
    });
    tables.collect()
}

/// Several units of the calendar, where the rows of one would not suffice for a read or its range
/// is longer: as few as suffice for the rows, as many as the limits allow for a range.
fn with_several_units(
    context: Context<'_>,
    read: &Read,
    candidate: &CandidateTable,
    filled: &PlannedTable,
) -> Option<CandidateTable> {
    let (unit_column, ..) = filled.bucket()?;
    let of = partition_split::bucket_time(context, &candidate.table)?;
    let held = filled.volume.rows_after(0.0).mean;
    let wanted = rows_wanted(read);
    let is_unstated = read.stated.span(of).is_none();
    if is_unstated && held >= wanted {
        return None;
    }
    let enough =
        if is_unstated { (wanted / held.max(f64::MIN_POSITIVE)).ceil() } else { f64::INFINITY };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let most = enough.clamp(1.0, f64::from(UNITS_MAX)) as u16;
    let width = partition_split::widest_multiple(context, filled, most)?;
    let mut table = columns::with_bucket(context, &candidate.table, of, width);
    let several = volume::estimate_volume(context, &table).rows_after(0.0).mean;
    let text = format!(
        "{} holds {} on average, {} only {}: a read visits fewer partitions",
        with_article(width),
        pluralise(several, "row"),
        with_article(&unit_column.name),
        pluralise(held, "row"),
    );
    explain(&mut table, MappingRule::Bucket, text);
    Some(CandidateTable::new(table))
}

/// Rows that one read needs.
fn rows_wanted(read: &Read) -> f64 {
    match read.limit {
        #[expect(clippy::cast_precision_loss, reason = "a page has few rows")]
        Some(Limit::Number(rows)) => rows as f64,
        _ => USUAL_PAGE,
    }
}

/// Whether shards are worth trying in place of a bucket: where no read follows the time, or a read
/// needs many buckets. A bucket expires as a whole, and its files with it; shards never do. They are
/// sized for the planning years, and what grows outgrows them.
fn can_replace_bucket(context: Context<'_>, read: &Read, filled: &PlannedTable) -> bool {
    let Some((_, of, bucket)) = filled.bucket() else { return false };
    if volume::retention(context.concept, filled).is_some() {
        return false;
    }
    #[expect(clippy::cast_precision_loss, reason = "the widths are round numbers")]
    let width = match bucket {
        Bucket::Range(values) => values as f64,
        _ => bucket.days().unwrap_or(1.0) * DAY,
    };
    let held = filled.volume.rows_after(0.0).mean.max(f64::MIN_POSITIVE);
    let needed = read.stated.span(of).map_or_else(|| rows_wanted(read) / held, |span| span / width);
    !partition_split::is_read_along(context, filled, of) || needed > WALK_BUCKETS_MANY
}

/// As many shards as are needed in place of a bucket.
fn with_needed_shards(
    context: Context<'_>,
    candidate: &CandidateTable,
    needed: &BTreeSet<Column>,
) -> Option<CandidateTable> {
    let count = partition_split::shards_needed(context, &candidate.unsplit_table(context, needed));
    if count > 1 { with_shards(context, candidate, count) } else { None }
}

fn with_shards(
    context: Context<'_>,
    candidate: &CandidateTable,
    count: u32,
) -> Option<CandidateTable> {
    let of = columns::shard_columns(context, &candidate.table);
    if of.is_empty() || count > partition_split::SHARDS_MAX {
        return None;
    }
    let mut table = columns::with_shards(&candidate.table, of, count);
    let text = format!(
        "{count} shards share the rows and the load of one partition; a read without the row's key queries all of them"
    );
    explain(&mut table, MappingRule::Shard, text);
    Some(CandidateTable::new(table))
}

/// Adds the reason to the column that splits the partition.
fn explain(table: &mut PlannedTable, rule: MappingRule, text: String) {
    let read = table.serves.first().map(|served| served.read);
    let splits = |derivation: &Derivation| match rule {
        MappingRule::Bucket => matches!(derivation, Derivation::Bucket(..)),
        _ => matches!(derivation, Derivation::Shard { .. }),
    };
    if let Some(column) = table.columns.iter_mut().find(|column| splits(&column.derivation)) {
        column.reasons.push(MappingReason { rule, read, text });
    }
}
