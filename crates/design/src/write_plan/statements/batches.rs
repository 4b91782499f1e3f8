//! How statements are sent: alone, or together and in which kind of batch.

use cql::BatchKind;
use model::id::{IdList, TableId};
use model::plan::{
    ColumnAssignment, Loop, Modification, Operand, PlanRemark, PlannedStatement, PlannedTable,
    WritePlan, WriteStep,
};

use super::StatementDraft;
use crate::statement::ColumnValue;

/// More statements than this are not sent as one batch.
const STATEMENTS_MAX: f64 = 100.0;
/// The server refuses a larger batch.
const BYTES_MAX: f64 = 50.0 * 1024.0;
/// The server warns of a larger batch.
const BYTES_WARN: f64 = 5.0 * 1024.0;
/// Assumed bytes of a statement that only updates or deletes, or whose table has no estimate.
const SMALL: f64 = 100.0;

/// Conditional statements, each alone and in turn.
pub(super) fn send_conditional(
    sent: Vec<StatementDraft>,
    steps: &mut Vec<WriteStep>,
    plan: &mut WritePlan,
) {
    if sent.len() > 1 {
        plan.remarks.push(PlanRemark::UndoOnRefusal);
    }
    steps.extend(sent.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
}

/// Plain statements: in one batch, except those that are too many for it.
pub(super) fn send_plain(
    tables: &[PlannedTable],
    sent: Vec<StatementDraft>,
    steps: &mut Vec<WriteStep>,
    plan: &mut WritePlan,
) {
    let bytes = |sent: &StatementDraft| bytes(tables, sent);
    let (mut together, mut apart) = (sent, Vec::new());
    // A range delete that is repeated for each bucket or shard needs no batch: it can be repeated
    // until it succeeds.
    let ranges: Vec<_> = together.extract_if(.., |sent| is_spread(sent)).collect();
    let oversized = find_oversized(tables, &together.iter().collect::<Vec<_>>());
    for table in oversized {
        apart.extend(together.extract_if(.., |sent| sent.planned.table == table));
    }
    let size: f64 = together.iter().map(|sent| sent.planned.rows * bytes(sent)).sum();
    if size > BYTES_WARN && (together.len() > 1 || has_loops(&together)) {
        plan.remarks.push(PlanRemark::LargeBatch { bytes: size });
    }
    send_batch(tables, together, steps);
    steps.extend(ranges.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
    if apart.is_empty() {
        return;
    }
    let statements: f64 = apart.iter().map(|sent| sent.most).sum();
    let size: f64 = apart.iter().map(|sent| sent.most * bytes(sent)).sum();
    plan.remarks.push(PlanRemark::TooManyForBatch { statements, bytes: size });
    steps.extend(apart.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
}

/// Bytes of a statement, roughly.
fn bytes(tables: &[PlannedTable], sent: &StatementDraft) -> f64 {
    let row = tables.member(sent.planned.table).map_or(SMALL, |table| table.volume.row_bytes);
    if sent.planned.modification.is_insert() { row.max(SMALL) } else { SMALL }
}

/// The tables whose statements are too many for a batch with all others, the largest first.
fn find_oversized(tables: &[PlannedTable], sent: &[&StatementDraft]) -> Vec<TableId> {
    let mut apart = Vec::new();
    loop {
        let left = || sent.iter().filter(|sent| !apart.contains(&sent.planned.table));
        let size = |sent: &&StatementDraft| sent.most * bytes(tables, sent);
        let fits = left().map(|sent| sent.most).sum::<f64>() <= STATEMENTS_MAX
            && left().map(size).sum::<f64>() <= BYTES_MAX;
        let largest = left().max_by(|one, other| size(one).total_cmp(&size(other)));
        match largest.map(|sent| sent.planned.table) {
            Some(table) if !fits => apart.push(table),
            _ => return apart,
        }
    }
}

/// Partitions that plain statements write in a logged batch. `among_others`: it has others, in
/// other tables, too.
pub(super) fn count_logged(
    tables: &[PlannedTable],
    sent: &[StatementDraft],
    among_others: bool,
) -> f64 {
    let sent: Vec<_> = sent.iter().filter(|sent| !is_spread(sent)).collect();
    let apart = find_oversized(tables, &sent);
    let together: Vec<_> =
        sent.into_iter().filter(|sent| !apart.contains(&sent.planned.table)).collect();
    if together.is_empty() {
        return 0.0;
    }
    let alone = together.len() == 1 && together.iter().all(|sent| sent.planned.loops.is_empty());
    if !among_others && (alone || is_one_partition(together.iter().copied())) {
        return 0.0;
    }
    let mut places: Vec<(TableId, &[ColumnValue], f64)> = Vec::new();
    for sent in together {
        let times = if has_varying_partition(sent) { sent.planned.rows } else { 1.0 };
        let (table, partition) = (sent.planned.table, sent.partition.as_slice());
        let same = places.iter_mut().find(|place| place.0 == table && place.1 == partition);
        match same {
            Some(place) => place.2 = place.2.max(times),
            None => places.push((table, partition, times)),
        }
    }
    places.iter().map(|place| place.2).sum()
}

/// Whether all statements are in the same partition, at every turn.
fn is_one_partition<'s>(mut sent: impl Iterator<Item = &'s StatementDraft>) -> bool {
    let Some(first) = sent.next() else { return true };
    !has_varying_partition(first)
        && sent.all(|other| {
            other.planned.table == first.planned.table
                && other.partition == first.partition
                && !has_varying_partition(other)
        })
}

/// Whether it is repeated for each bucket or shard.
fn is_spread(sent: &StatementDraft) -> bool {
    sent.planned.loops.iter().any(|turn| matches!(turn, Loop::Buckets(_) | Loop::Shards(_)))
}

fn has_loops(sent: &[StatementDraft]) -> bool {
    sent.iter().any(|sent| !sent.planned.loops.is_empty())
}

/// The batch of statements that belong together.
fn send_batch(tables: &[PlannedTable], sent: Vec<StatementDraft>, steps: &mut Vec<WriteStep>) {
    if sent.len() == 1 && !has_loops(&sent) {
        steps.extend(sent.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
        return;
    }
    let Some(first) = sent.first() else { return };
    let table = first.planned.table;
    let (kind, reason) = if is_one_partition(sent.iter()) {
        let name = tables.member(table).map_or("", |table| table.name.as_str());
        let reason = format!(
            "all statements write to one partition of {name}, so the batch is atomic and cheaper than separate statements"
        );
        (BatchKind::Unlogged, reason)
    } else {
        let reason = "the statements write to several partitions: a logged batch applies all of them or none, at about 30 % more cost than an unlogged batch";
        (BatchKind::Logged, reason.to_owned())
    };
    let statements = sent.into_iter().map(|sent| sent.planned).collect();
    steps.push(WriteStep::Batch { kind, statements, reason });
}

/// Whether the partition differs between the turns.
fn has_varying_partition(sent: &StatementDraft) -> bool {
    let rows = sent.planned.loops.iter().any(|turn| matches!(turn, Loop::Rows(_)));
    sent.partition.iter().any(|(_, operand)| is_varying(operand, rows))
}

fn is_varying(operand: &Operand, rows: bool) -> bool {
    match operand {
        Operand::Turn(_) => true,
        Operand::Row { .. } => rows,
        _ => operand.parts().into_iter().any(|part| is_varying(part, rows)),
    }
}

/// Whether a statement changes a counter by more than 0, and so not only the first time it is sent.
pub(super) fn is_increment(sent: &PlannedStatement) -> bool {
    let Modification::Update(update) = &sent.modification else { return false };
    let is_nothing =
        |it: &ColumnAssignment| matches!(&it.value, Operand::Literal(text) if text == "0");
    !update.assignments.iter().all(is_nothing)
}

/// Counter updates: separately, since the server rejects batches that mix them with other
/// statements.
pub(super) fn send_counters(
    sent: Vec<StatementDraft>,
    steps: &mut Vec<WriteStep>,
    plan: &mut WritePlan,
) {
    if sent.is_empty() {
        return;
    }
    if sent.iter().any(|sent| is_increment(&sent.planned)) {
        plan.remarks.push(PlanRemark::CounterTimeout);
    }
    let fits = sent.iter().map(|sent| sent.most).sum::<f64>() <= STATEMENTS_MAX;
    if !fits || (sent.len() == 1 && !has_loops(&sent)) {
        steps.extend(sent.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
        return;
    }
    let reason = "counter updates cannot be in one batch with other statements".to_owned();
    let statements = sent.into_iter().map(|sent| sent.planned).collect();
    steps.push(WriteStep::Batch { kind: BatchKind::Counter, statements, reason });
}
