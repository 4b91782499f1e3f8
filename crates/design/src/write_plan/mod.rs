//! Write plans: for each insert, update and delete the statements on all tables that store what it
//! changes.
//!
//! Tables are denormalised, so one fact of the conceptual model may be in many tables, under
//! different keys and joined with different rows. A write is planned in three stages:
//!
//! - `impact` (first): which rows of which tables the write affects, and how. A pure function of
//!   the write and the tables: it resolves no value and produces no statement.
//! - `requirements` (second): the values that are written, and the requests for rows that must be
//!   read to know them. Requests state which rows and columns are needed, not where they are read.
//! - `statements` (third): statements and reads, in the order in which they are sent, in batches.
//!
//! Around them: `lookup` finds the table that a request is read from; `support` adds a column or a
//! table where none can serve it, which may make other writes need more, hence the rounds here;
//! `upkeep` drafts writes for a single table, from which the search prices it. Shared vocabulary:
//! `scope` (a table seen from the entity written), `join_graph` (the sources of a table and how
//! they are joined), `request` and `request_key`, `count` (how often), and `guard_expression`
//! (conditions under which a statement is sent).
//!
//! Invariants: a later stage never decides anew what an earlier one settled, so the search and the
//! final plans agree on what a table needs. Operands refer to requests by position until the plan
//! is assembled. Where statements cannot share a batch, deletes of old rows come last, so that a
//! write that fails halfway leaves a duplicate rather than a gap. `tests/simulation` checks all of
//! it by running random writes on both the relational model and the tables, and comparing them.

mod count;
mod guard_expression;
mod impact;
mod join_graph;
mod lookup;
mod request;
mod request_key;
mod requirements;
mod scope;
mod statements;
mod support;
#[cfg(test)]
mod tests;
pub(crate) mod upkeep;

use model::id::{IdList, WriteId};
use model::plan::topic::WriteTopic;
use model::plan::{
    Note, NoteKind, NoteSubject, PlannedTable, WritePlan, WriteStep, list_client_checks,
};
use model::workload::{Write, WriteKind};

use crate::{Context, naming, partition_split};
use impact::Impact;
use impact::target::WriteTarget;
use statements::Draft;
use support::Provision;

/// Rounds at most: a table added for one write must be maintained by the others, which may need
/// more.
const ROUNDS: usize = 12;

/// Adds the tables and columns by which writes find rows, where no read provides them. To be called
/// before tables are split and named.
pub(crate) fn add_support_tables(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    notes: &mut Vec<Note>,
) {
    for _ in 0..ROUNDS {
        let mut settled = true;
        for (position, write) in context.workload.writes.enumerate_ids() {
            settled &= provide(context, tables, (write, position), notes) != Provision::Added;
        }
        if settled {
            return;
        }
    }
}

/// The plans of all writes. Tables and columns that one plan adds concern the plans before it, so
/// planning repeats until none is added; only the notes of the last round count.
pub(crate) fn plan_writes(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    notes: &mut Vec<Note>,
) -> Vec<WritePlan> {
    let mut plans = Vec::new();
    for _ in 0..ROUNDS {
        let (before, mut round_notes) = (count_columns(tables), Vec::new());
        plans = context
            .workload
            .writes
            .enumerate_ids()
            .map(|(position, write)| plan_write(context, tables, write, position, &mut round_notes))
            .collect();
        if count_columns(tables) == before {
            notes.extend(round_notes);
            break;
        }
    }
    settle_idempotence(&mut plans);
    plans
}

/// The columns of all tables. Every table has some, so that an added table shows, too.
fn count_columns(tables: &[PlannedTable]) -> usize {
    tables.iter().map(|table| table.columns.len()).sum()
}

/// A write can be repeated only if the derived writes that it runs can.
fn settle_idempotence(plans: &mut [WritePlan]) {
    for _ in 0..plans.len() {
        let repeatable: Vec<bool> = plans.iter().map(|plan| plan.idempotent).collect();
        let mut settled = true;
        for plan in plans.iter_mut().filter(|plan| plan.idempotent) {
            let runs = plan.steps.iter().filter_map(|step| match step {
                WriteStep::Run(run) => repeatable.get(run.write.index()),
                _ => None,
            });
            plan.idempotent = runs.into_iter().all(|repeatable| *repeatable);
            settled &= plan.idempotent;
        }
        if settled {
            return;
        }
    }
}

/// The plan of a write over all tables that hold what it changes. Where rows must be found and no
/// table can provide them, one is added.
pub(crate) fn plan_write(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    write: &Write,
    position: WriteId,
    notes: &mut Vec<Note>,
) -> WritePlan {
    for _ in 0..ROUNDS {
        let from = tables.len();
        match provide(context, tables, (write, position), notes) {
            Provision::Already => {
                let plan = statements::assemble_plan(draft_write(context, tables, write, false));
                let checks = list_client_checks(context.concept, write);
                return WritePlan { checks, ..plan };
            }
            Provision::Added => {
                naming::name_tables(context, tables);
                partition_split::split(context, tables, from, notes);
            }
            Provision::Impossible => break,
        }
    }
    notes.push(Note {
        kind: NoteKind::Refusal,
        about: NoteSubject::Write(position),
        topic: WriteTopic::FindsNoRows { write: write.name.clone() }.into(),
        span: Some(write.span),
    });
    WritePlan::default()
}

/// Adds what is missing so that all requests of a write can be read.
fn provide(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    write: (&Write, WriteId),
    notes: &mut Vec<Note>,
) -> Provision {
    let requests = draft_write(context, tables, write.0, false).requests;
    let mut provided = Provision::Already;
    for request in &requests {
        match support::provide(context, tables, request, write, notes) {
            Provision::Already => {}
            Provision::Added => provided = Provision::Added,
            Provision::Impossible => return Provision::Impossible,
        }
    }
    provided
}

/// Runs all stages up to the draft. `partial`: the tables given are not all there will be.
///
/// The first attempt assumes that the rows can be addressed by the keys in the statement. Where
/// values turn out to be needed that only a row read earlier can give, everything is resolved again
/// with those rows read first.
fn draft_write<'a>(
    context: Context<'a>,
    tables: &'a [PlannedTable],
    write: &'a Write,
    partial: bool,
) -> Draft<'a> {
    let resolved = |rows_first: bool| {
        let impact = Impact { partial, ..Impact::new(context, tables, write, rows_first) };
        let needs = requirements::resolve(&impact, impact.find_affected_rows());
        (impact, needs)
    };
    // Rows that refer to the row are written before it, so that no statement on the row itself can
    // decide: conditions are checked on the rows read.
    let is_read_only =
        matches!(&write.kind, WriteKind::Update(assignments, _) if assignments.is_empty());
    let decides_nothing = !write.implies.is_empty()
        && match &write.kind {
            WriteKind::Update(..) => true,
            WriteKind::Delete(_) => {
                write.strict || !WriteTarget::new(context, write, false).conditions.is_empty()
            }
            WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => false,
        };
    let read_first = decides_nothing || is_read_only;
    let (mut impact, mut needs) = resolved(read_first);
    if needs.restart && !read_first {
        (impact, needs) = resolved(true);
    }
    Draft::new(&impact, needs)
}
