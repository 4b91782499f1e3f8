//! The statements of a program, each once.

use crate::naming::{NameCase, NameScope, to_case};
use crate::program::Statement;

use super::expression::text_code;
use super::writer::RustWriter;

/// The longest name, so that its definition fits on a line.
const NAME_MAX: usize = 46;

/// The statements, in the order in which they are used first.
#[derive(Debug)]
pub(super) struct RustStatements {
    scope: NameScope<'static>,
    texts: Vec<(Statement, String)>,
}

impl RustStatements {
    pub(super) const fn new() -> Self {
        Self { scope: NameScope::new(NameCase::ScreamingSnake, &["COUNT"]), texts: Vec::new() }
    }

    /// The path of the constant of a statement, which a function is the first to use.
    pub(super) fn add(&mut self, function: &str, statement: &Statement) -> String {
        let is_same = |other: &Statement| {
            other.cql == statement.cql
                && other.consistency == statement.consistency
                && other.idempotent == statement.idempotent
        };
        if let Some((_, name)) = self.texts.iter().find(|(other, _)| is_same(other)) {
            return format!("statements::{name}");
        }
        let mut wanted = format!("{function}_{}", statement.table);
        if to_case(NameCase::ScreamingSnake, &wanted).len() > NAME_MAX {
            let function = to_case(NameCase::Snake, function);
            let start: String = function.chars().take(NAME_MAX - 8).collect();
            wanted = format!("{}_{}", start, self.texts.len());
        }
        let name = self.scope.add("statement", &wanted);
        self.texts.push((statement.clone(), name.clone()));
        format!("statements::{name}")
    }

    /// The file of the statements.
    pub(super) fn print(&self, out: &mut RustWriter) {
        out.line("//! The statements. Each is prepared when it is needed first.").blank();
        out.line("use crate::support::{Consistency, StatementText};").blank();
        out.line("/// The number of statements.");
        out.line(format!("pub(crate) const COUNT: usize = {};", self.texts.len()));
        for (at, (statement, name)) in self.texts.iter().enumerate() {
            let fields = [
                format!("at: {at}"),
                format!("cql: {}", text_code(&statement.cql)),
                format!("table: {}", text_code(&statement.table)),
                format!("consistency: Consistency::{}", consistency(&statement.consistency)),
                format!("idempotent: {}", statement.idempotent),
            ];
            out.blank();
            // A static, so that it has one address.
            out.open(format!("pub(crate) static {name}: StatementText = StatementText {{"));
            for field in fields {
                out.line(format!("{field},"));
            }
            out.close("};");
        }
    }
}

/// The driver's name of a consistency level.
fn consistency(level: &str) -> &'static str {
    match level.to_ascii_uppercase().as_str() {
        "ANY" => "Any",
        "ONE" => "One",
        "TWO" => "Two",
        "THREE" => "Three",
        "QUORUM" => "Quorum",
        "ALL" => "All",
        "EACH_QUORUM" => "EachQuorum",
        "LOCAL_ONE" => "LocalOne",
        "SERIAL" => "Serial",
        "LOCAL_SERIAL" => "LocalSerial",
        _ => "LocalQuorum",
    }
}
