//! What the comments of functions say, in plain lines.

use crate::program::{Command, CommandStep, Documentation, Query, Send};

/// The comment of a function that reads: its SQL, its statements, what it reads and why.
pub(crate) fn describe_query(query: &Query) -> Vec<String> {
    let statements: Vec<_> = query.steps.iter().map(|step| step.statement.cql.as_str()).collect();
    describe(&query.documentation, &statements)
}

/// The comment of a function that writes.
pub(crate) fn describe_command(command: &Command) -> Vec<String> {
    let mut statements: Vec<&str> = Vec::new();
    for step in &command.steps {
        match step {
            CommandStep::Read(fetch) => statements.push(&fetch.statement.cql),
            CommandStep::Batch { sends, .. } => statements.extend(sends.iter().map(cql)),
            CommandStep::Send(send) => statements.push(cql(send)),
            CommandStep::Run(_) => {}
        }
    }
    describe(&command.documentation, &statements)
}

fn cql(send: &Send) -> &str {
    &send.statement.cql
}

/// Sections without text are left out: statements on a schema have no SQL, no effort and no keys.
fn describe(documentation: &Documentation, statements: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut add = |title: &str, texts: &mut dyn Iterator<Item = String>| {
        let texts: Vec<_> = texts.collect();
        if !texts.is_empty() {
            lines.extend((!lines.is_empty()).then(String::new));
            lines.extend((!title.is_empty()).then(|| title.to_owned()));
            lines.extend(texts);
        }
    };
    let indent = |text: &str| format!("  {}", text.trim_end());
    let indent_all = |texts: &[String]| texts.iter().map(|it| indent(it)).collect::<Vec<_>>();
    add("SQL:", &mut documentation.sql.lines().map(indent));
    add("CQL:", &mut statements.iter().map(|statement| indent(statement)));
    add("", &mut documentation.effort.lines().map(ToOwned::to_owned));
    add("Keys:", &mut indent_all(&documentation.keys).into_iter());
    let preconditions = indent_all(&documentation.preconditions);
    add("What must hold, and is not checked:", &mut preconditions.into_iter());
    add("To know:", &mut indent_all(&documentation.remarks).into_iter());
    lines
}
