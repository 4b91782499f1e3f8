//! Puts a draft together: the reads first, then the statements in their batches.

use model::id::{Member, Numbered, StepId, TableId};
use model::plan::{
    Effort, Guard, Loop, Operand, PlannedStatement, PlannedTable, ReadStep, WritePlan, WriteStep,
};

use model::workload::Column;

use super::batches;
use crate::writing::count::Count;

use super::effort;
use super::{Draft, Sent};
use crate::Context;
use crate::statement::{self, Pair};
use crate::writing::lookup;
use crate::writing::request::{Request, result_name};
use crate::writing::shape::Shape;

/// A read of the plan in the making.
struct Built {
    table: TableId,
    /// Columns with the names they have in the result.
    columns: Vec<(String, String)>,
    key: Vec<Pair>,
    loops: Vec<Loop>,
    reason: String,
    /// A column that is null when a row is none but static columns without a row.
    present: Option<String>,
    /// What it takes.
    effort: Effort,
}

impl Member for Built {
    type Id = StepId;

    fn id(position: usize) -> StepId {
        StepId::new(position)
    }

    fn position(id: StepId) -> usize {
        id.index()
    }
}

impl Built {
    fn new(
        table: TableId,
        columns: Vec<(String, String)>,
        key: Vec<Pair>,
        request: &Request,
    ) -> Self {
        let (loops, reason) = (request.loops.clone(), request.reason.clone());
        let effort = Effort::default();
        Self { table, columns, key, loops, reason, present: None, effort }
    }

    /// Whether it reads the same rows.
    fn reads_like(&self, other: &Self) -> bool {
        self.table == other.table && self.key == other.key && self.loops == other.loops
    }
}

