//! Conditions that say the same twice.

use super::resolver::Resolver;
use super::scope::Scope;
use crate::workload::{Column, Comparison, Condition, Test};

/// What a condition restricts of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Restriction {
    /// Its value.
    Value,
    /// Its lower end.
    Low,
    /// Its upper end.
    High,
}

impl Resolver<'_> {
    /// Reports the condition at `at` if an earlier one restricts its column in the same way.
    pub(super) fn contradiction(&mut self, scope: &Scope, conditions: &[Condition], at: usize) {
        let Some((column, restriction)) = restriction(&conditions[at].test) else { return };
        let same = |earlier: &Condition| {
            super::contradiction::restriction(&earlier.test).is_some_and(|(other, how)| {
                other == column
                    && (how == restriction
                        || how == Restriction::Value
                        || restriction == Restriction::Value)
            })
        };
        if conditions[..at].iter().any(same) {
            let name = &self.attribute_of(scope, column).name;
            let message = format!("{} restricts {name} twice", self.name());
            let help = format!("give {name} one value, or one range");
            self.complain("MF328", conditions[at].span, message, help);
        }
    }
}

/// The column that a test restricts; that of an array may hold several values.
fn restriction(test: &Test) -> Option<(Column, Restriction)> {
    match test {
        Test::Compare { column, comparison, .. } => {
            let restriction = match comparison {
                Comparison::Equal => Restriction::Value,
                Comparison::Less | Comparison::LessOrEqual => Restriction::High,
                Comparison::Greater | Comparison::GreaterOrEqual => Restriction::Low,
            };
            Some((*column, restriction))
        }
        Test::In { column, .. } | Test::AnyOf { column, .. } | Test::Prefix { column, .. } => {
            Some((*column, Restriction::Value))
        }
        Test::Holds { .. } | Test::Row { .. } | Test::NotNull { .. } => None,
    }
}
