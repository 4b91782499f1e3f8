//! Mutants of what SQL says beside its statements: defaults, cascades, and the branches of upserts.
//!
//! Left alone are values of key columns, without which the server rejects the statement, and
//! derived writes that run themselves, since their rows are reached by others too.

use model::id::{IdList, StepId, WriteId};
use model::plan::{ColumnRole, Modification, Operand, PlannedRun, WriteStep};
use model::workload::Supply;

use super::statement::{remove_run, statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// Drops a constant, or a value that the client makes, from an INSERT: a default is one.
pub(super) fn drop_defaults(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        let Modification::Insert(insert) = &statement.modification else { continue };
        let Some(table) = of.design.tables.member(statement.table) else { continue };
        for (at, (column, value)) in insert.values.iter().enumerate() {
            let is_regular =
                table.column(column).is_some_and(|column| column.role == ColumnRole::Regular);
            if !is_regular || table.remembers.is_some() || !is_default(of, place.write, value) {
                continue;
            }
            let name = of.write_name(place.write);
            let what = format!("{name} omits {column} in {}", statement.modification);
            mutants.extend(of.build_mutant("a default dropped", what, |design| {
                let modification = &mut statement_mut(design, place)?.modification;
                let Modification::Insert(insert) = modification else { return None };
                (at < insert.values.len()).then(|| drop(insert.values.remove(at)))
            }));
        }
    }
    mutants
}

/// Whether a value is a constant other than null, or one that the client makes.
fn is_default(of: OriginalDesign<'_>, write: WriteId, value: &Operand) -> bool {
    match value {
        Operand::Literal(text) => !text.eq_ignore_ascii_case("null"),
        Operand::Parameter(at) => of
            .workload
            .writes
            .member(write)
            .and_then(|write| write.parameters.member(*at))
            .is_some_and(|parameter| matches!(parameter.supply, Supply::Client(_))),
        _ => false,
    }
}

/// The derived writes that plans run, with their places.
fn runs(of: OriginalDesign<'_>) -> Vec<(WriteId, StepId, &PlannedRun)> {
    let mut all = Vec::new();
    for (write, plan) in of.design.writes.enumerate_ids() {
        for (step, of) in plan.steps.enumerate_ids() {
            if let WriteStep::Run(run) = of
                && run.write != write
            {
                all.push((write, step, run));
            }
        }
    }
    all
}

/// Omits a derived write: a cascade, a branch of an upsert, or one of several rows.
pub(super) fn omit_runs(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let runs = runs(of).into_iter().filter(|(_, _, run)| {
        // What does nothing is not missed.
        of.design.writes.member(run.write).is_some_and(|plan| !plan.steps.is_empty())
    });
    let omitted = runs.filter_map(|(write, step, run)| {
        let what = format!("{} does not run {}", of.write_name(write), of.write_name(run.write));
        of.build_mutant("a derived write omitted", what, |design| remove_run(design, write, step))
    });
    omitted.collect()
}
