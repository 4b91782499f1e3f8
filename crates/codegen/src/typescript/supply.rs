//! Values that functions make: the short form of a function, without them.

use super::layout::TypescriptWriter;
use super::names::{TypescriptFunction, is_made};
use crate::program::{ClientSupply, DataType, Parameter};

/// The short form of a function that makes values; nothing where it makes none.
pub(super) fn write_short_form(
    writer: &mut TypescriptWriter,
    function: &TypescriptFunction,
    parameters: &[Parameter],
    result: &str,
) {
    let Some(full) = &function.full_method else { return };
    let given: Vec<String> =
        function.given_type.iter().map(|name| format!("params: m.{name}")).collect();
    writer.head(&function.method, &given, result);
    writer.indent_lines(|writer| {
        let needs_now = parameters
            .iter()
            .any(|parameter| matches!(parameter.supply, Some(ClientSupply::Now { .. })));
        if needs_now {
            writer.line("const now = this.#session.now();");
        }
        writer.block(&format!("return this.{full}({{"), "});", |writer| {
            if !given.is_empty() {
                writer.line("...params,");
            }
            for (parameter, name) in parameters.iter().zip(&function.parameters) {
                if is_made(parameter) {
                    writer.line(format!("{name}: {},", make_value(parameter)));
                }
            }
        });
    });
    writer.line("}");
    writer.blank();
    let about = format!("`{}` with the values that it makes itself.", function.method);
    writer.comment(&[about]);
}

/// The value that a function makes for a parameter.
fn make_value(parameter: &Parameter) -> String {
    match parameter.supply {
        Some(ClientSupply::Now { months, days, millis }) => {
            let now = if (months, days, millis) == (0, 0, 0) {
                "now".to_owned()
            } else {
                format!("h.shift(now, {{ months: {months}, days: {days}, millis: {millis} }})")
            };
            match parameter.ty {
                DataType::Date => format!("h.toDate({now})"),
                DataType::Time => format!("h.toTime({now})"),
                DataType::Timeuuid | DataType::Uuid => format!("types.TimeUuid.fromDate({now})"),
                _ => now,
            }
        }
        _ if parameter.ty == DataType::Timeuuid => "types.TimeUuid.now()".to_owned(),
        _ => "types.Uuid.random()".to_owned(),
    }
}
