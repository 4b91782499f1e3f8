//! Why a table is split, and what is said when it is not.

use model::plan::{Bucket, Derivation, Note, NoteKind, PlannedTable, Role, Volume};

use super::{exceeds, note};
use crate::figures::{bytes, count, counted, days, rate};
use crate::{Context, volume};

/// Why a bucket, and why this wide. `coarser` is the next width that was not taken.
pub(super) fn bucket(
    context: Context<'_>,
    table: &PlannedTable,
    whole: &Volume,
    (width, held): (Bucket, &Volume),
    coarser: Option<(Bucket, Volume)>,
) -> String {
    let over = horizon(context, table);
    let why = if exceeds(context, table, whole) {
        let grows = match whole.per_day.p999 {
            daily if daily > 0.0 => format!(" ({} new ones a day)", count(daily)),
            _ => String::new(),
        };
        format!(
            "without it a partition would hold {}{grows} at p99.9 {over}, more than {}",
            size(whole, whole_days(context, table)),
            bound(context)
        )
    } else {
        "nothing is given by equality, so the rows of a stretch of time lie together".to_owned()
    };
    let holds = match width {
        Bucket::Range(width) => {
            format!("a range of {} values holds no more rows", count(to_f64(width)))
        }
        _ => format!("a {} holds {}", width.name(), size(held, 0.0)),
    };
    let instead = coarser.map(|(coarser, would_hold)| {
        format!(", a {} would hold {}", coarser.name(), size(&would_hold, 0.0))
    });
    format!("{why}; {holds}{}", instead.unwrap_or_default())
}

/// Why shards, and why so many.
pub(super) fn shards(
    context: Context<'_>,
    table: &PlannedTable,
    held: &Volume,
    number: u32,
) -> String {
    let limits = &context.options.limits;
    let mut parts = Vec::new();
    if exceeds(context, table, held) {
        let in_days = whole_days(context, table);
        let each = held.rows_after(in_days).p999 / f64::from(number);
        parts.push(format!(
            "a partition would hold {} at p99.9 {}, more than {}; {number} shards hold {} each",
            size(held, in_days),
            horizon(context, table),
            bound(context),
            counted(each, "row"),
        ));
    }
    if held.hottest_writes > limits.hot_writes {
        parts.push(format!(
            "the hottest partition would take {}, more than {}; {number} shards take {} each",
            writes(held.hottest_writes),
            rate(limits.hot_writes),
            rate(held.hottest_writes / f64::from(number)),
        ));
    }
    let why_not = if table.bucket().is_some() {
        "a finer bucket than this there is none"
    } else {
        "no time that the reads go by could divide it"
    };
    format!(
        "{} ({why_not}); a read that does not know the row's key visits all {number}",
        parts.join("; ")
    )
}

/// What is to be said of the volume of a finished table: that it breaks the bound, or is hot, and cannot be split.
pub(super) fn judge(context: Context<'_>, table: &PlannedTable, at: usize, notes: &mut Vec<Note>) {
    let limits = &context.options.limits;
    let held = &table.volume;
    if exceeds(context, table, held) && !super::is_forced(table) {
        let (why, help) = stuck(table);
        notes.push(note(
            NoteKind::Refusal,
            at,
            format!(
                "a partition of {} holds {} at p99.9 {}, more than {}, and {why}",
                table.name,
                size(held, whole_days(context, table)),
                horizon(context, table),
                bound(context)
            ),
            help.to_owned(),
        ));
    }
    if held.hottest_writes > limits.hot_writes {
        notes.push(note(
            NoteKind::Warning,
            at,
            format!(
                "the hottest partition of {} takes {}, more than {}, and {}",
                table.name,
                writes(held.hottest_writes),
                rate(limits.hot_writes),
                stuck(table).0
            ),
            hot_help(table).to_owned(),
        ));
    }
}

/// Why a table cannot be split further, and what to do.
fn stuck(table: &PlannedTable) -> (&'static str, &'static str) {
    if super::is_forced(table) {
        (
            "its key is taken as it was asked for",
            "leave the key to the design, or add a bucket to it",
        )
    } else if table.clustering().next().is_none() {
        (
            "it is one row, which nothing divides",
            "store the large value in parts: a row for each piece of it",
        )
    } else {
        (
            "no column of its clustering key could divide it",
            "give the entity a key or a time that tells its rows apart",
        )
    }
}

/// What to do about a row that is written too often.
fn hot_help(table: &PlannedTable) -> &'static str {
    if table.remembers.is_some() {
        "write it only when a bucket begins, or give the table a retention: then no row needs to remember"
    } else if table.is_counter() {
        "count in the application and add the sums up every second, or count by a finer key and add up when reading"
    } else {
        "give the query one more attribute by equality, so that the writes spread over more partitions"
    }
}

/// A key that the user asked for and that the bound does not allow.
pub(super) fn forced(
    context: Context<'_>,
    table: &PlannedTable,
    proposed: &PlannedTable,
    at: usize,
) -> Note {
    let whole = volume::of(context, table);
    let figure = if exceeds(context, table, &whole) {
        format!(
            "holds {} at p99.9 {}, more than {}",
            size(&whole, whole_days(context, table)),
            horizon(context, table),
            bound(context)
        )
    } else {
        format!(
            "takes {} at its hottest, more than {}",
            writes(whole.hottest_writes),
            rate(context.options.limits.hot_writes)
        )
    };
    note(
        NoteKind::Refusal,
        at,
        format!(
            "with the key {} that was asked for, a partition of {} {figure}",
            key(table),
            table.name
        ),
        format!("take the key {}", key(proposed)),
    )
}

/// A primary key as CQL writes it.
fn key(table: &PlannedTable) -> String {
    let names = |partition: bool| -> Vec<&str> {
        let wanted = table
            .columns
            .iter()
            .filter(|column| column.is_key() && (column.role == Role::Partition) == partition);
        wanted.map(|column| column.name.as_str()).collect()
    };
    let (partition, clustering) = (names(true), names(false));
    let partition = format!("({})", partition.join(", "));
    let parts: Vec<_> = std::iter::once(partition.as_str()).chain(clustering).collect();
    let shards = table.partition_key().find_map(|column| match &column.derivation {
        Derivation::Shard { count, .. } => Some(format!(" with {count} shards")),
        _ => None,
    });
    format!("({}){}", parts.join(", "), shards.unwrap_or_default())
}

/// `212k rows (22 MB)`
fn size(volume: &Volume, in_days: f64) -> String {
    let rows = volume.rows_after(in_days).p999;
    format!("{} ({})", counted(rows, "row"), bytes(volume.bytes_after(in_days).p999))
}

/// `300k rows or 100 MB`
fn bound(context: Context<'_>) -> String {
    let limits = &context.options.limits;
    format!("{} or {}", counted(limits.partition_rows, "row"), bytes(limits.partition_bytes))
}

/// The time that growth is looked at.
fn horizon(context: Context<'_>, table: &PlannedTable) -> String {
    match volume::retention(context.concept, table) {
        Some(seconds) => format!("within its retention of {}", crate::figures::duration(seconds)),
        None => format!("after {}", days(context.options.limits.years * volume::YEAR)),
    }
}

fn whole_days(context: Context<'_>, table: &PlannedTable) -> f64 {
    volume::horizon(context, table)
}

fn writes(per_second: f64) -> String {
    format!("{} writes", rate(per_second)).replacen("/s writes", " writes/s", 1)
}

#[expect(clippy::cast_precision_loss, reason = "powers of ten up to the bound")]
fn to_f64(width: u64) -> f64 {
    width as f64
}
