//! Mutants of partial tables, outer joins and conditional writes.
//!
//! Left alone are guards that are not about what a table holds, guards on what the write does not
//! change or has a condition on (only one branch is ever taken, or deletes what is not there), and
//! steps of writes that are not repeated: where such a step finds nothing, its values are null
//! anyway.

use model::id::IdList;
use model::plan::{Guard, IfClause, Loop, Modification, Operand, PlannedTable};
use model::workload::{Column, Predicate, Source, Write, WriteKind};

use super::statement::{ReadPlace, read_step_mut, read_steps, statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// The wrong branch of a table that holds only rows where a column is null, or is not: a row stays
/// when it leaves, or is not added when it enters.
pub(super) fn negate_null_guards(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let wrong = all.iter().filter_map(|(place, statement)| {
        let table = of.design.tables.member(statement.table)?;
        let tested = list_tested_names(of, table, of.workload.writes.member(place.write)?);
        let at = statement.guards.iter().position(|guard| is_about(guard, &tested))?;
        let name = of.write_name(place.write);
        let what = format!("{name} takes the wrong branch of {}", statement.modification);
        of.build_mutant("the wrong branch of a partial table", what, |design| {
            let guard = statement_mut(design, *place)?.guards.get_mut(at)?;
            *guard = match guard.clone() {
                Guard::Null(operand) => Guard::NotNull(operand),
                Guard::NotNull(operand) => Guard::Null(operand),
                _ => return None,
            };
            Some(())
        })
    });
    wrong.collect()
}

/// The names of the columns whose nulls decide which rows a table holds, and which a write changes.
fn list_tested_names<'a>(
    of: OriginalDesign<'a>,
    table: &'a PlannedTable,
    write: &Write,
) -> Vec<&'a str> {
    let is_changed = |column: Column| {
        let source = table.holds.sources.member(column.source);
        let is_own = source.is_some_and(|source| source.entity == write.entity);
        is_own
            && match &write.kind {
                WriteKind::Insert(_) => true,
                WriteKind::Update(assignments, conditions) => {
                    let mut tested =
                        conditions.iter().flat_map(|condition| condition.predicate.columns());
                    assignments.iter().any(|it| it.attribute == column.attribute)
                        && !tested.any(|it| it.attribute == column.attribute)
                }
                _ => false,
            }
    };
    let filters = table.holds.filters.iter().filter_map(|filter| match filter.predicate {
        Predicate::Null { column } => Some(column).filter(|column| is_changed(*column)),
        _ => None,
    });
    let name = |column: Column| {
        let source = table.holds.sources.member(column.source)?;
        let entity = of.concept.entities.member(source.entity)?;
        Some(entity.attributes.member(column.attribute)?.name.as_str())
    };
    filters.filter_map(name).collect()
}

fn is_about(guard: &Guard, tested: &[&str]) -> bool {
    let (Guard::Null(operand) | Guard::NotNull(operand)) = guard else { return false };
    match operand {
        Operand::Parameter(_) => !tested.is_empty(),
        Operand::Row { column, .. } => tested.contains(&column.as_str()),
        _ => false,
    }
}

/// A LEFT JOIN that drops rows: of a table, and of a step that looks something up.
pub(super) fn require_optional_rows(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (at, table) in of.design.tables.enumerate_ids() {
        let Some(source) = table.holds.sources.find_id(Source::is_optional) else { continue };
        let what = format!("{} holds only rows for which a row is found", table.name);
        mutants.extend(of.build_mutant("a LEFT JOIN made inner", what, |design| {
            let sources = &mut design.tables.member_mut(at)?.holds.sources;
            sources.member_mut(source)?.join.as_mut()?.optional = false;
            Some(())
        }));
    }
    let steps = read_steps(of.design).into_iter();
    for (place, step) in steps.filter(|(_, step)| step.optional) {
        let name = match place {
            ReadPlace::Read(read, _) => of.read_name(read),
            ReadPlace::Write(write, _) => of.write_name(write),
        };
        let is_repeated = step.loops.iter().any(|turn| matches!(turn, Loop::Rows(_)));
        if !is_repeated {
            continue;
        }
        let what = format!("{name} drops rows for which {} finds none", step.select);
        mutants.extend(of.build_mutant("a LEFT JOIN made inner", what, |design| {
            read_step_mut(design, place)?.optional = false;
            Some(())
        }));
    }
    mutants
}

/// A conditional write without its condition.
pub(super) fn drop_conditions(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let all = write_statements(of.design);
    let dropped = all.iter().filter_map(|(place, statement)| {
        statement.condition.as_ref()?;
        let condition = match &statement.modification {
            Modification::Update(update) => &update.condition,
            Modification::Delete(delete) => &delete.condition,
            Modification::Insert(_) => return None,
        };
        let IfClause::Columns(_) = condition else { return None };
        let name = of.write_name(place.write);
        let what = format!("{name} sends {} without its IF", statement.modification);
        of.build_mutant("an IF dropped", what, |design| {
            match &mut statement_mut(design, *place)?.modification {
                Modification::Update(update) => update.condition = IfClause::Always,
                Modification::Delete(delete) => delete.condition = IfClause::Always,
                Modification::Insert(_) => return None,
            }
            Some(())
        })
    });
    dropped.collect()
}
