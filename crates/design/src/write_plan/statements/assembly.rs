//! Assembles the plan of a draft: the reads first, then the statements in their batches.

use model::id::{IdList, Member, StepId, TableId};
use model::plan::{
    BucketWalk, Effort, Guard, Loop, Operand, PlannedRun, PlannedStatement, PlannedTable, ReadStep,
    ReturnedRows, WritePlan, WriteStep,
};

use model::workload::Column;

use super::batches;
use crate::write_plan::count::Count;

use super::effort;
use super::{Draft, StatementDraft};
use crate::Context;
use crate::statement::{self, ColumnValue};
use crate::write_plan::join_graph::JoinGraph;
use crate::write_plan::lookup;
use crate::write_plan::request::{Request, result_name};
use crate::write_plan::requirements::{ReturnDraft, RunDraft};

/// A read of the plan being assembled.
struct ReadDraft {
    table: TableId,
    /// Columns with the names they have in the result.
    columns: Vec<(String, String)>,
    key: Vec<ColumnValue>,
    loops: Vec<Loop>,
    /// It counts as a row of nulls where it returns none.
    optional: bool,
    reason: String,
    /// A clustering column that is null in a result row made of static columns only.
    present: Option<String>,
    /// Its effort.
    effort: Effort,
}

impl Member for ReadDraft {
    type Id = StepId;

    fn id(position: usize) -> StepId {
        StepId::new(position)
    }

    fn position(id: StepId) -> usize {
        id.index()
    }
}

impl ReadDraft {
    fn new(
        table: TableId,
        columns: Vec<(String, String)>,
        key: Vec<ColumnValue>,
        request: &Request,
    ) -> Self {
        let (loops, reason) = (request.loops.clone(), request.reason.clone());
        let (effort, optional) = (Effort::default(), request.optional);
        Self { table, columns, key, loops, optional, reason, present: None, effort }
    }

    /// Whether it reads the same rows.
    fn is_same_read(&self, other: &Self) -> bool {
        self.table == other.table
            && self.key == other.key
            && self.loops == other.loops
            && self.optional == other.optional
    }
}

/// The plan of a draft whose requests can all be read.
pub(in crate::write_plan) fn assemble_plan(draft: Draft<'_>) -> WritePlan {
    let mut built = Vec::new();
    let mut places = Vec::new();
    for request in &draft.requests {
        let place = build_read(draft.context, draft.tables, request, &places, &mut built);
        places.push(place.unwrap_or_default());
    }
    let mut kinds = [draft.first, draft.rows, draft.later, draft.counts];
    for sent in kinds.iter_mut().flatten() {
        let (table, loops) = (sent.planned.table, &mut sent.planned.loops);
        let place = (table, sent.partition.as_slice());
        read_oldest_bucket(draft.context, draft.tables, place, loops, Count::ONE, &mut built);
    }
    let settle = |mut sent: StatementDraft| {
        let planned = &mut sent.planned;
        for operand in planned.modification.operands_mut() {
            renumber(operand, &places);
        }
        planned.loops.iter_mut().for_each(|turn| renumber_loop(turn, &places));
        let guarding = planned.guards.iter_mut().flat_map(Guard::operands_mut);
        guarding.for_each(|operand| renumber(operand, &places));
        sent.partition.iter_mut().for_each(|(_, operand)| renumber(operand, &places));
        guard_presence(planned, &built);
        sent
    };
    let mut steps = Vec::new();
    let [first, rows, mut later, counts] =
        kinds.map(|list| list.into_iter().map(settle).collect::<Vec<_>>());
    // Old rows are deleted only after all new ones are written.
    later.sort_by_key(|sent| sent.planned.modification.is_delete());
    let mut plan = WritePlan {
        idempotent: draft.idempotent
            && !counts.iter().any(|sent| batches::is_increment(&sent.planned))
            && first.is_empty(),
        preconditions: draft.preconditions,
        remarks: draft.remarks,
        ..WritePlan::default()
    };
    for sent in [&first, &rows, &later, &counts].into_iter().flatten() {
        plan.amplification += sent.planned.rows;
        plan.tombstones += sent.planned.tombstones;
    }
    plan.effort = effort::statements_effort(
        draft.context,
        draft.tables,
        [&first, &rows, &later, &counts],
        false,
    );
    for read in &built {
        plan.effort += read.effort;
    }
    plan.returned = draft.returned.map(|returned| return_rows(returned, &places, &built));
    batches::send_conditional(first, &mut steps, &mut plan);
    steps.extend(draft.runs.into_iter().map(|run| run_step(run, &places, &built)));
    batches::send_plain(draft.tables, rows, &mut steps, &mut plan);
    steps.extend(later.into_iter().map(|sent| WriteStep::Statement(sent.planned)));
    batches::send_counters(counts, &mut steps, &mut plan);
    plan.steps = built.into_iter().map(|built| read_step(draft.tables, built)).collect();
    plan.steps.extend(steps);
    plan
}

