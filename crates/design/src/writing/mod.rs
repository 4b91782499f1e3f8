//! How writes run: for each insert, update and delete the statements over all tables that hold the fact.
//!
//! A write is about a row of one entity (`target`). Each table that holds the entity is seen from there (`draft`, `shape`):
//! its columns are computed from what the statement says, from the row as it was, and from joined rows (`values`, `joined`); what must be
//! read first is asked for (`request`, `finding`) and only then looked for in the tables (`lookup`, `support`). `insert`,
//! `update`, `delete`, `counters`, `elements`, `statics` and `conditions` say what is sent; `assemble` and `batches` how.

mod assemble;
mod batches;
mod conditions;
mod count;
mod counters;
mod delete;
mod draft;
mod effort;
mod elements;
mod finding;
mod insert;
mod joined;
mod likeness;
mod lookup;
mod request;
mod roles;
mod rows;
mod shape;
mod statics;
mod support;
mod target;
#[cfg(test)]
mod tests;
mod truth;
mod update;
pub(crate) mod upkeep;
mod uses;
mod values;

use model::id::{Numbered, WriteId};
use model::plan::topic::WriteTopic;
use model::plan::{About, Note, NoteKind, PlannedTable, WritePlan};
use model::workload::{Write, WriteKind};

use crate::{Context, naming, splitting};
use draft::Draft;
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
            Provided::Already => return assemble::plan(drafted(context, tables, write, false)),
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
    let first = draft_of(context, tables, write, false, partial);
    if first.restart { draft_of(context, tables, write, true, partial) } else { first }
}

fn draft_of<'a>(
    context: Context<'a>,
    tables: &'a [PlannedTable],
    write: &'a Write,
    rows_first: bool,
    partial: bool,
) -> Draft<'a> {
    let mut draft = Draft::new(context, tables, write, rows_first);
    draft.partial = partial;
    match write.kind {
        WriteKind::Insert(_) => draft.plan_insert(),
        WriteKind::Update(..) => draft.plan_update(),
        WriteKind::Delete(_) => draft.plan_delete(),
    }
    draft.drop_unused();
    draft
}
