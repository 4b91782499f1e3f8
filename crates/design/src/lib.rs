//! Physical design: which tables serve an application's queries, how each read and write uses them,
//! and why.
//!
//! [`design`] runs these steps; each is a module, and the result is plain data ([`model::plan`]):
//!
//! 1. `mapping`: the tables that the mapping rules give each read.
//!
//! 2. `candidate` and `search`: many more candidates, and the cheapest set of them ([`solver`]).
//!    Without the search, tables of the rules are merged where one can stand for another
//!    (`table_merge`).
//!
//! 3. `naming`, then `partition_split`: buckets and shards that keep partitions within the limits
//!    (`volume` estimates them).
//!
//! 4. `read_plan` and `write_plan`: the statements of each read and write.
//!
//! 5. `table_options`, `indexing`: options and names.
//!
//! 6. `notes`: warnings, assumptions, refusals and checklists on the finished design.
//!
//! [`cost`] and [`prices`] price efforts and tables for the search and for reports; [`capacity`],
//! [`estimate`] and [`create_statements`] present a design.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod candidate;
pub mod capacity;
pub mod comparison;
mod context;
pub mod cost;
pub mod create_statements;
mod design_program;
pub mod estimate;
mod indexing;
mod key_range;
mod mapping;
mod naming;
mod notes;
mod options;
mod partition_split;
pub mod prices;
mod read_plan;
#[cfg(test)]
mod sample;
mod search;
mod statement;
mod table_merge;
mod table_options;
mod volume;
mod write_plan;

pub use design_program::DesignProgram;
pub use options::{ForcedKey, Limits, Options, SearchOptions, Target};

pub(crate) use context::Context;

use model::concept::Concept;
use model::id::{IdList, ReadId, TableId};
use model::plan::topic::BoundTopic;
use model::plan::{
    ColumnRole, Derivation, Design, DesignChoice, DesignCost, Note, NoteKind, NoteSubject,
    PlannedTable, ReadPart, ReadPlan, ServedRead,
};
use model::workload::{Read, Workload};

use design_program::DesignTotals;
use notes::Reviewer;
use search::{OtherTables, SearchResult};
use solver::Infeasible;

/// The flips that are compared with the chosen design.
const FLIPS_COMPARED: usize = 5;

/// Designs the tables for an application and the plans of its reads and writes: the cheapest that
/// were found, or those of the mapping rules.
pub fn design(concept: &Concept, workload: &Workload, options: &Options) -> Design {
    make_design(Context { concept, workload, options }, false, Detail::Reviewed).0
}

/// As [`design`], without the review: no notes on the finished design, no checklists. For designs
/// that are only compared with others.
pub fn draft_design(concept: &Concept, workload: &Workload, options: &Options) -> Design {
    make_design(Context { concept, workload, options }, false, Detail::Draft).0
}

/// As [`design`], with the integer program of the search; `None` if there was no search.
pub fn design_with_program(
    concept: &Concept,
    workload: &Workload,
    options: &Options,
) -> (Design, Option<DesignProgram>) {
    make_design(Context { concept, workload, options }, true, Detail::Reviewed)
}

/// How far a design is completed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Tables and plans.
    Draft,
    /// With the notes and checklists of the review.
    Reviewed,
}

fn make_design(
    context: Context<'_>,
    export: bool,
    detail: Detail,
) -> (Design, Option<DesignProgram>) {
    let options = context.options;
    let mut notes = Vec::new();
    let mapped = map_reads(context, &mut notes);
    if options.rules_only {
        let tables = mapped.into_iter().flat_map(|(_, tables)| tables).collect();
        return (finish_design(context, tables, notes, detail), None);
    }
    let by_rules = |notes| finish_design(context, method_tables(context, &mapped), notes, detail);
    if !options.search.enabled {
        return (by_rules(notes), None);
    }
    let (found, mut program) = search_tables(context, &mapped, export);
    let found = match found {
        Ok(found) => found,
        Err(infeasible) => {
            let search = &options.search;
            let is_bounded = search.tables_most.is_some() || search.bytes_most.is_some();
            // What no candidate serves, the tables of the rules may.
            if is_bounded || !matches!(infeasible, Infeasible::Demand(_)) {
                notes.push(infeasible_note(&infeasible, context));
            }
            return (by_rules(notes), program);
        }
    };
    let rules = finish_design(context, method_tables(context, &mapped), notes.clone(), detail);
    let rules_parts = cost::price_parts(context, &rules);
    let by_rules = rules_parts.total();
    let design = finish_design(context, found.tables, notes.clone(), detail);
    let parts = cost::price_parts(context, &design);
    let price = parts.total();
    let mut choice = price_choice(found.choice, found.cost, price, by_rules);
    if options.search.explain {
        let unforced = || derive_tables(context);
        let rejected = Reviewer::new(context, &unforced).rejections(&design, price.total());
        choice.rejected.extend(rejected);
    }
    let bounded = options.search.tables_most.is_some() || options.search.bytes_most.is_some();
    // The design by the rules competes as a whole: the search prices tables one by one, so that its
    // cheapest set can be slightly more expensive once priced together.
    let prefers_rules = !bounded
        && by_rules.total() < price.total()
        && count_refusals(context, &rules, detail) <= count_refusals(context, &design, detail);
    let chosen = if prefers_rules { &rules } else { &design };
    compare_others(context, chosen, &mut choice, found.others, &notes);
    if let Some(program) = &mut program {
        let rules = prefers_rules.then(|| by_rules.total());
        program.set_totals(DesignTotals { total: price.total(), rules });
    }
    if prefers_rules {
        let bound = choice.bound.min(by_rules.total());
        let choice = DesignChoice { price: by_rules, parts: rules_parts, bound, ..choice };
        return (Design { choice: Some(choice), ..rules }, program);
    }
    (Design { choice: Some(DesignChoice { parts, ..choice }), ..design }, program)
}

