//! Our own judge: a session of `cql` and `model` that answers a text as a node would.

use std::time::{SystemTime, UNIX_EPOCH};

use cql::{Diagnostic, ErrorCode, Statement, StatementKind};
use schema::bind::{BoundKind, BoundStatement};
use schema::session::{AcceptedStatement, ExecutionMode};

use crate::protocol::{Options, spell_type};
use crate::verdict::{RunMode, Verdict};

/// A session of ours that answers in the form of verdicts.
pub(crate) struct BinderSession(schema::Session);

/// A refusal: code and text.
type BinderRefusal = (u32, String);

impl BinderSession {
    /// A session on a node without schema.
    pub(crate) fn new() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut session = schema::Session::with_system_tables();
        session.now_ms = i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX);
        Self(session)
    }

    /// What we say of a text; a schema change that is accepted is made.
    pub(crate) fn verdict(&mut self, text: &str, manner: RunMode) -> Verdict {
        let mut verdict = Verdict::default();
        match only_statement(text).and_then(|statement| self.run(&statement, manner)) {
            Ok(AcceptedStatement::Bound(bound)) if manner.prepare => {
                verdict.markers = Some(markers(&bound)).filter(|line| !line.is_empty());
                verdict.columns = Some(columns(&bound)).filter(|line| !line.is_empty());
            }
            Ok(_) => {}
            Err(refusal) => verdict.set_refusal(Some(refusal), text),
        }
        verdict
    }

    fn run(
        &mut self,
        statement: &Statement,
        manner: RunMode,
    ) -> Result<AcceptedStatement, BinderRefusal> {
        let paged = Options::default().page_size.and_then(|size| u32::try_from(size).ok());
        let mode = match manner {
            RunMode { prepare: true, .. } => ExecutionMode::Prepare,
            RunMode { unpaged: true, .. } => ExecutionMode::Execute(None),
            _ => ExecutionMode::Execute(paged),
        };
        self.0.run_as(statement, mode).map_err(|refused| refusal((*refused).into()))
    }
}

/// The one statement of a text; a node takes no more than one at a time, and no command of the shell.
fn only_statement(text: &str) -> Result<Statement, BinderRefusal> {
    let mut parsed = cql::parse(text);
    if let Some(error) = parsed.errors.first() {
        return Err(refusal(error.clone().into()));
    }
    let syntax = |text: &str| (ErrorCode::Syntax.number().into(), text.to_owned());
    match (parsed.statements.pop(), parsed.statements.is_empty()) {
        (None, _) => Err(syntax("line 1:0 no statement")),
        (Some(_), false) => Err(syntax("line 1:0 more than one statement")),
        (Some(Statement { kind: StatementKind::Shell(_), .. }), _) => {
            Err(syntax("line 1:0 a command of the shell"))
        }
        (Some(statement), true) => Ok(statement),
    }
}

fn refusal(diagnostic: Diagnostic) -> BinderRefusal {
    let code = diagnostic.error.unwrap_or(ErrorCode::Invalid);
    (code.number().into(), diagnostic.message)
}

/// The markers as the protocol tells them, and which of them form the partition key.
fn markers(bound: &BoundStatement) -> String {
    let spelt = bound.markers.iter().map(|marker| match marker {
        Some(marker) => format!("{} {}", marker.receiver.name, spell_type(&marker.receiver.ty)),
        None => "?".to_owned(),
    });
    let line = spelt.collect::<Vec<_>>().join(", ");
    match bound.partition_key_markers() {
        Some(key) => format!(
            "{line} | key {}",
            key.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        ),
        None => line,
    }
}

/// The result columns as the protocol tells them.
fn columns(bound: &BoundStatement) -> String {
    let BoundKind::Select(select) = &bound.kind else { return String::new() };
    if select.is_json {
        return "[json] text".to_owned();
    }
    let columns = select.selection.columns.iter();
    columns
        .map(|column| format!("{} {}", column.name, spell_type(&column.ty)))
        .collect::<Vec<_>>()
        .join(", ")
}
