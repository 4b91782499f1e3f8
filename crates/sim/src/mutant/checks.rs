//! Mutants of the client's part in constraints: a check forgotten, a rounding forgotten.
//!
//! Left alone are checks that others may replace: those that share a value with another check, and those
//! of writes that send nothing.

use model::expression::Expression;
use model::id::IdList;
use model::plan::{Operand, WritePlan};

use super::statement::{statement_mut, write_statements};
use super::{Mutant, OriginalDesign};

/// A check of the client forgotten.
pub(super) fn forget_checks(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (write, plan) in of.design.writes.enumerate_ids() {
        for (at, check) in plan.checks.iter().enumerate() {
            if plan.steps.is_empty() || check.is_not_null() || has_other_check(plan, at) {
                continue;
            }
            let what = format!("{} does not check {}", of.write_name(write), check.sql);
            mutants.extend(of.build_mutant("a check forgotten", what, |design| {
                let checks = &mut design.writes.member_mut(write)?.checks;
                (at < checks.len()).then(|| drop(checks.remove(at)))
            }));
        }
    }
    mutants
}

fn has_other_check(plan: &WritePlan, own: usize) -> bool {
    let Some(check) = plan.checks.get(own) else { return true };
    let values = check.condition.columns();
    let others = plan.checks.iter().enumerate().filter(|(at, it)| *at != own && !it.is_not_null());
    let mut values_of_others = others.flat_map(|(_, it)| it.condition.columns());
    values_of_others.any(|value| values.contains(&value))
}

/// A number written as it is given.
pub(super) fn forget_rounding(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, statement) in write_statements(of.design) {
        if !statement.modification.operands().into_iter().any(|it| to_unrounded(it).is_some()) {
            continue;
        }
        let name = of.write_name(place.write);
        let what = format!("{name} does not round in {}", statement.modification);
        mutants.extend(of.build_mutant("a rounding forgotten", what, |design| {
            for operand in statement_mut(design, place)?.modification.operands_mut() {
                if let Some(unrounded) = to_unrounded(operand) {
                    *operand = unrounded;
                }
            }
            Some(())
        }));
    }
    mutants
}

/// The value that is rounded.
fn to_unrounded(operand: &Operand) -> Option<Operand> {
    let Operand::Computed(expression) = operand else { return None };
    match &**expression {
        Expression::Round(inside, _) => match &**inside {
            Expression::Column(value) => Some(value.clone()),
            _ => None,
        },
        _ => None,
    }
}