/// The table of the mapping rules whose rows are the largest, and the bytes of a partition of it
/// with a single row: no partition limit below it can be met.
pub fn least_partition(concept: &Concept, workload: &Workload) -> Option<(String, f64)> {
    let options = Options { rules_only: true, ..Options::default() };
    let context = Context { concept, workload, options: &options };
    let mut tables: Vec<PlannedTable> =
        map_reads(context, &mut Vec::new()).into_iter().flat_map(|(_, tables)| tables).collect();
    naming::name_tables(context, &mut tables);
    let sizes = tables.into_iter().map(|table| {
        let volume = volume::estimate_volume(context, &table);
        (table.name, volume.fixed_bytes + volume.row_bytes)
    });
    sizes.max_by(|one, other| one.1.total_cmp(&other.1))
}

/// States what the next best designs, and those at other rates, do otherwise.
fn compare_others(
    context: Context<'_>,
    design: &Design,
    choice: &mut DesignChoice,
    others: OtherTables,
    notes: &[Note],
) {
    let compare = |tables: Vec<PlannedTable>| {
        let other = finish_design(context, tables, notes.to_vec(), Detail::Draft);
        comparison::compare((context.workload, design), (context.workload, &other))
    };
    for (next, tables) in choice.runners_up.iter_mut().zip(others.runners_up) {
        next.difference = compare(tables);
    }
    // Another order of the same columns is no other design.
    choice.runners_up.retain(|next| !next.difference.is_empty());
    let mut flips: Vec<_> = choice.flips.iter_mut().zip(others.flips).collect();
    // The nearest ones are reported; to complete a design takes time.
    flips.sort_by(|(one, _), (other, _)| one.distance().total_cmp(&other.distance()));
    for (flip, tables) in flips.into_iter().take(FLIPS_COMPARED) {
        flip.difference = compare(tables);
    }
}

/// The number of refusals in a design; those of the review are found for a draft, too.
fn count_refusals(context: Context<'_>, design: &Design, detail: Detail) -> usize {
    let of_review = match detail {
        Detail::Reviewed => Vec::new(),
        Detail::Draft => Reviewer::new(context, &|| derive_tables(context)).notes(design),
    };
    let notes = design.notes.iter().chain(&of_review);
    notes.filter(|note| note.kind == NoteKind::Refusal).count()
}

/// Converts prices of the search to prices of whole designs: what the search does not vary costs
/// the same in all of them.
fn price_choice(
    mut choice: DesignChoice,
    searched: f64,
    price: DesignCost,
    by_rules: DesignCost,
) -> DesignChoice {
    let beside = price.total() - searched;
    choice.bound += beside;
    choice.rejected.iter_mut().for_each(|rejected| rejected.price += beside);
    choice.runners_up.iter_mut().for_each(|next| next.price += beside);
    DesignChoice { price, by_rules: Some(by_rules), ..choice }
}

/// Completes the design with these tables: names, splits, plans of reads and writes, notes.
fn finish_design(
    context: Context<'_>,
    mut tables: Vec<PlannedTable>,
    mut notes: Vec<Note>,
    detail: Detail,
) -> Design {
    write_plan::add_support_tables(context, &mut tables, &mut notes);
    naming::name_tables(context, &mut tables);
    partition_split::split(context, &mut tables, 0, &mut notes);
    indexing::name_indexes(&mut tables);
    let writes = write_plan::plan_writes(context, &mut tables, &mut notes);
    table_options::set(context, &mut tables, &writes);
    let reads = read_plans(context, &tables);
    indexing::set_figures(context, &mut tables, &reads);
    let mut design = Design { tables, reads, writes, notes, ..Design::default() };
    if detail == Detail::Draft {
        return design;
    }
    let unforced = || derive_tables(context);
    let reviewer = Reviewer::new(context, &unforced);
    // Reviewed first: notes on nulls come before the other assumptions.
    let reviewed = reviewer.notes(&design);
    design.notes.splice(0..0, reviewed);
    design.notes.sort_by_key(|note| note.kind);
    design.allowances = reviewer.allowances(&design);
    design.checklists = reviewer.checklists(&design);
    design
}

