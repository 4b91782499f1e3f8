//! The calls of commands that other commands run.

use super::command::{RustCommand, variant};
use super::context::RustContext;
use super::writer::RustWriter;
use crate::program::Command;

/// The calls that commands make of each other.
pub(super) fn print_derived_calls(
    context: &RustContext,
    out: &mut RustWriter,
    commands: &[(&Command, &RustCommand)],
) {
    out.blank().line("/// A write that another one runs, with its values.");
    out.line("#[derive(Clone, Debug, PartialEq)]").open("enum DerivedCall {");
    for (command, names) in commands {
        let parameters = &names.function.parameters;
        if parameters.is_empty() {
            out.line(format!("{},", variant(names)));
            continue;
        }
        out.open(format!("{} {{", variant(names)));
        for ((name, ..), parameter) in parameters.iter().zip(&command.parameters) {
            let ty = context.types.field(&parameter.ty, parameter.nullable);
            out.line(format!("{name}: {ty},"));
        }
        out.close("},");
    }
    out.close("}");
}
