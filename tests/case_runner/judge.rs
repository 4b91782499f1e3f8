//! Putting a statement of a case to a judge, and its whole answer in the form of a verdict.

use std::io;

use cql::value::literal;

use super::file::CaseStatement;
use super::values;
use crate::protocol::{
    Answer, ColumnSpec, Connection, Options, Outcome, PreparedStatement, spell_columns,
};
use crate::verdict::{Verdict, escape, mask};

/// Pages that a case may have; a judge that sends more goes round in circles.
const PAGES_MAX: usize = 10_000;

/// Whoever answers statements: a node over the wire, or our engine.
pub(crate) trait Judge {
    /// Prepares a text.
    fn prepare(&mut self, text: &str) -> io::Result<Outcome>;
    /// Runs a text as it is.
    fn query(&mut self, text: &str, options: &Options) -> io::Result<Outcome>;
    /// Runs what was prepared.
    fn execute(&mut self, prepared: &PreparedStatement, options: &Options) -> io::Result<Outcome>;
}

impl Judge for Connection {
    fn prepare(&mut self, text: &str) -> io::Result<Outcome> {
        self.prepare(text)
    }

    fn query(&mut self, text: &str, options: &Options) -> io::Result<Outcome> {
        self.query(text, options)
    }

    fn execute(&mut self, prepared: &PreparedStatement, options: &Options) -> io::Result<Outcome> {
        self.execute(prepared, options)
    }
}

/// The verdict of a judge. `known` is the text in which identifiers stand that nobody made up.
pub(crate) fn judge_statement(
    judge: &mut dyn Judge,
    statement: &CaseStatement,
    known: &str,
) -> io::Result<Verdict> {
    let (text, request) = (&statement.text, &statement.request);
    let mut verdict = Verdict::default();
    let mut options = request.options();
    let mut prepared = None;
    if request.manner.prepare || request.values.is_some() {
        let outcome = judge.prepare(text)?;
        let (Ok(Answer::Prepared(found)), Some(values)) = (&outcome.result, &request.values) else {
            verdict.add_answer(&outcome, text);
            return Ok(verdict);
        };
        options.values = values::encode(values, &found.markers).map_err(io::Error::other)?;
        prepared = Some(found.clone());
    }
    for page in 1..PAGES_MAX {
        let outcome = match &prepared {
            Some(prepared) => judge.execute(prepared, &options)?,
            None => judge.query(text, &options)?,
        };
        verdict.add_answer(&outcome, text);
        let Ok(Answer::Rows(rows)) = outcome.result else {
            // Of an answer that fails half way only the failure counts.
            (verdict.rows, verdict.columns) = (None, None);
            return Ok(verdict);
        };
        verdict.columns = Some(spell_columns(&rows.columns));
        let lines = rows.rows.iter().map(|row| print_row(&rows.columns, row));
        verdict.rows.get_or_insert_default().extend(lines);
        verdict.pages = request.page_size.map(|_| page);
        let Some(state) = rows.paging_state else { break };
        options.paging_state = Some(state);
    }
    if request.volatile {
        (verdict.rows, verdict.pages) = (None, None);
    }
    verdict.warnings.dedup();
    for line in verdict.rows.iter_mut().flatten().filter(|_| request.masked) {
        *line = mask(line, known);
    }
    if let Some(rows) = verdict.rows.as_mut().filter(|_| request.unordered) {
        rows.sort();
    }
    Ok(verdict)
}

/// A row as CQL literals; no bytes where they mean nothing are told from null.
fn print_row(columns: &[ColumnSpec], row: &[Option<Vec<u8>>]) -> String {
    let cells =
        columns.iter().zip(row).map(|(column, cell)| match literal(&column.ty, cell.as_deref()) {
            Ok(text) if text == "null" && cell.is_some() => "empty".to_owned(),
            Ok(text) => text,
            Err(error) => format!("<{error}>"),
        });
    escape(&cells.collect::<Vec<_>>().join(" | "))
}
