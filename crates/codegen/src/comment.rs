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

fn describe(documentation: &Documentation, statements: &[&str]) -> Vec<String> {
    let mut lines = vec!["SQL:".to_owned()];
    lines.extend(documentation.sql.lines().map(|line| format!("  {}", line.trim_end())));
    if !statements.is_empty() {
        lines.extend([String::new(), "CQL:".to_owned()]);
        lines.extend(statements.iter().map(|statement| format!("  {statement}")));
    }
    lines.extend([String::new(), documentation.effort.clone()]);
    let mut section = |title: &str, texts: &[String]| {
        if !texts.is_empty() {
            lines.extend([String::new(), title.to_owned()]);
            lines.extend(texts.iter().map(|text| format!("  {text}")));
        }
    };
    section("Keys:", &documentation.keys);
    section("What must hold, and is not checked:", &documentation.preconditions);
    section("To know:", &documentation.remarks);
    lines
}
