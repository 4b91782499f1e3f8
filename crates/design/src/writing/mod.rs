//! How writes run: for each insert, update and delete the statements over all tables that hold the fact.
//!
//! A write is planned in three stages: which rows of which tables it affects (`impact`), what must be read for that and what is
//! written then (`requirements`), and which statements come out (`statements`). What must be read is looked for in the tables
//! (`lookup`), and a table is added where none has it (`support`). `upkeep` tells the search what keeping one table up takes.

mod count;
mod impact;
mod lookup;
mod request;
mod request_key;
mod requirements;
mod scope;
mod shape;
mod statements;
mod support;
#[cfg(test)]
mod tests;
mod truth;
pub(crate) mod upkeep;

use model::id::{Numbered, WriteId};
use model::plan::topic::WriteTopic;
use model::plan::{About, Note, NoteKind, PlannedTable, WritePlan};
use model::workload::Write;

use crate::{Context, naming, splitting};
use impact::Impact;
use statements::Draft;
use support::Provided;

/// A table added for one write concerns the others; it settles after a few rounds.
const ROUNDS: usize = 12;

/// Adds the tables and columns by which writes find rows, where no read asks for them. To be called before tables are split
/// and named.
pub(crate) fn support(context: Context<'_>, tables: &mut Vec<PlannedTable>, notes: &mut Vec<Note>) {
    for _ in 0..ROUNDS {
        let mut settled = true;
        for (position, write) in context.workload.writes.numbered() {
            settled &= provide(context, tables, (write, position), notes) != Provided::Added;
        }
        if settled {
            return;
        }
    }
}

/// The paths of all writes.
pub(crate) fn plans(
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
            .numbered()
            .map(|(position, write)| plan(context, tables, write, position, &mut said))
            .collect();
        if tables.len() == before {
            notes.extend(said);
            break;
        }
    }
    plans
}

/// The path of a write over all tables that hold what it changes. Where rows must be found and no table can, one is added.
pub(crate) fn plan(
    context: Context<'_>,
    tables: &mut Vec<PlannedTable>,
    write: &Write,
    position: WriteId,
    notes: &mut Vec<Note>,
) -> WritePlan {
    for _ in 0..ROUNDS {
        let from = tables.len();
        match provide(context, tables, (write, position), notes) {
            Provided::Already => return statements::plan(drafted(context, tables, write, false)),
            Provided::Added => {
                naming::name(context, tables);
                splitting::split(context, tables, from, notes);
            }
            Provided::Impossible => break,
        }
    }
    notes.push(Note {
        kind: NoteKind::Refusal,
        about: About::Write(position),
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
) -> Provided {
    let requests = drafted(context, tables, write.0, false).requests;
    let mut provided = Provided::Already;
    for request in &requests {
        match support::provide(context, tables, request, write, notes) {
            Provided::Already => {}
            Provided::Added => provided = Provided::Added,
            Provided::Impossible => return Provided::Impossible,
        }
    }
    provided
}

/// The draft of a write. `partial`: there may be more tables.
fn drafted<'a>(
    context: Context<'a>,
    tables: &'a [PlannedTable],
    write: &'a Write,
    partial: bool,
) -> Draft<'a> {
    let resolved = |rows_first: bool| {
        let impact = Impact { partial, ..Impact::new(context, tables, write, rows_first) };
        let needs = requirements::resolve(&impact, impact.affected_rows());
        (impact, needs)
    };
    let (mut impact, mut needs) = resolved(false);
    if needs.restart {
        (impact, needs) = resolved(true);
    }
    Draft::new(&impact, needs)
}