/// The step that runs a derived write.
fn run_step(run: RunDraft, places: &[StepId], built: &[ReadDraft]) -> WriteStep {
    let RunDraft { write, mut arguments, mut loops, mut guards, count } = run;
    for operand in &mut arguments {
        renumber(operand, places);
    }
    for turn in &mut loops {
        renumber_loop(turn, places);
    }
    let guarding = guards.iter_mut().flat_map(Guard::operands_mut);
    guarding.for_each(|operand| renumber(operand, places));
    let mut guards: Vec<_> = guards.into_iter().map(|guard| with_presence(guard, built)).collect();
    guard_turns(&loops, &mut guards, built);
    WriteStep::Run(PlannedRun { write, arguments, loops, guards, times: count.mean })
}

/// The rows that the write returns.
fn return_rows(returned: ReturnDraft, places: &[StepId], built: &[ReadDraft]) -> ReturnedRows {
    let ReturnDraft { mut values, mut loops, mut guards } = returned;
    for operand in values.iter_mut().chain(guards.iter_mut().flat_map(Guard::operands_mut)) {
        renumber(operand, places);
    }
    for turn in &mut loops {
        renumber_loop(turn, places);
    }
    let mut guards: Vec<_> = guards.into_iter().map(|guard| with_presence(guard, built)).collect();
    guard_turns(&loops, &mut guards, built);
    ReturnedRows { values, loops, guards }
}

/// Whether a row was read: a result row made of static columns only is none.
fn with_presence(guard: Guard, built: &[ReadDraft]) -> Guard {
    let present = |operand: &Operand| {
        let Operand::Row { step, .. } = operand else { return None };
        let column = built.member(*step)?.present.clone()?;
        Some(Operand::Row { step: *step, column })
    };
    match &guard {
        Guard::Null(operand) => match present(operand) {
            Some(column) => Guard::Any(vec![guard, Guard::Null(column)]),
            None => guard,
        },
        Guard::NotNull(operand) => match present(operand) {
            Some(column) => Guard::All(vec![guard, Guard::NotNull(column)]),
            None => guard,
        },
        _ => guard,
    }
}

/// Builds the read of a request, or finds one that reads the same rows; its position among the
/// steps.
fn build_read(
    context: Context<'_>,
    tables: &[PlannedTable],
    request: &Request,
    places: &[StepId],
    built: &mut Vec<ReadDraft>,
) -> Option<StepId> {
    if request.ensures || request.unused {
        return None;
    }
    let mut new = if let Some(own) = &request.own {
        let columns = own.names.iter().map(|name| (name.clone(), name.clone())).collect();
        ReadDraft::new(own.table, columns, own.key.clone(), request)
    } else {
        let access = lookup::best_access(context, tables, request)?;
        let shape = JoinGraph { concept: context.concept, sources: &request.sources };
        let named =
            |(column, name): (&Column, &String)| (name.clone(), result_name(shape, *column));
        let columns = access.stored.iter().map(named).collect();
        ReadDraft {
            loops: access.loops,
            ..ReadDraft::new(access.table, columns, access.key, request)
        }
    };
    let table = tables.member(new.table)?;
    let own = new.loops.get(request.loops.len()..).unwrap_or_default();
    let numbers = (request.times, request.count);
    new.effort = effort::read_effort(context, table, numbers, own).unwrap_or_default();
    sort_columns(table, &mut new.columns);
    new.key.iter_mut().for_each(|(_, operand)| renumber(operand, places));
    new.loops.iter_mut().for_each(|turn| renumber_loop(turn, places));
    mark_presence_column(table, &mut new);
    let place = (new.table, new.key.as_slice());
    read_oldest_bucket(context, tables, place, &mut new.loops, request.times, built);
    if let Some(at) = built.find_id(|other| other.is_same_read(&new)) {
        let known = &mut built[at.index()];
        for column in new.columns {
            if !known.columns.contains(&column) {
                known.columns.push(column);
            }
        }
        sort_columns(table, &mut known.columns);
        return Some(at);
    }
    let at = built.next_id();
    built.push(new);
    Some(at)
}

