//! The effort of the statements and reads of a write. Finished plans and the search both use it, so
//! that they count alike.

use model::concept::DAY;
use model::id::IdList;
use model::plan::{BucketWalk, ColumnRole, Effort, Loop, PlannedIndex, PlannedTable};
use schema::size::{self, RowOrigin};

use super::StatementDraft;
use super::batches;
use crate::volume::{self, YEAR};
use crate::write_plan::count::Count;
use crate::{Context, cost};

/// The effort of statements by group: conditional ones, plain ones, those after them, counter
/// updates.
///
/// `among_others`: plain statements count as logged as if statements on other tables were sent with
/// them.
pub(in crate::write_plan) fn statements_effort(
    context: Context<'_>,
    tables: &[PlannedTable],
    kinds: [&[StatementDraft]; 4],
    among_others: bool,
) -> Effort {
    let mut effort = Effort::default();
    for sent in kinds.into_iter().flatten() {
        effort += statement_effort(context, tables, sent);
    }
    let [_, plain, ..] = kinds;
    effort.logged += batches::count_logged(tables, plain, among_others);
    effort
}

/// The effort of a statement with all its turns, without that of its batch.
fn statement_effort(
    context: Context<'_>,
    tables: &[PlannedTable],
    sent: &StatementDraft,
) -> Effort {
    let planned = &sent.planned;
    let table = tables.member(planned.table);
    let deletes = planned.modification.is_delete();
    let assigned = planned.modification.target_columns();
    let written = if deletes { 0.0 } else { planned.rows };
    let indexed = table.into_iter().flat_map(|table| {
        let set = |index: &&PlannedIndex| assigned.contains(&index.column.as_str());
        let indexes = table.indexes.iter().filter(set);
        indexes.map(move |index| cost::index_entry_effort(context, table, index) * planned.rows)
    });
    let views = tables.iter().filter(|view| view.view_of == Some(planned.table));
    let views = views.map(|view| cost::view_row_effort(view, (&assigned, deletes)) * planned.rows);
    let own = Effort {
        written,
        written_bytes: table.map_or(0.0, |table| planned.rows * bytes(context, table, sent)),
        deleted: planned.tombstones,
        conditional: if planned.condition.is_some() || sent.joins_vote {
            planned.rows
        } else {
            0.0
        },
        counted: if table.is_some_and(PlannedTable::is_counter) { written } else { 0.0 },
        ..Effort::default()
    };
    indexed.chain(views).fold(own, |all, one| all + one)
}

/// Bytes that a statement writes: its row with the columns that get a value, as it is stored.
fn bytes(context: Context<'_>, table: &PlannedTable, sent: &StatementDraft) -> f64 {
    let assigned = sent.planned.modification.target_columns();
    let mut layout = volume::layout_of(context.concept, table, None, |column| {
        column.is_key() || assigned.contains(&column.name.as_str())
    });
    let deletes = sent.planned.modification.is_delete();
    if deletes {
        layout.written = RowOrigin::Delete;
    }
    let clusters = |name: &&str| {
        table.column(name).is_some_and(|column| matches!(column.role, ColumnRole::Clustering(_)))
    };
    let row = deletes
        || layout.clustering.is_empty()
        || !layout.regulars.is_empty()
        || assigned.iter().any(clusters);
    let mut bytes = if row { size::row(&layout) } else { 0.0 };
    if !layout.statics.is_empty() {
        let whole = size::partition_overhead(&layout);
        layout.statics.clear();
        bytes += whole - size::partition_overhead(&layout);
    }
    bytes
}

/// The effort of a read: sent so many times, with the turns of its own loops, for so many rows in
/// all.
///
/// A requested row corresponds to one row of the table: tables that hold more for it are never
/// chosen.
pub(in crate::write_plan) fn read_effort(
    context: Context<'_>,
    table: &PlannedTable,
    (times, rows): (Count, Count),
    own_loops: &[Loop],
) -> Option<Effort> {
    let mut requests = times.mean;
    for turn in own_loops {
        requests *= match turn {
            Loop::Shards(count) => f64::from(*count),
            Loop::Buckets(walk) => count_buckets(context, walk)?,
            Loop::Values(_) | Loop::Elements(_) | Loop::Rows(_) => 1.0,
        };
    }
    let bytes = match table.volume.row_bytes {
        known if known > 0.0 => known,
        _ => size::row(&volume::layout(context.concept, table, None)),
    };
    Some(Effort {
        requests,
        // All buckets are visited, in parallel.
        rounds: times.mean.min(1.0),
        partitions: requests,
        scattered: cost::excess_partitions(context, requests),
        rows: rows.mean,
        bytes: rows.mean * bytes,
        ..Effort::default()
    })
}

/// Buckets that a walk visits; `None` for ranges of numbers, of which nothing is known.
pub(in crate::write_plan) fn count_buckets(context: Context<'_>, walk: &BucketWalk) -> Option<f64> {
    let years = context.options.limits.years * YEAR;
    let days = walk.retain.map_or(years, |seconds| seconds / DAY);
    Some((days / walk.bucket.days()?).ceil() + 1.0)
}
