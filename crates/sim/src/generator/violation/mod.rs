//! Violations: values with which the relational database refuses a write, so that the designed
//! write must refuse it too, or state that its caller excludes it.
//!
//! `scope` lists the constraints that a write may violate, `effect` finds those that given values
//! violate, `check` has values that conditions exclude, and `row` draws keys that are taken, rows
//! that are absent, and rows that others refer to.

mod check;
mod effect;
mod row;
mod scope;

use model::concept::Constraint;
use model::plan::{Precondition, list_client_checks};

pub(crate) use self::effect::find_violations;
pub(crate) use self::scope::list_constraints;

use super::ArgumentWish;
use super::random::Random;
use super::write::WriteArgumentChooser;
use crate::dataset::Datum;

/// Attempts to find values that violate a constraint.
const ATTEMPTS: usize = 30;

impl WriteArgumentChooser<'_> {
    /// Values that violate a constraint and meet all preconditions, for each part of the write that
    /// can violate it; none where none were found.
    pub(super) fn draw_violations(
        &self,
        constraint: Constraint,
        preconditions: &[&Precondition],
        random: &mut Random,
    ) -> Vec<Vec<Datum>> {
        let all = list_client_checks(self.concept, self.write);
        let checks: Vec<_> = all.iter().filter(|it| it.constraint == constraint).collect();
        if !checks.is_empty() {
            let drawn = checks.into_iter().filter_map(|check| {
                (0..ATTEMPTS).find_map(|_| {
                    let mut values = self.draw_arguments(ArgumentWish::Any, random)?.values;
                    check::violate(&self.write.parameters, check, &mut values).then_some(values)
                })
            });
            return drawn.collect();
        }
        let is_excluded =
            |found: &Constraint| preconditions.iter().any(|it| it.has_constraint(*found));
        let drawn = (0..ATTEMPTS).find_map(|_| {
            let candidates = self.draw_candidates(constraint, random);
            candidates.into_iter().find(|values| {
                let found = find_violations(self.concept, self.write, self.facts, values);
                found.contains(&constraint) && !found.iter().any(is_excluded)
            })
        });
        drawn.into_iter().collect()
    }
}
