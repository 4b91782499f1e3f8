//! The results of statements: pages of rows, printed as they arrive, then warnings and traces.

use cql::TraceId;
use engine::{ExecutionResult, ResultMessage, ResultSet};

use super::cell::{Cell, CellFormat};
use super::table::ResultPage;
use super::{Shell, ShellError, prompt};

impl Shell<'_> {
    /// Runs a statement and prints its result.
    pub(crate) fn run_statement(&mut self, text: &str, first_word: &str) -> Result<(), ShellError> {
        let was_tracing = self.settings.is_tracing;
        // A query of the traces is not traced itself, as in cqlsh.
        self.settings.is_tracing = was_tracing && !is_trace_query(text, self.session.keyspace());
        let result = self.session.query(text, &self.parameters(None));
        let done = result.map_err(ShellError::from).and_then(|result| {
            if self.settings.is_json {
                return self.print_as_json(text, result);
            }
            match first_word {
                "SELECT" | "LIST" => self.print_pages(text, result),
                _ => self.print_applied(&result),
            }
        });
        self.settings.is_tracing = was_tracing;
        done
    }

    /// Prints the result of a write, which has rows if it is conditional.
    fn print_applied(&mut self, result: &ExecutionResult) -> Result<(), ShellError> {
        if let ResultMessage::Rows(rows) = &result.outcome
            && !rows.columns.is_empty()
        {
            writeln!(self.screen.results())?;
            self.print_rows(rows, true, 0)?;
        }
        let traces: Vec<TraceId> = result.trace_id.into_iter().collect();
        self.print_trailer(&result.warnings, &traces)
    }

    /// Prints all pages of a result.
    fn print_pages(&mut self, text: &str, mut result: ExecutionResult) -> Result<(), ShellError> {
        let (mut count, mut is_first) = (0, true);
        let (mut warnings, mut traces) = (Vec::new(), Vec::new());
        writeln!(self.screen.results())?;
        loop {
            warnings.append(&mut result.warnings);
            traces.extend(result.trace_id);
            let ResultMessage::Rows(rows) = &result.outcome else { break };
            // The first page is printed even if it is empty.
            if is_first || rows.count > 0 {
                self.print_rows(rows, is_first || self.screen.is_terminal, count)?;
                count += rows.count;
                is_first = false;
            }
            let Some(next) = &rows.paging_state else { break };
            if self.interrupt.is_raised() || !self.ask_for_more()? {
                break;
            }
            result = self.session.query(text, &self.parameters(Some(next)))?;
        }
        warnings.dedup();
        let is_terminal = self.screen.is_terminal;
        let out = self.screen.results();
        if !is_terminal {
            writeln!(out)?;
        }
        writeln!(out, "({count} rows)")?;
        self.print_trailer(&warnings, &traces)
    }

    /// Waits at the end of a page on a terminal; returns whether to show the next one.
    fn ask_for_more(&mut self) -> Result<bool, ShellError> {
        if !self.screen.is_terminal || self.screen.capture_path().is_some() {
            return Ok(true);
        }
        self.screen.flush()?;
        Ok(prompt::wait_for_return("---MORE---"))
    }

    /// Prints warnings and traces.
    fn print_trailer(&mut self, warnings: &[String], traces: &[TraceId]) -> Result<(), ShellError> {
        self.print_warnings(warnings)?;
        traces.iter().try_for_each(|id| self.print_trace(*id))
    }

    fn print_rows(
        &mut self,
        rows: &ResultSet,
        with_header: bool,
        before: usize,
    ) -> Result<(), ShellError> {
        let format = CellFormat::for_tables(self.screen.has_color());
        let names = self.column_names(rows, &format);
        let cells = rows.iter().map(|row| -> Vec<Cell> {
            let columns = rows.columns.iter().zip(row);
            columns.map(|(column, value)| format.value(&column.ty, value)).collect()
        });
        let page = ResultPage { names, rows: cells.collect() };
        let is_expanded = self.settings.is_expanded && rows.count > 0;
        let is_terminal = self.screen.is_terminal;
        let out = self.screen.results();
        if is_expanded {
            page.print_expanded(before, out)?;
        } else {
            page.print(with_header, out)?;
            if is_terminal && rows.count > 0 {
                writeln!(out)?;
            }
        }
        Ok(())
    }
}

/// Whether a statement reads traces.
fn is_trace_query(text: &str, keyspace: Option<&str>) -> bool {
    let starts = text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"));
    starts && (text.to_lowercase().contains("system_traces.") || keyspace == Some("system_traces"))
}
