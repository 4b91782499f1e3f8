//! How reads run: the statements over the tables, and what is left to the client.
//!
//! A plan is made in order: the restrictions of the key (`restriction`), the order (`order`), what is selected
//! (`selection`), and what it costs (`price`).

pub(crate) mod columns;
mod lookup;
mod order;
pub(crate) mod price;
mod restriction;
mod selection;
mod statics;
#[cfg(test)]
mod tests;

use cql::printer::identifier;
use model::plan::{ClientStep, Loop, Operand, PlannedTable, ReadPlan, ReadStep, Served};
use model::workload::{Limit, Read};

use crate::Context;
use columns::View;
use order::Order;
use restriction::Restrictions;
use selection::Selection;

/// The plan of a read on the table at position `table`, which serves it as `served` says.
pub(crate) fn plan(
    context: Context<'_>,
    tables: &[PlannedTable],
    table: usize,
    read: &Read,
    served: &Served,
) -> ReadPlan {
    let Some(planned) = tables.get(table) else { return ReadPlan::default() };
    let view = View { concept: context.concept, table: planned, read, served };
    let restrictions = Restrictions::of(view);
    let mut selection = Selection::of(view, &restrictions);
    let order = Order::of(view, &restrictions, &selection);
    if order.by_client || !restrictions.loops.is_empty() {
        selection.add_order(view);
    }
    let mut steps = Vec::new();
    steps.extend(oldest_step(tables, table, &restrictions));
    let rowless = statics::without_rows(view, &restrictions, &mut selection);
    let step = select(view, table, &restrictions, &order, &selection);
    let mut client = client_steps(view, &restrictions, &order, &selection);
    client.splice(0..0, rowless);
    let mut plan =
        ReadPlan { client, remarks: remarks(&restrictions, &order), ..ReadPlan::default() };
    steps.push(step);
    if let Some(oldest) = steps.len().checked_sub(2) {
        remember(&mut steps, oldest);
    }
    plan.main = steps.len() - 1;
    plan.steps = steps;
    lookup::add(context, tables, view, &mut plan);
    price::set(context, tables, read, &mut plan);
    plan
}

/// The main statement.
fn select(
    view: View<'_>,
    table: usize,
    restrictions: &Restrictions,
    order: &Order,
    selection: &Selection,
) -> ReadStep {
    let mut cql =
        format!("SELECT {} FROM {}", selection.list.join(", "), identifier(&view.table.name));
    let mut clause = |word: &str, text: String| {
        if !text.is_empty() {
            cql.extend([" ", word, " ", &text]);
        }
    };
    clause("WHERE", restrictions.relations.join(" AND "));
    clause("GROUP BY", selection.group.join(", "));
    clause("ORDER BY", order.clause.clone().unwrap_or_default());
    let mut operands = restrictions.operands.clone();
    match limit(view, restrictions, order, selection) {
        Some(Limit::Number(rows)) => clause("LIMIT", rows.to_string()),
        Some(Limit::Parameter(parameter)) => {
            clause("LIMIT", "?".to_owned());
            operands.push(Operand::Parameter(parameter));
        }
        None => {}
    }
    let loops = with_stops(view, restrictions, order);
    ReadStep { table, cql, operands, loops }
}

/// The limit that each statement can have: none where the client drops or sorts rows first.
fn limit(
    view: View<'_>,
    restrictions: &Restrictions,
    order: &Order,
    selection: &Selection,
) -> Option<Limit> {
    if selection.single {
        return Some(Limit::Number(1));
    }
    let reordered = order.by_client || !restrictions.left_over.is_empty();
    (!reordered && !selection.aggregates).then_some(view.read.limit)?
}