/// The tables of the design without the keys that the user forces.
fn derive_tables(context: Context<'_>) -> Vec<PlannedTable> {
    let options = Options { keys: Vec::new(), ..context.options.clone() };
    design(context.concept, context.workload, &options).tables
}

/// The tables that the mapping rules give each read, by its position.
fn map_reads(context: Context<'_>, notes: &mut Vec<Note>) -> Vec<(ReadId, Vec<PlannedTable>)> {
    let mut mapped = Vec::new();
    for (at, read) in context.workload.reads.enumerate_ids() {
        match mapping::tables_for(context, read, Some(at), notes) {
            Ok(tables) => mapped.push((at, tables)),
            Err(note) => notes.push(*note),
        }
    }
    mapped
}

/// The tables by the rules, without those that another can stand for.
fn method_tables(
    context: Context<'_>,
    mapped: &[(ReadId, Vec<PlannedTable>)],
) -> Vec<PlannedTable> {
    let tables = mapped.iter().flat_map(|(_, tables)| tables).cloned().collect();
    let mut tables = table_merge::merge_tables(context, tables);
    for column in tables.iter_mut().flat_map(|table| &mut table.columns) {
        column.reasons.sort_by_key(|reason| (reason.rule, reason.read));
    }
    tables
}

/// The cheapest tables. What the search does not vary comes from the rules: keys that the user
/// forces, counter attributes, elements that are looked up for each row.
fn search_tables(
    context: Context<'_>,
    mapped: &[(ReadId, Vec<PlannedTable>)],
    export: bool,
) -> (Result<SearchResult, Infeasible>, Option<DesignProgram>) {
    let is_forced = |read: ReadId| {
        let name = context.workload.reads.member(read).map(|read| &read.name);
        context.options.keys.iter().any(|key| Some(&key.read) == name)
    };
    let is_given = |(read, tables): &(ReadId, Vec<PlannedTable>)| {
        is_forced(*read) || tables.first().is_some_and(has_counter_attributes)
    };
    let varied = mapped.iter().filter(|one| !is_given(one)).map(|(read, _)| *read);
    let varied = varied.collect::<Vec<ReadId>>();
    let (found, program) = search::search(context, &varied, export);
    let found = found.map(|mut found| {
        let beside = mapped.iter().flat_map(|one| {
            let all = is_given(one) || found.left.contains(&one.0);
            one.1.iter().filter(move |table| all || !has_rows(table)).cloned()
        });
        let beside: Vec<PlannedTable> = table_merge::merge_tables(context, beside.collect());
        let others = found.others.runners_up.iter_mut().chain(&mut found.others.flips);
        others.for_each(|tables| tables.extend(beside.iter().cloned()));
        found.tables.extend(beside);
        found
    });
    (found, program)
}

/// Whether a table stores counter attributes, which are stored once only.
fn has_counter_attributes(table: &PlannedTable) -> bool {
    let mut columns = table.columns.iter();
    columns.any(|column| {
        column.role == ColumnRole::Counter && matches!(column.derivation, Derivation::Attribute(_))
    })
}

/// Whether a table has the rows of a read.
fn has_rows(table: &PlannedTable) -> bool {
    table.serves.iter().any(|served| served.part == ReadPart::Rows)
}

/// The refusal of a design that is not possible within the bounds.
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
    let (kind, about) = (NoteKind::Refusal, NoteSubject::Design);
    Note { kind, about, topic: topic.into(), span: None }
}

/// The plans of all reads, each on the table that serves it; without steps where there is none.
fn read_plans(context: Context<'_>, tables: &[PlannedTable]) -> Vec<ReadPlan> {
    let mut serving: Vec<Option<(TableId, &ServedRead)>> = vec![None; context.workload.reads.len()];
    for (at, table) in tables.enumerate_ids() {
        for served in table.serves.iter().filter(|served| served.part == ReadPart::Rows) {
            if let Some(slot) = serving.get_mut(served.read.index()) {
                slot.get_or_insert((at, served));
            }
        }
    }
    let plan = |(read, serving): (&Read, Option<(TableId, &ServedRead)>)| {
        serving.map_or_else(ReadPlan::default, |(table, served)| {
            read_plan::plan_read(context, tables, table, read, served)
        })
    };
    context.workload.reads.iter().zip(serving).map(plan).collect()
}
