//! Partitions above the bound: those that nothing could split, and those of keys that the user forces (`--key`), with the
//! key to take instead.

use model::plan::{About, Note, NoteKind, PlannedTable, Rule};

use super::note;
use super::review::{Review, key_text};
use crate::figures::{bytes, counted, days};
use crate::{Options, volume};

/// A refusal for each table above the bound.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut unforced = None;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let Some(figures) = excess(review, table) else { continue };
        let (message, help) = if is_forced(table) {
            let instead = unforced.get_or_insert_with(|| without_forced_keys(review));
            let message = format!(
                "the key `{}` that was asked for is refused: a partition of `{}` {figures}",
                key_text(table),
                table.name
            );
            (message, proposed(table, instead))
        } else {
            let (why, help) = stuck(table);
            let message = format!("a partition of `{}` {figures}, and {why}", table.name);
            (message, help.to_owned())
        };
        notes.push(note(NoteKind::Refusal, About::Table(at), message, help));
    }
    notes
}

/// What a partition at p99.9 comes to, where that is above the bound: its size, and when it crosses.
fn excess(review: Review<'_>, table: &PlannedTable) -> Option<String> {
    let limits = &review.context.options.limits;
    let horizon = volume::horizon(review.context, table);
    let rows = table.volume.rows_after(horizon).p999;
    let size = table.volume.bytes_after(horizon).p999;
    if rows <= limits.partition_rows && size <= limits.partition_bytes {
        return None;
    }
    let of_bytes = table.volume.days_until(limits.partition_bytes).unwrap_or(f64::INFINITY);
    let crossed = of_bytes.min(days_until_rows(table, limits.partition_rows));
    let when = if crossed <= 0.0 {
        "today".to_owned()
    } else if crossed.is_finite() {
        format!("in {}", days(crossed))
    } else {
        "once it is full".to_owned()
    };
    Some(format!(
        "comes to {} and {} at p99.9 within {}, and passes {} or {} {when}",
        counted(rows, "row"),
        bytes(size),
        days(horizon),
        counted(limits.partition_rows, "row"),
        bytes(limits.partition_bytes)
    ))
}

/// Why a table could not be split further, and what to do.
fn stuck(table: &PlannedTable) -> (&'static str, &'static str) {
    if table.clustering().next().is_none() {
        (
            "it is one row, which nothing divides",
            "store the large value in parts: a row for each piece of it",
        )
    } else {
        (
            "no column of its clustering key could divide it",
            "search by one more attribute, set @retain, or raise the bound (--max-partition, --max-rows)",
        )
    }
}

/// Days until a partition at p99.9 has more rows.
fn days_until_rows(table: &PlannedTable, limit: f64) -> f64 {
    let now = table.volume.rows_after(0.0).p999;
    let daily = table.volume.per_day.p999;
    if now > limit {
        0.0
    } else if table.volume.grows_for.is_none() && daily > 0.0 {
        (limit - now) / daily
    } else {
        f64::INFINITY
    }
}

/// Whether the user forced the table's key.
pub(super) fn is_forced(table: &PlannedTable) -> bool {
    table.columns.iter().any(|column| {
        column.is_key() && column.reasons.iter().any(|reason| reason.rule == Rule::Forced)
    })
}

/// The tables that the method derives when no key is forced.
pub(super) fn without_forced_keys(review: Review<'_>) -> Vec<PlannedTable> {
    let context = review.context;
    let options = Options { keys: Vec::new(), ..context.options.clone() };
    crate::design(context.concept, context.workload, &options).tables
}

/// The key to take instead of a forced one.
pub(super) fn proposed(table: &PlannedTable, unforced: &[PlannedTable]) -> String {
    let read = table.serves.first();
    let instead = unforced.iter().find(|other| {
        let serves = |one: &model::plan::Served| {
            read.is_some_and(|read| one.read == read.read && one.part == read.part)
        };
        other.serves.iter().any(serves)
    });
    let Some(instead) = instead else { return "leave the key to the method".to_owned() };
    let shards = match instead.shards() {
        1 => String::new(),
        shards => format!(" with {shards} shards"),
    };
    format!("take the key `{}`{shards}, which the method derives", key_text(instead))
}