/// Sorts columns in the order of the table.
fn sort_columns(table: &PlannedTable, columns: &mut [(String, String)]) {
    columns.sort_by_key(|(name, _)| table.columns.iter().position(|column| column.name == *name));
}

/// A partition may have static columns and no rows: then a row without clustering columns comes
/// back.
fn mark_presence_column(table: &PlannedTable, new: &mut ReadDraft) {
    use model::plan::ColumnRole;
    let has_statics = table.columns.iter().any(|column| column.role == ColumnRole::Static);
    let Some(first) = table.clustering().next().filter(|_| has_statics) else { return };
    if new.key.iter().any(|(name, _)| *name == first.name) {
        return;
    }
    let selected = new.columns.iter().find(|(name, _)| *name == first.name);
    let result = selected.map_or_else(|| first.name.clone(), |(_, result)| result.clone());
    if selected.is_none() {
        new.columns.push((first.name.clone(), result.clone()));
        sort_columns(table, &mut new.columns);
    }
    new.present = Some(result);
}

/// Adds the read of the oldest bucket, where a walk over the buckets of a table ends; `key` are the
/// values of its key, or of the partition key alone.
fn read_oldest_bucket(
    context: Context<'_>,
    tables: &[PlannedTable],
    (table, key): (TableId, &[ColumnValue]),
    loops: &mut [Loop],
    times: Count,
    built: &mut Vec<ReadDraft>,
) {
    let is_open = |walk: &BucketWalk| {
        // A range of integers does not end at the current time.
        let is_above_open = walk.to.is_none() && walk.bucket.days().is_none();
        let is_unknown = walk.retain.is_none() && walk.oldest.is_none();
        is_unknown && (walk.from.is_none() || is_above_open)
    };
    let walk = loops.iter().position(|turn| matches!(turn, Loop::Buckets(walk) if is_open(walk)));
    let Some(walk) = walk else { return };
    let memory = tables.enumerate_ids().find(|(_, other)| other.remembers == Some(table));
    let Some((at, memory)) = memory else { return };
    let ends = memory.columns.iter().filter(|column| !column.is_key());
    let known = |name: &str| key.iter().find(|(column, _)| column == name);
    let key = memory.partition_key().map(|column| {
        let constant = || (column.name.clone(), Operand::Literal("0".to_owned()));
        known(&column.name).cloned().unwrap_or_else(constant)
    });
    let first_own = loops
        .iter()
        .position(|turn| matches!(turn, Loop::Buckets(_) | Loop::Shards(_)))
        .unwrap_or(walk);
    let end = ReadDraft {
        table: at,
        columns: ends.map(|end| (end.name.clone(), end.name.clone())).collect(),
        key: key.collect(),
        loops: loops[..first_own].to_vec(),
        optional: false,
        reason: "the oldest bucket, at which the walk ends".to_owned(),
        present: None,
        effort: effort::read_effort(context, memory, (times, times), &[]).unwrap_or_default(),
    };
    let step = built.find_id(|other| other.is_same_read(&end)).unwrap_or_else(|| {
        let at = built.next_id();
        built.push(end);
        at
    });
    if let Some(Loop::Buckets(walk)) = loops.get_mut(walk) {
        walk.oldest = Some(step);
        walk.newest = walk.bucket.days().is_none().then_some(step);
    }
}

/// Guards statements against result rows made of static columns only.
fn guard_presence(planned: &mut PlannedStatement, built: &[ReadDraft]) {
    guard_turns(&planned.loops, &mut planned.guards, built);
}

/// Guards what is repeated over rows against result rows made of static columns only.
fn guard_turns(loops: &[Loop], guarding: &mut Vec<Guard>, built: &[ReadDraft]) {
    let turns: Vec<_> = loops
        .iter()
        .filter_map(|turn| match turn {
            Loop::Rows(step) => Some(*step),
            _ => None,
        })
        .collect();
    let mut guards = Vec::new();
    let mut open = turns;
    while let Some(step) = open.pop() {
        let Some(read) = built.member(step) else { continue };
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
    guards.retain(|guard| !guarding.contains(guard));
    guarding.splice(0..0, guards);
}

fn read_step(tables: &[PlannedTable], built: ReadDraft) -> WriteStep {
    let name = tables.member(built.table).map_or("", |table| table.name.as_str());
    let select = statement::select(name, &built.columns, &built.key);
    let (loops, optional) = (built.loops, built.optional);
    let step = ReadStep { table: built.table, select, loops, optional, spans: Vec::new() };
    WriteStep::Read(step, built.reason)
}

/// Replaces positions of requests by positions of steps in the plan.
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
