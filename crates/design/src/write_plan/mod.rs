//! How writes run: for each insert, update and delete the statements over all tables that hold the fact.
//!
//! A write is planned in three stages: which rows of which tables it affects (`impact`), what must be read for that and what is
//! written then (`requirements`), and which statements come out (`statements`). What must be read is looked for in the tables
//! (`lookup`), and a table is added where none has it (`support`). `upkeep` tells the search what keeping one table up takes.

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
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable, WritePlan};
use model::workload::Write;

use crate::{Context, naming, partition_split};
use impact::Impact;
use statements::Draft;
use support::Provision;

/// A table added for one write concerns the others; it settles after a few rounds.
const ROUNDS: usize = 12;

/// Adds the tables and columns by which writes find rows, where no read asks for them. To be called before tables are split
/// and named.
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

/// The paths of all writes.
pub(crate) fn plan_writes(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    notes: &mut Vec<Note>,
) -> Vec<WritePlan> {
    let mut plans = Vec::new();
    for _ in 0..ROUNDS {
        let (before, mut said) = (tables.len(), Vec::new());
        plans = context
            .workload
            .writes
            .enumerate_ids()
            .map(|(position, write)| plan_write(context, tables, write, position, &mut said))
            .collect();
        if tables.len() == before {
            notes.extend(said);
            break;
        }
    }
    plans
}

/// The path of a write over all tables that hold what it changes. Where rows must be found and no table can, one is added.
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
                return statements::assemble_plan(draft_write(context, tables, write, false));
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

/// Sees to it that what a write must read can be read.
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

/// The draft of a write. `partial`: there may be more tables.
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
    let (mut impact, mut needs) = resolved(false);
    if needs.restart {
        (impact, needs) = resolved(true);
    }
    Draft::new(&impact, needs)
}
