//! The statements of a plan.

use model::id::{IdList, StepId, TableId};
use model::plan::{Loop, Operand, PlannedTable, ReadStep, Relation, RowLimit, Select};
use model::workload::{Limit, Read};

use super::columns::ReadView;
use super::order::ResultOrder;
use super::restriction::Restrictions;
use super::select_list::SelectList;
use super::selection::{self, Selection};

/// `SELECT ... FROM ... WHERE ...`
pub(super) fn select(table: &PlannedTable, items: &SelectList, relations: Vec<Relation>) -> Select {
    let items = items.iter().cloned().collect();
    Select { table: table.name.clone(), items, relations, ..Select::default() }
}

/// The main statement.
pub(super) fn main_step(
    view: ReadView<'_>,
    table: TableId,
    restrictions: &Restrictions,
    order: &ResultOrder,
    selection: &Selection,
) -> ReadStep {
    let limit = limit(view, restrictions, order, selection).map(|limit| match limit {
        Limit::Number(rows) => RowLimit::Rows(rows),
        Limit::Parameter(parameter) => RowLimit::Operand(Operand::Parameter(parameter)),
    });
    let select = Select {
        group_by: selection.group.clone(),
        order_by: order.clause.clone(),
        limit,
        ..select(view.table, &selection.items, restrictions.relations.clone())
    };
    let loops = with_stops(view, restrictions, order);
    ReadStep { table, select, loops, optional: false, spans: restrictions.spans.clone() }
}

/// The limit that each statement can have: none where the client drops or sorts rows first.
fn limit(
    view: ReadView<'_>,
    restrictions: &Restrictions,
    order: &ResultOrder,
    selection: &Selection,
) -> Option<Limit> {
    if selection.single {
        return Some(Limit::Number(1));
    }
    let first_are_wanted = !order.by_client && restrictions.is_exact();
    (first_are_wanted && !selection.aggregates).then_some(view.read.limit)?
}

/// The loops of the statement, in which walks over buckets have their direction and stop condition.
fn with_stops(view: ReadView<'_>, restrictions: &Restrictions, order: &ResultOrder) -> Vec<Loop> {
    let mut loops = restrictions.loops.clone();
    // A filter on columns that the table lacks is applied when all rows were read.
    let elsewhere = restrictions.left_over.iter().any(|condition| {
        condition.predicate.columns().iter().any(|column| view.find_stored(*column).is_none())
    });
    for turn in &mut loops {
        if let Loop::Buckets(walk) = turn {
            walk.newest_first = order.newest_first;
            let filtered = !restrictions.left_over.is_empty();
            walk.stops_at_limit = order.in_bucket_sequence
                && !order.by_client
                && !restrictions.drops
                && !elsewhere
                && (view.read.limit.is_some() || is_single(view.read))
                && (!filtered || view.read.limit.is_some());
        }
    }
    loops
}

/// Whether one row answers.
fn is_single(read: &Read) -> bool {
    selection::is_existence(read) || selection::is_extreme(read)
}

/// The statement that reads the oldest bucket (and the newest, for ranges of integers), where a walk
/// has no other end.
pub(super) fn oldest_bucket_step(
    tables: &[PlannedTable],
    table: TableId,
    restrictions: &Restrictions,
) -> Option<ReadStep> {
    let walk = restrictions.loops.iter().find_map(|turn| match turn {
        Loop::Buckets(walk) => Some(walk),
        _ => None,
    })?;
    let is_range = walk.bucket.days().is_none();
    let has_ends = walk.from.is_some() && (walk.to.is_some() || !is_range);
    if has_ends || walk.retain.is_some() {
        return None;
    }
    let (at, memory) = tables.enumerate_ids().find(|(_, other)| other.remembers == Some(table))?;
    let relations = memory.partition_key().map(|key| {
        let found = restrictions.partition.iter().find(|(name, _)| *name == key.name);
        // In the table itself the bucket replaced the constant.
        let constant = || Operand::Literal("0".to_owned());
        Relation::equal(&key.name, found.map_or_else(constant, |(_, value)| value.clone()))
    });
    let relations = relations.collect();
    let mut items = SelectList::default();
    for end in memory.columns.iter().filter(|column| !column.is_key()) {
        items.select(end);
    }
    let select = select(memory, &items, relations);
    let outer = restrictions
        .loops
        .iter()
        .filter(|turn| !matches!(turn, Loop::Buckets(_) | Loop::Shards(_)));
    let loops = outer.cloned().collect();
    Some(ReadStep { table: at, select, loops, optional: false, spans: Vec::new() })
}

/// Sets the step that reads the end of the walk of the last step: the one before it.
pub(super) fn set_oldest_step(steps: &mut [ReadStep], oldest: StepId) {
    for turn in steps.last_mut().into_iter().flat_map(|step| &mut step.loops) {
        if let Loop::Buckets(walk) = turn {
            walk.oldest = Some(oldest);
            walk.newest = walk.bucket.days().is_none().then_some(oldest);
        }
    }
}
