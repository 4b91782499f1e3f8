//! Conditions that the client tests.

use super::expressions::JavaScope;
use crate::program::{ComparisonOperator, Condition, Expression};

impl JavaScope<'_> {
    /// A condition.
    pub(super) fn print_condition(&self, condition: &Condition) -> String {
        let of = |value: &Expression| self.print(value);
        match condition {
            Condition::NotNull(value) => format!("{} != null", of(value)),
            Condition::Null(value) => format!("{} == null", of(value)),
            Condition::Compares(one, ComparisonOperator::NotEqual, other) => {
                let (left, right) = (of(one), of(other));
                format!(
                    "Values.isTrue(Values.known({left}, {right}, !Values.isEqual({left}, {right})))"
                )
            }
            Condition::Compares(one, operator, other) => {
                self.print_comparison(*operator, one, other)
            }
            Condition::Differ(one, other) => format!("Values.differ({}, {})", of(one), of(other)),
            Condition::Holds(array, element) => {
                format!("Values.holds({}, {})", of(array), of(element))
            }
            Condition::In(value, others) => {
                let others: Vec<_> = others.iter().map(of).collect();
                // The brackets of an array keep a single null from being taken for one.
                format!("Values.isIn({}, new Object[] {{{}}})", of(value), others.join(", "))
            }
            Condition::RowCompares(pairs, operator) => self.print_rows(pairs, *operator),
            Condition::StartsWith(text, prefix) => {
                format!("Values.startsWith({}, {})", of(text), of(prefix))
            }
            Condition::IsMet(value) => format!("Values.isMet(() -> {})", of(value)),
            Condition::Not(part) => format!("!({})", self.print_condition(part)),
            Condition::Any(parts) => self.join(parts, " || ", "false"),
            Condition::All(parts) => self.join(parts, " && ", "true"),
        }
    }

    /// That all of these hold.
    pub(super) fn print_guards(&self, guards: &[Condition]) -> String {
        match guards {
            [single] => self.print_condition(single),
            several => self.join(several, " && ", "true"),
        }
    }

    fn join(&self, parts: &[Condition], operator: &str, none: &str) -> String {
        let parts: Vec<_> =
            parts.iter().map(|part| format!("({})", self.print_condition(part))).collect();
        if parts.is_empty() { none.to_owned() } else { parts.join(operator) }
    }

    fn print_rows(
        &self,
        pairs: &[(Expression, Expression)],
        operator: ComparisonOperator,
    ) -> String {
        let mut order = "Integer.valueOf(0)".to_owned();
        for (one, other) in pairs {
            let by = self.context.order(&one.ty);
            order =
                format!("Values.step({order}, {}, {}, {by})", self.print(one), self.print(other));
        }
        let (less, equal, greater) = match operator {
            ComparisonOperator::Equal => (false, true, false),
            ComparisonOperator::NotEqual => (true, false, true),
            ComparisonOperator::Less => (true, false, false),
            ComparisonOperator::LessOrEqual => (true, true, false),
            ComparisonOperator::Greater => (false, false, true),
            ComparisonOperator::GreaterOrEqual => (false, true, true),
        };
        format!("Values.isOrder({order}, {less}, {equal}, {greater})")
    }
}
