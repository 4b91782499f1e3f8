//! The class of all functions.

use super::commands::JavaCommandPrinter;
use super::context::{JavaContext, quote};
use super::queries::JavaQueryPrinter;
use crate::code_writer::CodeWriter;

/// What configuration profiles are named after.
pub(super) fn profile_prefix(context: &JavaContext<'_>) -> String {
    format!("{}-", context.program.keyspace.replace('_', "-"))
}

/// The text of the class.
pub(super) fn print_access(context: &JavaContext<'_>) -> String {
    let class = &context.names.access;
    let mut out = CodeWriter::new("    ");
    out.line("/**");
    out.line(format!(
        " * Reads and writes the keyspace {{@code {}}}. It can be used by many threads.",
        context.program.keyspace
    ));
    out.line(" *");
    out.line(
        " * <p>Each function has a form that waits, and one whose name ends with {@code Async}.",
    );
    out.line(" */");
    out.block(format!("public final class {class} {{"), "}", |out| {
        print_constructors(out, context);
        let queries = || {
            let pairs = context.program.queries.iter().zip(&context.names.queries);
            pairs.map(|(query, name)| JavaQueryPrinter { context, query, name })
        };
        let commands = || {
            let pairs = context.program.commands.iter().zip(&context.names.commands);
            pairs.map(|(command, name)| JavaCommandPrinter { context, command, name })
        };
        queries().for_each(|it| it.print(out));
        commands().filter(|it| !it.command.derived).for_each(|it| it.print(out));
        queries().for_each(|it| it.print_run_class(out));
        commands().for_each(|it| it.print_run_class(out));
    });
    tidy(&out.finish())
}

/// No empty line before a closing bracket.
fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        while line.trim() == "}" && lines.last().is_some_and(|it| it.trim().is_empty()) {
            lines.pop();
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

fn print_constructors(out: &mut CodeWriter, context: &JavaContext<'_>) {
    let class = &context.names.access;
    out.line("private final AccessSupport support;");
    out.line("private final Statements statements;").blank();
    out.line("/**");
    out.line(" * Uses a session, with the usual options.");
    out.line(" *");
    out.line(" * @param session a session whose keyspace is that of the tables");
    out.line(" */");
    out.block(format!("public {class}(CqlSession session) {{"), "}", |out| {
        out.line("this(session, AccessOptions.defaults());");
    });
    out.blank();
    out.line("/**");
    out.line(" * Uses a session.");
    out.line(" *");
    out.line(" * @param session a session whose keyspace is that of the tables");
    out.line(" * @param options how functions run");
    out.line(" */");
    out.block(
        format!("public {class}(CqlSession session, AccessOptions options) {{"),
        "}",
        |out| {
            let prefix = quote(&profile_prefix(context));
            out.line(format!("this.support = new AccessSupport(session, options, {prefix});"));
            out.line("this.statements = new Statements(support);");
        },
    );
    out.blank();
}
