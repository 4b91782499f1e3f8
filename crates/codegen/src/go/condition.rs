//! Conditions in Go.

use super::expression::accepts;
use super::format::{strip_brackets, write_literal};
use super::scope::{GoForm, GoScope, GoValue};
use super::types::has_operators;
use crate::program::{ComparisonOperator, Condition, Expression};

impl GoScope<'_> {
    /// A condition as an expression that can stand in `&&` and after `!`.
    pub(super) fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::NotNull(value) => self.value(value).print_presence_test(),
            Condition::Null(value) => self.value(value).print_null_test(),
            Condition::Compares(one, operator, other) => self.compares(one, *operator, other),
            Condition::Differ(one, other) => {
                let compare = self.types.compare(&one.ty);
                let sides = (self.value(one).to_pointer(), self.value(other).to_pointer());
                format!("compareNullable({}, {}, {compare}) != 0", sides.0, sides.1)
            }
            Condition::Holds(array, element) => {
                let (array, element) = (self.value(array), self.value(element));
                let compare = self.types.compare(array.ty.element().unwrap_or(&element.ty));
                let element = self.convert(&element, array.ty.element().unwrap_or(&element.ty));
                format!("contains({}, {}, {compare})", array.to_plain(), element.to_pointer())
            }
            Condition::In(value, others) => {
                let parts: Vec<String> = others
                    .iter()
                    .map(|other| self.compares(value, ComparisonOperator::Equal, other))
                    .collect();
                join(&parts, " || ", "false")
            }
            Condition::RowCompares(pairs, operator) => {
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(one, other)| {
                        let compare = self.types.compare(&one.ty);
                        let sides = (self.value(one).to_pointer(), self.value(other).to_pointer());
                        format!("pairOf({}, {}, {compare})", sides.0, sides.1)
                    })
                    .collect();
                format!("rowHolds({}, {})", accepts(*operator), pairs.join(", "))
            }
            Condition::StartsWith(one, other) => {
                let values = (self.value(one), self.value(other));
                let test = format!(
                    "strings.HasPrefix({}, {})",
                    values.0.find_known().text,
                    values.1.find_known().text
                );
                with_presence(&[&values.0, &values.1], test)
            }
            Condition::IsMet(value) => {
                let value = self.value(value);
                if value.form == GoForm::Plain && value.text == "true" {
                    return value.text;
                }
                let function = write_literal("func() *bool", &value.to_pointer());
                format!("isMet({function})")
            }
            Condition::Not(part) => format!("!({})", self.condition(part)),
            Condition::Any(parts) => self.join_conditions(parts, " || ", "false"),
            Condition::All(parts) => self.join_conditions(parts, " && ", "true"),
        }
    }

    /// The conditions of an `if`: all must hold.
    pub(super) fn conditions(&self, parts: &[Condition]) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.condition(part)).collect();
        match &parts[..] {
            [only] => strip_brackets(only).to_owned(),
            several => several.join(" && "),
        }
    }

    fn join_conditions(&self, parts: &[Condition], operator: &str, none: &str) -> String {
        let parts: Vec<String> = parts.iter().map(|part| self.condition(part)).collect();
        join(&parts, operator, none)
    }

    fn compares(
        &self,
        one: &Expression,
        operator: ComparisonOperator,
        other: &Expression,
    ) -> String {
        let values = (self.value(one), self.value(other));
        let is_short = |value: &GoValue| value.form == GoForm::Plain || value.is_simple();
        if is_short(&values.0) && is_short(&values.1) {
            let sides = (values.0.find_known().text, values.1.find_known().text);
            let test = if has_operators(&one.ty) {
                format!("{} {} {}", sides.0, symbol(operator), sides.1)
            } else {
                let compare = self.types.compare(&one.ty);
                format!("{compare}({}, {}) {} 0", sides.0, sides.1, symbol(operator))
            };
            return with_presence(&[&values.0, &values.1], test);
        }
        let compare = self.types.compare(&one.ty);
        let sides = (values.0.to_pointer(), values.1.to_pointer());
        format!("holds({}, {}, {compare}, {})", sides.0, sides.1, accepts(operator))
    }
}

/// A test that needs values that are not null.
fn with_presence(values: &[&GoValue], test: String) -> String {
    let mut parts: Vec<String> = values
        .iter()
        .filter(|value| value.form != GoForm::Plain)
        .map(|value| value.print_presence_test())
        .collect();
    if parts.is_empty() {
        return test;
    }
    parts.push(test);
    format!("({})", parts.join(" && "))
}

fn join(parts: &[String], operator: &str, none: &str) -> String {
    match parts {
        [] => none.to_owned(),
        [only] => only.clone(),
        several => format!("({})", several.join(operator)),
    }
}

const fn symbol(operator: ComparisonOperator) -> &'static str {
    match operator {
        ComparisonOperator::Equal => "==",
        ComparisonOperator::NotEqual => "!=",
        ComparisonOperator::Less => "<",
        ComparisonOperator::LessOrEqual => "<=",
        ComparisonOperator::Greater => ">",
        ComparisonOperator::GreaterOrEqual => ">=",
    }
}
