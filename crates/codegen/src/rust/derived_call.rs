//! Commands that run other commands.

use crate::program::{Command, Run};

use super::command::{RustCommand, RustCommandPrinter};
use super::condition::print_all;
use super::context::RustContext;
use super::expression::{RustExpressions, text_code};
use super::repetition::print_loops;
use super::types::{RustRecord, is_copied};
use super::writer::RustWriter;

impl RustCommandPrinter<'_> {
    /// Runs another command at each turn.
    pub(super) fn print_derived(&self, printer: &mut RustExpressions<'_, '_>, run: &Run) {
        let Some(other) = self.all.get(run.command) else { return };
        let own = self.names.result.as_ref();
        print_loops(printer, &run.repetitions, 0, &mut |printer| {
            let guards = print_all(printer, &run.guards);
            if guards != "true" {
                printer.out.open(format!("if {guards} {{"));
            }
            self.print_child(printer, run, other);
            let out = &mut printer.out;
            print_child_outcome(out, run, other, own);
            out.close("}");
            if guards != "true" {
                out.close("}");
            }
        });
    }

    /// Makes the structure of a call of another command, and runs it, unless it is running.
    fn print_child(&self, printer: &mut RustExpressions<'_, '_>, run: &Run, other: &RustCommand) {
        let parameters = &other.function.parameters;
        for (argument, (name, _, parameter)) in run.arguments.iter().zip(parameters) {
            let mut value = printer.option(argument);
            if !parameter.nullable {
                value = printer.call("require", &[value, text_code(name)], "?");
            }
            printer.out.assign(&format!("let {name}"), &value);
        }
        let copies = parameters.iter().map(|(name, _, parameter)| {
            if is_copied(&parameter.ty) { name.clone() } else { format!("{name}: {name}.clone()") }
        });
        let copies: Vec<String> = copies.collect();
        let out = &mut printer.out;
        let head = format!("let derived = DerivedCall::{}", variant(other));
        if copies.is_empty() {
            out.line(format!("{head};"));
        } else {
            out.structure(&head, &copies, ";");
        }
        out.assign("let title", &text_code(&other.function.title));
        out.open("if self.running.contains(&derived) {");
        out.line("self.state.note(title, None);");
        out.close("} else {");
        out.deepen();
        let mut arguments = vec!["self.core".to_owned()];
        arguments.extend(parameters.iter().map(|(name, ..)| name.clone()));
        out.call(&format!("let mut call = {}::new", other.call), &arguments, ";");
        if other.has_runs {
            out.line("call.running.clone_from(&self.running);").line("call.running.push(derived);");
        }
        out.line("let outcome = Box::pin(call.run()).await?;");
    }
}

/// The name of a derived call.
fn variant(command: &RustCommand) -> &str {
    &command.call
}

/// What the outcome of another command means.
fn print_child_outcome(
    out: &mut RustWriter,
    run: &Run,
    other: &RustCommand,
    own: Option<&RustRecord>,
) {
    if let (Some(own), Some(result)) = (own, &other.result)
        && own.fields.len() == result.fields.len()
    {
        out.open("for row in call.rows {");
        let pairs = own.fields.iter().zip(&result.fields);
        let fields: Vec<String> = pairs
            .map(|(field, of)| match (field.nullable, of.nullable) {
                (true, false) => format!("{}: Some(row.{})", field.name, of.name),
                (false, true) => {
                    format!("{}: require(row.{}, {:?})?", field.name, of.name, of.column)
                }
                _ => format!("{}: row.{}", field.name, of.name),
            })
            .collect();
        out.structure(&format!("let row = {}", own.name), &fields, ";");
        out.line("self.rows.push(row);").close("}");
    }
    out.open("match outcome {");
    out.line("Outcome::Applied => self.state.note(title, None),");
    out.open("Outcome::Interrupted => {").line("self.state.adopt(call.state);");
    out.line("return Ok(Outcome::Interrupted);").close("}");
    if run.violation_ends {
        out.open("Outcome::Violation(_) => {");
        out.line("return self.state.undo(self.core, outcome).await;").close("}");
    }
    out.line("_ => self.state.note_refusal(),").close("}");
}

/// The calls that commands make of each other.
pub(super) fn print_derived_calls(
    context: &RustContext,
    out: &mut RustWriter,
    commands: &[(&Command, &RustCommand)],
) {
    out.blank().line("/// A write that another one runs, with its values.");
    out.line("#[derive(Clone, Debug, PartialEq)]").open("enum DerivedCall {");
    let fields = |command: &Command, names: &RustCommand| -> Vec<String> {
        let parameters = names.function.parameters.iter().zip(&command.parameters);
        let named = parameters.map(|((name, ..), parameter)| {
            format!("{name}: {}", context.types.field(&parameter.ty, parameter.nullable))
        });
        named.collect()
    };
    let all: Vec<(&str, Vec<String>)> =
        commands.iter().map(|(command, names)| (variant(names), fields(command, names))).collect();
    // If one of them needs several lines, all have them.
    let is_short = all.iter().all(|(name, fields)| {
        fields.is_empty() || out.can_fit(&format!("{name} {{ {} }},", fields.join(", ")))
    });
    for (name, fields) in all {
        if fields.is_empty() {
            out.line(format!("{name},"));
        } else if is_short {
            out.line(format!("{name} {{ {} }},", fields.join(", ")));
        } else {
            out.open(format!("{name} {{"));
            for field in fields {
                out.line(format!("{field},"));
            }
            out.close("},");
        }
    }
    out.close("}");
}
