//! The file of the prepared statements.

use crate::code_writer::CodeWriter;
use crate::naming::{NameCase, NameScope};
use crate::program::Statement;

use super::context::{JavaContext, quote};

/// The statements of a program.
#[derive(Debug)]
pub(super) struct JavaStatements {
    scope: NameScope<'static>,
    list: Vec<JavaStatement>,
}

/// A prepared statement.
#[derive(Debug)]
struct JavaStatement {
    name: String,
    function: String,
    statement: Statement,
    codecs: Vec<String>,
    unset: Vec<usize>,
}

impl JavaStatements {
    pub(super) const fn new() -> Self {
        const WORDS: &[&str] = &["support"];
        Self { scope: NameScope::new(NameCase::Camel, WORDS), list: Vec::new() }
    }

    /// The field of a statement; the same one for the same statement of a function.
    pub(super) fn add(
        &mut self,
        function: &str,
        statement: &Statement,
        codecs: Vec<String>,
        unset: Vec<usize>,
    ) -> String {
        let same = self.list.iter().find(|it| {
            it.function == function
                && it.statement == *statement
                && it.codecs == codecs
                && it.unset == unset
        });
        if let Some(same) = same {
            return same.name.clone();
        }
        let verb = statement.cql.split_whitespace().next().unwrap_or("run").to_lowercase();
        let name = self.scope.add("statement", &format!("{function} {verb} {}", statement.table));
        let (function, statement) = (function.to_owned(), statement.clone());
        self.list.push(JavaStatement { name: name.clone(), function, statement, codecs, unset });
        name
    }
}

/// The text of the file.
pub(super) fn print_statements(context: &JavaContext<'_>) -> String {
    let mut out = CodeWriter::new("    ");
    out.line("/** The statements, each prepared when it is first sent. */");
    let statements = context.statements.borrow();
    out.block("final class Statements {", "}", |out| {
        for statement in &statements.list {
            out.line(format!("final AccessSupport.Statement {};", statement.name));
        }
        out.blank();
        out.block("Statements(AccessSupport support) {", "}", |out| {
            for statement in &statements.list {
                print_statement(out, statement);
            }
        });
    });
    out.finish()
}

fn print_statement(out: &mut CodeWriter, of: &JavaStatement) {
    out.line(format!("{} = support.statement(", of.name));
    out.indent(|out| {
        out.indent(|out| {
            out.line(format!("{},", quote(&of.statement.table)));
            out.line(format!("{},", quote(&of.statement.cql)));
            out.line(format!("DefaultConsistencyLevel.{},", of.statement.consistency));
            let comma = if of.codecs.is_empty() { "" } else { "," };
            let end = match &of.unset[..] {
                [] => ");".to_owned(),
                unset => {
                    let positions: Vec<_> = unset.iter().map(ToString::to_string).collect();
                    format!(").unset({});", positions.join(", "))
                }
            };
            if of.codecs.is_empty() {
                out.line(format!("{}{end}", of.statement.idempotent));
                return;
            }
            out.line(format!("{}{comma}", of.statement.idempotent));
            for (at, codec) in of.codecs.iter().enumerate() {
                let last = at + 1 == of.codecs.len();
                out.line(format!("{codec}{}", if last { end.as_str() } else { "," }));
            }
        });
    });
}
