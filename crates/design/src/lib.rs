//! The choice: which tables serve an application's queries, how each read and write uses them, and why.
//!
//! [`design`] makes a table for each read by the mapping rules and searches, over those and many others, for the cheapest set
//! (`search`); then names them and splits them so that partitions stay within the bound; then come the plans of the reads, the
//! paths of the writes, and what is to be said about it all. Each step is a module; the result is plain data
//! ([`model::plan`]). Without the search, tables are shared where one holds another.

mod context;
pub mod cost;
pub mod create_statements;
pub mod estimate;
mod frame;
mod indexing;
mod mapping;
mod naming;
mod notes;
mod options;
pub mod prices;
mod reading;
#[cfg(test)]
mod sample;
mod search;
mod sharing;
mod splitting;
mod statement;
mod table_options;
mod volume;
mod writing;

pub use options::{ForcedKey, Limits, Options, Search, Target};

pub(crate) use context::Context;

use model::concept::Concept;
use model::id::{Numbered, ReadId, TableId};
use model::plan::topic::BoundTopic;
use model::plan::{
    About, Choice, Derivation, Design, Note, NoteKind, Part, PlannedTable, Price, ReadPlan, Role,
    Served,
};
use model::workload::{Read, Workload};

use notes::Reviewer;
use search::Found;
use solver::Infeasible;

/// The tables for an application, and how its reads and writes use them: the cheapest that were found, or those of the method.
pub fn design(concept: &Concept, workload: &Workload, options: &Options) -> Design {
    let context = Context { concept, workload, options };
    let mut notes = Vec::new();
    let mapped = mapped(context, &mut notes);
    if options.rules_only {
        return finished(
            context,
            mapped.into_iter().flat_map(|(_, tables)| tables).collect(),
            notes,
        );
    }
    let by_rules = |notes| finished(context, method(context, &mapped), notes);
    if !options.search.enabled {
        return by_rules(notes);
    }
    let found = match searched(context, &mapped) {
        Ok(found) => found,
        Err(infeasible) => {
            notes.push(infeasible_note(&infeasible, context));
            return by_rules(notes);
        }
    };
    let rules = finished(context, method(context, &mapped), notes.clone());
    let by_rules = cost::of_design(concept, workload, &rules, options);
    let design = finished(context, found.tables, notes);
    let price = cost::of_design(concept, workload, &design, options);
    let mut choice = priced(found.choice, found.cost, price, by_rules);
    if options.search.explain {
        let unforced = || unforced_tables(context);
        let rejected = Reviewer::new(context, &unforced).rejected(&design, price.total());
        choice.rejected.extend(rejected);
    }
    let bounded = options.search.tables_most.is_some() || options.search.bytes_most.is_some();
    // The method's own design is a candidate too, whole.
    if !bounded && by_rules.total() < price.total() && refusals(&rules) <= refusals(&design) {
        let bound = choice.bound.min(by_rules.total());
        return Design { choice: Some(Choice { price: by_rules, bound, ..choice }), ..rules };
    }
    Design { choice: Some(choice), ..design }
}

/// What a design does not do as asked.
fn refusals(design: &Design) -> usize {
    design.notes.iter().filter(|note| note.kind == NoteKind::Refusal).count()
}

/// What was found, in prices of whole designs: what the search does not vary costs the same in all of them.
fn priced(mut choice: Choice, searched: f64, price: Price, by_rules: Price) -> Choice {
    let beside = price.total() - searched;
    choice.bound += beside;
    choice.rejected.iter_mut().for_each(|rejected| rejected.price += beside);
    choice.runners_up.iter_mut().for_each(|next| next.price += beside);
    Choice { price, by_rules: Some(by_rules), ..choice }
}

/// The design with these tables: named, split, with the plans of reads and writes, judged.
fn finished(context: Context<'_>, mut tables: Vec<PlannedTable>, mut notes: Vec<Note>) -> Design {
    writing::support(context, &mut tables, &mut notes);
    naming::name(context, &mut tables);
    splitting::split(context, &mut tables, 0, &mut notes);
    indexing::name(&mut tables);
    let writes = writing::plans(context, &mut tables, &mut notes);
    table_options::set(context, &mut tables);
    let reads = read_plans(context, &tables);
    let checklists = Vec::new();
    let mut design = Design { tables, reads, writes, notes, checklists, choice: None };
    let unforced = || unforced_tables(context);
    let reviewer = Reviewer::new(context, &unforced);
    // Judged first: what is said of nulls leads the assumptions.
    let reviewed = reviewer.notes(&design);
    design.notes.splice(0..0, reviewed);
    design.notes.sort_by_key(|note| note.kind);
    design.checklists = reviewer.checklists(&design);
    design
}

