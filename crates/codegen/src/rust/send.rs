//! Statements that write, with their values.

use crate::program::{BatchType, DataType, Refusal, Send};

use super::condition::print_all;
use super::expression::{RustExpressions, text_code};
use super::repetition::print_loops;

/// Prints the values of a statement into a variable.
fn print_bound(printer: &mut RustExpressions<'_, '_>, name: &str, send: &Send, path: &str) {
    let mut values = Vec::new();
    for (binding, marker) in send.values.iter().zip(&send.statement.markers) {
        let value = printer.option(&binding.value);
        let is_counter = marker.ty == DataType::Counter || binding.value.ty == DataType::Counter;
        let value = if is_counter { format!("to_counter({value})") } else { value };
        let method = if binding.null_is_unset { "add_or_unset" } else { "add" };
        values.push((method, value));
    }
    let is_mutable = if values.is_empty() { "" } else { "mut " };
    printer.out.assign(&format!("let {is_mutable}{name}"), &format!("BoundText::new(&{path})"));
    for (method, value) in values {
        printer.out.call(&format!("{name}.{method}"), &[value], ";");
    }
}

/// Sends a statement at each turn.
pub(super) fn print_send(
    printer: &mut RustExpressions<'_, '_>,
    send: &Send,
    paths: &[(String, Option<String>)],
) {
    let Some((path, inverse_path)) = paths.first() else { return };
    print_reason(printer, &send.reason);
    print_loops(printer, &send.repetitions, 0, &mut |printer| {
        let guards = print_all(printer, &send.guards);
        let has_block = guards != "true" || send.repetitions.is_empty();
        if guards != "true" {
            printer.out.open(format!("if {guards} {{"));
        } else if has_block {
            printer.out.open("{");
        }
        print_bound(printer, "bound", send, path);
        if send.needs_all_values {
            printer.out.open("if !bound.has_null {");
        }
        let inverse = match (&send.inverse, inverse_path) {
            (Some(inverse), Some(path)) => {
                print_bound(printer, "inverse", inverse, path);
                "Some(inverse)"
            }
            _ => "None",
        };
        let out = &mut printer.out;
        let sent = format!("self.state.send(self.core, bound, {inverse}).await?");
        match send.refusal {
            Some(refusal) => {
                out.line(format!("let is_applied = {sent};")).open("if !is_applied {");
                let outcome = match refusal {
                    _ if send.depends_on_read => "Outcome::Outdated".to_owned(),
                    Refusal::Refused => "Outcome::Refused".to_owned(),
                    Refusal::Violation => {
                        let what = format!("the key of {} is taken", send.statement.table);
                        format!("Outcome::Violation({})", text_code(&what))
                    }
                };
                out.assign("let outcome", &outcome);
                out.line("return self.state.undo(self.core, outcome).await;").close("}");
            }
            // Without a condition of its own, the write goes on.
            None => _ = out.line(format!("{sent};").replace(".send(", ".send_always(")),
        }
        if send.needs_all_values {
            printer.out.close("}");
        }
        if has_block {
            printer.out.close("}");
        }
    });
}

/// Sends statements in batches.
pub(super) fn print_batch(
    printer: &mut RustExpressions<'_, '_>,
    kind: BatchType,
    sends: &[Send],
    paths: &[(String, Option<String>)],
    reason: &str,
) {
    print_reason(printer, reason);
    printer.out.line("let mut bounds = Vec::new();");
    for (send, (path, _)) in sends.iter().zip(paths) {
        print_loops(printer, &send.repetitions, 0, &mut |printer| {
            let guards = print_all(printer, &send.guards);
            if guards != "true" {
                printer.out.open(format!("if {guards} {{"));
            }
            print_bound(printer, "bound", send, path);
            if send.needs_all_values {
                printer.out.open("if !bound.has_null {").line("bounds.push(bound);").close("}");
            } else {
                printer.out.line("bounds.push(bound);");
            }
            if guards != "true" {
                printer.out.close("}");
            }
        });
    }
    let kind = match kind {
        BatchType::Logged => "Logged",
        BatchType::Unlogged => "Unlogged",
        BatchType::Counter => "Counter",
    };
    printer
        .out
        .line(format!("self.state.send_batch(self.core, BatchType::{kind}, bounds).await?;"));
}

/// Prints why there is a statement, in one line; a statement of the user has no reason.
fn print_reason(printer: &mut RustExpressions<'_, '_>, reason: &str) {
    let words: Vec<&str> = reason.split_whitespace().collect();
    if !words.is_empty() {
        printer.out.line(format!("// {}", words.join(" ")));
    }
}
