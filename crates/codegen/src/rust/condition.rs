//! Conditions that the client tests.

use crate::program::{ComparisonOperator, Condition};

use super::expression::{RustExpressions, order_test};

/// The code of a condition: of type `bool`, and short.
pub(super) fn print_condition(printer: &mut RustExpressions<'_, '_>, of: &Condition) -> String {
    match of {
        Condition::NotNull(value) => null_test(printer, value, "is_some"),
        Condition::Null(value) => null_test(printer, value, "is_none"),
        Condition::Compares(one, operator, other) => {
            let arguments = [printer.reference(one), printer.reference(other)];
            let head = match operator {
                ComparisonOperator::Equal => "equals",
                ComparisonOperator::NotEqual => "is_other",
                ComparisonOperator::Less => "is_less",
                ComparisonOperator::LessOrEqual => "is_at_most",
                ComparisonOperator::Greater => "is_greater",
                ComparisonOperator::GreaterOrEqual => "is_at_least",
            };
            printer.call(head, &arguments, "")
        }
        Condition::Differ(one, other) => {
            let arguments = [printer.reference(one), printer.reference(other)];
            printer.call("differ", &arguments, "")
        }
        Condition::Holds(array, element) => {
            let arguments = [printer.reference(array), printer.reference(element)];
            printer.call("holds", &arguments, "")
        }
        Condition::In(value, others) => {
            let value = printer.reference(value);
            let tests: Vec<String> = others
                .iter()
                .map(|other| {
                    let other = printer.reference(other);
                    printer.call("equals", &[value.clone(), other], "")
                })
                .collect();
            join(printer, &tests, "||", "false")
        }
        Condition::RowCompares(pairs, operator) => {
            let parts: Vec<String> = pairs
                .iter()
                .map(|(one, other)| {
                    let arguments = [printer.reference(one), printer.reference(other)];
                    let order = printer.call("compare", &arguments, "");
                    printer.bind(&order)
                })
                .collect();
            let order = printer.bind(&format!("compare_rows(&[{}])", parts.join(", ")));
            format!("{order}.is_some_and(Ordering::{})", order_test(*operator))
        }
        Condition::StartsWith(text, start) => {
            let arguments = [printer.reference(text), printer.reference(start)];
            printer.call("starts_with", &arguments, "")
        }
        Condition::IsMet(truth) => {
            let scope = printer.scope;
            let mut inside = printer.start_nested(scope, 1);
            let value = inside.value(truth);
            if inside.out.is_empty() && !value.is_option && value.code == "true" {
                return "true".to_owned();
            }
            let value = value.into_option();
            if inside.out.is_empty() && value.len() < 48 && !value.contains('?') {
                let check = printer.bind(&value);
                return format!("{check} != Some(false)");
            }
            inside.out.line(format!("Ok({value})"));
            let name = format!("check{}", printer.out.depth());
            printer.out.line(format!("let {name} = || {{"));
            let inside = inside.into_state();
            printer.take(&inside.text, inside.variables);
            printer.out.line("};");
            printer.bind(&format!("is_met({name})"))
        }
        Condition::Not(other) => match print_condition(printer, other).as_str() {
            "true" => "false".to_owned(),
            "false" => "true".to_owned(),
            code if code.contains(' ') || code.contains('=') => {
                let name = printer.bind(code);
                format!("!{name}")
            }
            code => format!("!{code}"),
        },
        Condition::Any(parts) => {
            let tests: Vec<_> = parts.iter().map(|part| print_condition(printer, part)).collect();
            join(printer, &tests, "||", "false")
        }
        Condition::All(parts) => {
            let tests: Vec<_> = parts.iter().map(|part| print_condition(printer, part)).collect();
            join(printer, &tests, "&&", "true")
        }
    }
}

fn null_test(
    printer: &mut RustExpressions<'_, '_>,
    value: &crate::program::Expression,
    test: &str,
) -> String {
    let made = printer.value(value);
    if !made.is_option {
        return (test == "is_some").to_string();
    }
    let code = if made.code.len() > 48 { printer.bind(&made.code) } else { made.code };
    format!("{code}.{test}()")
}

/// Tests that are joined two by two, so that lines stay short.
pub(super) fn join(
    printer: &mut RustExpressions<'_, '_>,
    tests: &[String],
    operator: &str,
    neutral: &str,
) -> String {
    let mut tests = tests.iter().filter(|test| *test != neutral);
    let Some(first) = tests.next() else { return neutral.to_owned() };
    let mut made = first.clone();
    for test in tests {
        if made.len() > 40 || made.contains(['|', '&']) {
            made = printer.bind(&made);
        }
        let test = if test.len() > 40 { printer.bind(test) } else { test.clone() };
        made = printer.bind(&format!("{made} {operator} {test}"));
    }
    made
}

/// The code of several conditions that must all hold.
pub(super) fn print_all(printer: &mut RustExpressions<'_, '_>, of: &[Condition]) -> String {
    let tests: Vec<_> = of.iter().map(|part| print_condition(printer, part)).collect();
    join(printer, &tests, "&&", "true")
}
