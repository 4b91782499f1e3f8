//! Mutants of what writes return: values of the wrong side, rows that were not changed, rows that
//! are missing.

use model::id::{AttributeId, IdList, StepId, WriteId};
use model::plan::{
    Derivation, Guard, Loop, Operand, PlannedColumn, ReturnedRows, SelectExpression, SelectItem,
    WriteStep,
};
use model::workload::{AssignmentValue, DerivedPart, Returning, WriteKind};

use super::{Mutant, OriginalDesign};

/// Returns what a column was before the write, or leaves out what was read.
pub(super) fn return_old_values(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (write, returning, rows) in list_returned_rows(of) {
        for (at, (output, value)) in returning.outputs.iter().zip(&rows.values).enumerate() {
            let name = &output.name;
            let (kind, wrong) = match (value, of.kind(write)) {
                (Operand::Minus(before, _), Some(WriteKind::Update(..))) => {
                    ("the old number returned", (**before).clone())
                }
                (
                    Operand::Appended(array, _) | Operand::Without(array, _),
                    Some(WriteKind::Update(..)),
                ) => ("the old array returned", (**array).clone()),
                (Operand::Parameter(_) | Operand::Row { .. }, _) => {
                    ("a returned value forgotten", Operand::Literal("null".to_owned()))
                }
                _ => continue,
            };
            let what = format!("{} returns the wrong {name}", of.write_name(write));
            mutants.extend(of.build_mutant(kind, what, |design| {
                let rows = design.writes.member_mut(write)?.returned.as_mut()?;
                *rows.values.get_mut(at)? = wrong;
                Some(())
            }));
        }
    }
    mutants
}

/// Returns what a column that is set was before.
pub(super) fn return_replaced_values(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (write, returning, rows) in list_returned_rows(of) {
        let ([Loop::Rows(step)], Some(WriteKind::Update(assignments, _))) =
            (&rows.loops[..], of.kind(write))
        else {
            continue;
        };
        for (at, attribute) in returning.attributes().enumerate() {
            let is_set = assignments
                .iter()
                .any(|it| it.attribute == attribute && matches!(it.value, AssignmentValue::Set(_)));
            let Some(column) = of.find_column(write, *step, attribute).filter(|_| is_set) else {
                continue;
            };
            let what = format!("{} returns what {column} was before", of.write_name(write));
            mutants.extend(of.build_mutant("an old value returned", what, |design| {
                let plan = design.writes.member_mut(write)?;
                let WriteStep::Read(read, _) = plan.steps.member_mut(*step)? else { return None };
                let expression = SelectExpression::Column(column.clone());
                let name = format!("old_{column}");
                read.select.items.push(SelectItem { expression, name: name.clone() });
                let old = Operand::Row { step: *step, column: name };
                *plan.returned.as_mut()?.values.get_mut(at)? = old;
                Some(())
            }));
        }
    }
    mutants
}

/// Returns a row whether or not there is one, or whether or not its conditions hold.
pub(super) fn return_absent_rows(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mutants = list_returned_rows(of).into_iter().filter_map(|(write, _, rows)| {
        let is_by_row = matches!(rows.loops[..], [Loop::Rows(_)]);
        // This part of an upsert is run only where there is a row.
        let is_found = of.workload.writes.member(write)?.derived == Some(DerivedPart::ExistingRow);
        if is_found || (!is_by_row && rows.guards.is_empty()) {
            return None;
        }
        let what = format!("{} returns a row that does not exist", of.write_name(write));
        of.build_mutant("a row returned that is none", what, |design| {
            let rows = design.writes.member_mut(write)?.returned.as_mut()?;
            rows.guards.clear();
            // Without its loop, what was read is the first row, or nulls.
            rows.loops.clear();
            Some(())
        })
    });
    mutants.collect()
}

/// Returns no row.
pub(super) fn omit_returned_rows(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mutants = list_returned_rows(of).into_iter().filter_map(|(write, _, rows)| {
        let what = format!("{} returns nothing", of.write_name(write));
        let null = Operand::Literal("null".to_owned());
        let never = Guard::NotNull(null);
        let guards = rows.guards.iter().cloned().chain([never]).collect();
        of.build_mutant("a returned row forgotten", what, |design| {
            design.writes.member_mut(write)?.returned.as_mut()?.guards = guards;
            Some(())
        })
    });
    mutants.collect()
}

/// The rows that writes return.
fn list_returned_rows(of: OriginalDesign<'_>) -> Vec<(WriteId, &Returning, &ReturnedRows)> {
    let plans = of.design.writes.enumerate_ids();
    let returned = plans.filter_map(|(write, plan)| {
        let returning = of.workload.writes.member(write)?.returning.as_ref()?;
        Some((write, returning, plan.returned.as_ref()?))
    });
    returned.collect()
}

impl<'a> OriginalDesign<'a> {
    /// The column in which the table that a step of a write reads stores an attribute.
    fn find_column(self, write: WriteId, step: StepId, attribute: AttributeId) -> Option<String> {
        let plan = self.design.writes.member(write)?;
        let WriteStep::Read(read, _) = plan.steps.member(step)? else { return None };
        let table = self.design.tables.member(read.table)?;
        let entity = self.workload.writes.member(write)?.entity;
        let is_it = |column: &&PlannedColumn| {
            let Derivation::Attribute(of) = column.derivation else { return false };
            let source = table.holds.sources.member(of.source);
            of.attribute == attribute && source.is_some_and(|source| source.entity == entity)
        };
        table.columns.iter().find(is_it).map(|column| column.name.clone())
    }

    /// What a write does.
    fn kind(self, write: WriteId) -> Option<&'a WriteKind> {
        self.workload.writes.member(write).map(|write| &write.kind)
    }
}