/// The loops of the statement, in which a walk over buckets knows its direction and where it may stop.
fn with_stops(view: View<'_>, restrictions: &Restrictions, order: &Order) -> Vec<Loop> {
    let mut loops = restrictions.loops.clone();
    for turn in &mut loops {
        if let Loop::Buckets(walk) = turn {
            walk.newest_first = order.newest_first;
            let filtered = !restrictions.left_over.is_empty();
            walk.stops_at_limit = order.in_bucket_sequence
                && !order.by_client
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

/// The statement that asks for the oldest bucket, where a walk has no other end.
fn oldest_step(
    tables: &[PlannedTable],
    table: usize,
    restrictions: &Restrictions,
) -> Option<ReadStep> {
    let walk = restrictions.loops.iter().find_map(|turn| match turn {
        Loop::Buckets(walk) => Some(walk),
        _ => None,
    })?;
    if walk.from.is_some() || walk.retain.is_some() {
        return None;
    }
    let (at, memory) =
        tables.iter().enumerate().find(|(_, other)| other.remembers == Some(table))?;
    let mut relations = Vec::new();
    let mut operands = Vec::new();
    for key in memory.partition_key() {
        match restrictions.partition.iter().find(|(name, ..)| *name == key.name) {
            Some((_, relation, operand)) => {
                relations.push(relation.clone());
                operands.extend(operand.clone());
            }
            // The bucket took the place of the constant in the table itself.
            None => relations.push(format!("{} = 0", identifier(&key.name))),
        }
    }
    let oldest = memory.columns.iter().find(|column| !column.is_key())?;
    let cql = format!(
        "SELECT {} FROM {} WHERE {}",
        identifier(&oldest.name),
        identifier(&memory.name),
        relations.join(" AND ")
    );
    let outer = restrictions
        .loops
        .iter()
        .filter(|turn| !matches!(turn, Loop::Buckets(_) | Loop::Shards(_)));
    Some(ReadStep { table: at, cql, operands, loops: outer.cloned().collect() })
}

/// Tells the walk of the last step where its end was read.
fn remember(steps: &mut [ReadStep], oldest: usize) {
    for turn in steps.last_mut().into_iter().flat_map(|step| &mut step.loops) {
        if let Loop::Buckets(walk) = turn {
            walk.oldest = Some(oldest);
        }
    }
}

/// What the client does, in order.
fn client_steps(
    view: View<'_>,
    restrictions: &Restrictions,
    order: &Order,
    selection: &Selection,
) -> Vec<ClientStep> {
    let read = view.read;
    let parallel = restrictions.loops.iter().any(|turn| !matches!(turn, Loop::Buckets(_)));
    let looped = !restrictions.loops.is_empty();
    let mut steps: Vec<_> =
        restrictions.left_over.iter().cloned().map(ClientStep::Filter).collect();
    if !selection.aggregates && view.table.is_counter() {
        steps.push(ClientStep::AbsentIsZero);
    }
    if selection.aggregates {
        steps.extend(selection.after.clone());
        if looped && !selection.by_client {
            steps.insert(0, ClientStep::Combine(read.group.clone()));
        }
        if order.by_client || (looped && !read.order.is_empty()) {
            steps.push(ClientStep::Sort(read.order.clone()));
        }
    } else if order.by_client || (looped && !order.in_bucket_sequence && !read.order.is_empty()) {
        steps.push(ClientStep::Sort(read.order.clone()));
    } else if parallel && !read.order.is_empty() {
        steps.push(ClientStep::Merge(read.order.clone()));
    }
    let cut =
        order.by_client || looped || !restrictions.left_over.is_empty() || selection.aggregates;
    if let Some(limit) = read.limit.filter(|_| cut) {
        steps.push(ClientStep::Limit(limit));
    }
    if selection::is_existence(read) {
        steps.push(ClientStep::Exists);
    }
    steps
}

/// Sentences that a reader of the plan needs.
fn remarks(restrictions: &Restrictions, order: &Order) -> Vec<String> {
    restrictions.remarks.iter().chain(&order.remarks).cloned().collect()
}