/// The tables of the design without the keys that the user forces.
fn unforced_tables(context: Context<'_>) -> Vec<PlannedTable> {
    let options = Options { keys: Vec::new(), ..context.options.clone() };
    design(context.concept, context.workload, &options).tables
}

/// The tables that the mapping rules give each read, by its position.
fn mapped(context: Context<'_>, notes: &mut Vec<Note>) -> Vec<(ReadId, Vec<PlannedTable>)> {
    let mut mapped = Vec::new();
    for (at, read) in context.workload.reads.numbered() {
        match mapping::tables_for(context, read, Some(at), notes) {
            Ok(tables) => mapped.push((at, tables)),
            Err(note) => notes.push(*note),
        }
    }
    mapped
}

/// The tables of the method: those that another can stand for left out.
fn method(context: Context<'_>, mapped: &[(ReadId, Vec<PlannedTable>)]) -> Vec<PlannedTable> {
    let tables = mapped.iter().flat_map(|(_, tables)| tables).cloned().collect();
    let mut tables = sharing::share(context, tables);
    for column in tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.reasons.sort_by_key(|reason| (reason.rule, reason.read));
    }
    tables
}

/// The cheapest tables. What the search does not vary comes from the method: keys that the user asks for, counter attributes,
/// elements that are looked up for each row.
fn searched(
    context: Context<'_>,
    mapped: &[(ReadId, Vec<PlannedTable>)],
) -> Result<Found, Infeasible> {
    let is_forced = |read: ReadId| {
        let name = context.workload.reads.at(read).map(|read| &read.name);
        context.options.keys.iter().any(|key| Some(&key.read) == name)
    };
    let is_given = |(read, tables): &(ReadId, Vec<PlannedTable>)| {
        is_forced(*read) || tables.first().is_some_and(keeps_counters)
    };
    let varied = mapped.iter().filter(|one| !is_given(one)).map(|(read, _)| *read);
    let mut found = search::search(context, &varied.collect::<Vec<ReadId>>())?;
    let beside = mapped.iter().flat_map(|one| {
        let all = is_given(one) || found.left.contains(&one.0);
        one.1.iter().filter(move |table| all || !serves_rows(table)).cloned()
    });
    let beside: Vec<PlannedTable> = sharing::share(context, beside.collect());
    found.tables.extend(beside);
    Ok(found)
}

/// Whether a table keeps counter attributes, which have one place only.
fn keeps_counters(table: &PlannedTable) -> bool {
    let mut columns = table.columns.iter();
    columns.any(|column| {
        column.role == Role::Counter && matches!(column.derivation, Derivation::Attribute(_))
    })
}

/// Whether a table has the rows of a read.
fn serves_rows(table: &PlannedTable) -> bool {
    table.serves.iter().any(|served| served.part == Part::Rows)
}

/// What cannot be had within the bounds.
fn infeasible_note(infeasible: &Infeasible, context: Context<'_>) -> Note {
    let search = &context.options.search;
    let topic = match *infeasible {
        Infeasible::Demand(_) => BoundTopic::NoCandidate,
        Infeasible::Bound { bound: 0, least, certain } => {
            let most = search.tables_most.unwrap_or_default() as f64;
            BoundTopic::Tables { most, least, certain }
        }
        Infeasible::Bound { least, certain, .. } => {
            let most = search.bytes_most.unwrap_or_default();
            BoundTopic::Bytes { most, least, certain }
        }
    };
    let (kind, about) = (NoteKind::Refusal, About::Design);
    Note { kind, about, topic: topic.into(), span: None }
}

/// The plans of all reads, each on the table that serves it; without steps where there is none.
fn read_plans(context: Context<'_>, tables: &[PlannedTable]) -> Vec<ReadPlan> {
    let mut serving: Vec<Option<(TableId, &Served)>> = vec![None; context.workload.reads.len()];
    for (at, table) in tables.numbered() {
        for served in table.serves.iter().filter(|served| served.part == Part::Rows) {
            if let Some(slot) = serving.get_mut(served.read.index()) {
                slot.get_or_insert((at, served));
            }
        }
    }
    let plan = |(read, serving): (&Read, Option<(TableId, &Served)>)| {
        serving.map_or_else(ReadPlan::default, |(table, served)| {
            reading::plan(context, tables, table, read, served)
        })
    };
    context.workload.reads.iter().zip(serving).map(plan).collect()
}