/// The plan of a draft whose requests can all be read.
pub(in crate::writing) fn plan(draft: Draft<'_>) -> WritePlan {
    let mut built = Vec::new();
    let mut places = Vec::new();
    for request in &draft.requests {
        let place = build(draft.context, draft.tables, request, &places, &mut built);
        places.push(place.unwrap_or_default());
    }
    let settle = |mut sent: Sent| {
        let planned = &mut sent.planned;
        for operand in planned.modification.operands_mut() {
            renumber(operand, &places);
        }
        planned.loops.iter_mut().for_each(|turn| renumber_loop(turn, &places));
        let guarding = planned.guards.iter_mut().flat_map(Guard::operands_mut);
        guarding.for_each(|operand| renumber(operand, &places));
        sent.partition.iter_mut().for_each(|(_, operand)| renumber(operand, &places));
        present(planned, &built);
        sent
    };
    let mut steps = Vec::new();
    let [first, rows, mut later, counts] = [draft.first, draft.rows, draft.later, draft.counts]
        .map(|list| list.into_iter().map(settle).collect::<Vec<_>>());
    // What was is kept until all that is new is there.
    later.sort_by_key(|sent| sent.planned.modification.is_delete());
    let mut plan = WritePlan {
        idempotent: draft.idempotent && counts.is_empty() && first.is_empty(),
        preconditions: draft.preconditions,
        remarks: draft.remarks,
        ..WritePlan::default()
    };
    for sent in [&first, &rows, &later, &counts].into_iter().flatten() {
        plan.amplification += sent.planned.rows;
        plan.tombstones += sent.planned.tombstones;
    }
    plan.effort =
        effort::of_statements(draft.context, draft.tables, [&first, &rows, &later, &counts], false);
    for read in &built {
        plan.effort += read.effort;
    }
    batches::conditional(first, &mut steps, &mut plan);
    batches::plain(draft.tables, rows, &mut steps, &mut plan);
    steps.extend(later.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
    batches::counters(counts, &mut steps, &mut plan);
    plan.steps = built.into_iter().map(|built| read_step(draft.tables, built)).collect();
    plan.steps.extend(steps);
    plan
}

/// Builds the read of a request, or finds one that reads the same rows; its position among the steps.
fn build(
    context: Context<'_>,
    tables: &[PlannedTable],
    request: &Request,
    places: &[StepId],
    built: &mut Vec<Built>,
) -> Option<StepId> {
    if request.ensures || request.unused {
        return None;
    }
    let mut new = if let Some(own) = &request.own {
        let columns = own.names.iter().map(|name| (name.clone(), name.clone())).collect();
        Built::new(own.table, columns, own.key.clone(), request)
    } else {
        let access = lookup::best(context, tables, request)?;
        let shape = Shape { concept: context.concept, sources: &request.sources };
        let named =
            |(column, name): (&Column, &String)| (name.clone(), result_name(shape, *column));
        let columns = access.stored.iter().map(named).collect();
        Built { loops: access.loops, ..Built::new(access.table, columns, access.key, request) }
    };
    let table = tables.at(new.table)?;
    let own = new.loops.get(request.loops.len()..).unwrap_or_default();
    let numbers = (request.times, request.count);
    new.effort = effort::of_read(context, table, numbers, own).unwrap_or_default();
    in_table_order(table, &mut new.columns);
    new.key.iter_mut().for_each(|(_, operand)| renumber(operand, places));
    new.loops.iter_mut().for_each(|turn| renumber_loop(turn, places));
    notice_statics(table, &mut new);
    remember_oldest(context, tables, &mut new, request.times, built);
    if let Some(at) = built.find_id(|other| other.reads_like(&new)) {
        let known = &mut built[at.index()];
        for column in new.columns {
            if !known.columns.contains(&column) {
                known.columns.push(column);
            }
        }
        in_table_order(table, &mut known.columns);
        return Some(at);
    }
    let at = built.next_id();
    built.push(new);
    Some(at)
}

/// Puts columns into the order that the table has them in.
fn in_table_order(table: &PlannedTable, columns: &mut [(String, String)]) {
    columns.sort_by_key(|(name, _)| table.columns.iter().position(|column| column.name == *name));
}

/// A partition may have static columns and no rows: then a row without clustering columns comes back.
fn notice_statics(table: &PlannedTable, new: &mut Built) {
    use model::plan::Role;
    let has_statics = table.columns.iter().any(|column| column.role == Role::Static);
    let Some(first) = table.clustering().next().filter(|_| has_statics) else { return };
    if new.key.iter().any(|(name, _)| *name == first.name) {
        return;
    }
    let selected = new.columns.iter().find(|(name, _)| *name == first.name);
    let result = selected.map_or_else(|| first.name.clone(), |(_, result)| result.clone());
    if selected.is_none() {
        new.columns.push((first.name.clone(), result.clone()));
        in_table_order(table, &mut new.columns);
    }
    new.present = Some(result);
}

/// Reads first where a walk over buckets ends.
fn remember_oldest(
    context: Context<'_>,
    tables: &[PlannedTable],
    new: &mut Built,
    times: Count,
    built: &mut Vec<Built>,
) {
    let walk = new.loops.iter().position(|turn| {
        matches!(turn, Loop::Buckets(walk) if walk.retain.is_none() && walk.oldest.is_none())
    });
    let Some(walk) = walk else { return };
    let memory = tables.numbered().find(|(_, other)| other.remembers == Some(new.table));
    let Some((at, memory)) = memory else { return };
    let Some(oldest) = memory.columns.iter().find(|column| !column.is_key()) else { return };
    let known = |name: &str| new.key.iter().find(|(column, _)| column == name);
    let key = memory.partition_key().map(|column| {
        let constant = || (column.name.clone(), Operand::Literal("0".to_owned()));
        known(&column.name).cloned().unwrap_or_else(constant)
    });
    let first_own = new
        .loops
        .iter()
        .position(|turn| matches!(turn, Loop::Buckets(_) | Loop::Shards(_)))
        .unwrap_or(walk);
    let end = Built {
        table: at,
        columns: vec![(oldest.name.clone(), oldest.name.clone())],
        key: key.collect(),
        loops: new.loops[..first_own].to_vec(),
        reason: "the oldest bucket, where the walk ends".to_owned(),
        present: None,
        effort: effort::of_read(context, memory, (times, times), &[]).unwrap_or_default(),
    };
    let step = built.find_id(|other| other.reads_like(&end)).unwrap_or_else(|| {
        let at = built.next_id();
        built.push(end);
        at
    });
    if let Some(Loop::Buckets(walk)) = new.loops.get_mut(walk) {
        walk.oldest = Some(step);
    }
}

/// Guards statements against rows that are none.
fn present(planned: &mut PlannedStatement, built: &[Built]) {
    let turns: Vec<_> = planned
        .loops
        .iter()
        .filter_map(|turn| match turn {
            Loop::Rows(step) => Some(*step),
            _ => None,
        })
        .collect();
    let mut guards = Vec::new();
    let mut open = turns;
    while let Some(step) = open.pop() {
        let Some(read) = built.at(step) else { continue };
        guards.extend(
            read.present
                .iter()
                .map(|column| Guard::NotNull(Operand::Row { step, column: column.clone() })),
        );
        open.extend(read.loops.iter().filter_map(|turn| match turn {
            Loop::Rows(earlier) if *earlier < step => Some(*earlier),
            _ => None,
        }));
    }
    guards.retain(|guard| !planned.guards.contains(guard));
    planned.guards.splice(0..0, guards);
}

fn read_step(tables: &[PlannedTable], built: Built) -> WriteStep {
    let name = tables.at(built.table).map_or("", |table| table.name.as_str());
    let select = statement::select(name, &built.columns, &built.key);
    let step = ReadStep { table: built.table, select, loops: built.loops };
    WriteStep::Read(step, built.reason)
}

/// Names the steps by their positions in the plan.
fn renumber(operand: &mut Operand, places: &[StepId]) {
    if let Operand::Row { step, .. } = operand {
        *step = places.get(step.index()).copied().unwrap_or(*step);
    }
    for part in operand.parts_mut() {
        renumber(part, places);
    }
}

fn renumber_loop(turn: &mut Loop, places: &[StepId]) {
    match turn {
        Loop::Rows(step) => *step = places.get(step.index()).copied().unwrap_or(*step),
        Loop::Elements(of) => renumber(of, places),
        Loop::Values(_) | Loop::Shards(_) | Loop::Buckets(_) => {}
    }
}
