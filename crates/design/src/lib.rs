//! The choice: which tables serve an application's queries, how each read and write uses them, and why.
//!
//! [`design`] goes through the method in order: a table for each read by the mapping rules, shared where one holds another,
//! named, split so that partitions stay within the bound; then the plans of the reads, the paths of the writes, and what is
//! to be said about it all. Each step is a module; the result is plain data ([`model::plan`]).

pub mod cost;
pub mod diagram;
pub mod estimate;
pub mod figures;
mod judging;
mod mapping;
mod naming;
mod options;
pub mod program;
mod reading;
#[cfg(test)]
mod sample;
pub mod schema;
mod search;
mod sharing;
mod splitting;
mod statement;
mod table_options;
mod volume;
mod writing;

pub use options::{ForcedKey, Limits, Options, Search, Target};

use model::concept::Concept;
use model::plan::{Design, Note, Part, PlannedTable, ReadPlan, Served};
use model::workload::{Read, Workload};

/// What every step of the method looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) workload: &'a Workload,
    pub(crate) options: &'a Options,
}

/// The tables for an application, and how its reads and writes use them.
pub fn design(concept: &Concept, workload: &Workload, options: &Options) -> Design {
    let context = Context { concept, workload, options };
    let mut notes = Vec::new();
    let mut tables = tables_of_reads(context, &mut notes);
    writing::support(context, &mut tables, &mut notes);
    naming::name(context, &mut tables);
    splitting::split(context, &mut tables, 0, &mut notes);
    let writes = writing::plans(context, &mut tables, &mut notes);
    table_options::set(context, &mut tables);
    let reads = read_plans(context, &tables);
    let mut design = Design { tables, reads, writes, notes, checklists: Vec::new(), choice: None };
    // Judged first: what is said of nulls leads the assumptions.
    let judged = judging::notes(context, &design);
    design.notes.splice(0..0, judged);
    design.notes.sort_by_key(|note| note.kind);
    design.checklists = judging::checklists(context, &design);
    design
}

/// The tables of each read, those that another can stand for left out.
fn tables_of_reads(context: Context<'_>, notes: &mut Vec<Note>) -> Vec<PlannedTable> {
    let mut tables = Vec::new();
    for (at, read) in context.workload.reads.iter().enumerate() {
        match mapping::tables_for(context, read, Some(at), notes) {
            Ok(more) => tables.extend(more),
            Err(note) => notes.push(*note),
        }
    }
    if context.options.rules_only {
        return tables;
    }
    let mut tables = sharing::share(context, tables);
    for column in tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.reasons.sort_by_key(|reason| (reason.rule, reason.read));
    }
    tables
}

/// The plans of all reads, each on the table that serves it; without steps where there is none.
fn read_plans(context: Context<'_>, tables: &[PlannedTable]) -> Vec<ReadPlan> {
    let mut serving: Vec<Option<(usize, &Served)>> = vec![None; context.workload.reads.len()];
    for (at, table) in tables.iter().enumerate() {
        for served in table.serves.iter().filter(|served| served.part == Part::Rows) {
            if let Some(slot) = serving.get_mut(served.read) {
                slot.get_or_insert((at, served));
            }
        }
    }
    let plan = |(read, serving): (&Read, Option<(usize, &Served)>)| {
        serving.map_or_else(ReadPlan::default, |(table, served)| {
            reading::plan(context, tables, table, read, served)
        })
    };
    context.workload.reads.iter().zip(serving).map(plan).collect()
}
