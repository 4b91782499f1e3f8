//! Conditions that the client tests.

use crate::program::{ComparisonOperator, Condition, Expression};

use super::expression::{RustExpressions, order_test};

/// The code of a condition: of type `bool`, and short.
pub(super) fn print_condition(printer: &mut RustExpressions<'_, '_>, of: &Condition) -> String {
    match of {
        Condition::NotNull(value) => null_test(printer, value, "is_some"),
        Condition::Null(value) => null_test(printer, value, "is_none"),
        Condition::Compares(one, operator, other) => {
            let head = match operator {
                ComparisonOperator::Equal => "equals",
                ComparisonOperator::NotEqual => "is_other",
                ComparisonOperator::Less => "is_less",
                ComparisonOperator::LessOrEqual => "is_at_most",
                ComparisonOperator::Greater => "is_greater",
                ComparisonOperator::GreaterOrEqual => "is_at_least",
            };
            test_pair(printer, head, one, other)
        }
        Condition::Differ(one, other) => test_pair(printer, "differ", one, other),
        Condition::Holds(array, element) => test_pair(printer, "holds", array, element),
        Condition::StartsWith(text, start) => test_pair(printer, "starts_with", text, start),
        Condition::In(value, others) => {
            let tests: Vec<String> =
                others.iter().map(|other| test_pair(printer, "equals", value, other)).collect();
            join(printer, &tests, "||", "false")
        }
        Condition::RowCompares(pairs, operator) => {
            let order = |(one, other): &(Expression, Expression)| {
                let order = test_pair(printer, "compare", one, other);
                printer.bind(&order)
            };
            let parts: Vec<String> = pairs.iter().map(order).collect();
            let order = printer.bind(&format!("compare_rows(&[{}])", parts.join(", ")));
            format!("{order}.is_some_and(Ordering::{})", order_test(*operator))
        }
        Condition::IsMet(truth) => print_check(printer, truth),
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
        Condition::All(parts) => print_all(printer, parts),
    }
}

/// A function of two references.
fn test_pair(
    printer: &mut RustExpressions<'_, '_>,
    head: &str,
    one: &Expression,
    other: &Expression,
) -> String {
    let arguments = [printer.reference(one), printer.reference(other)];
    printer.call(head, &arguments, "")
}

/// A check: it is not met where its value cannot be computed.
fn print_check(printer: &mut RustExpressions<'_, '_>, truth: &Expression) -> String {
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
    printer.out.line("let check = || {");
    let inside = inside.into_state();
    printer.take(&inside.text, inside.variables);
    printer.out.line("};");
    printer.bind("is_met(check)")
}

fn null_test(printer: &mut RustExpressions<'_, '_>, value: &Expression, test: &str) -> String {
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
