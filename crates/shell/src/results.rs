//! The answers of statements: pages of rows, printed as they come.

use cql::TraceId;
use engine::{Answer, Outcome, Rows};

use super::cell::{Cell, Look};
use super::table::Page;
use super::{Shell, Stop, prompt};

impl Shell<'_> {
    /// Runs a statement and prints what it answers.
    pub(crate) fn statement(&mut self, text: &str, first_word: &str) -> Result<(), Stop> {
        let was_tracing = self.settings.is_tracing;
        // A look at traces would leave one more of them.
        self.settings.is_tracing = was_tracing && !reads_traces(text, self.session.keyspace());
        let answer = self.session.query(text, &self.parameters(None));
        let done = answer.map_err(Stop::from).and_then(|answer| {
            if self.settings.is_json {
                return self.print_as_json(text, answer);
            }
            match first_word {
                "SELECT" | "LIST" => self.print_pages(text, answer),
                _ => self.print_applied(&answer),
            }
        });
        self.settings.is_tracing = was_tracing;
        done
    }

    /// The answer of a conditional write.
    fn print_applied(&mut self, answer: &Answer) -> Result<(), Stop> {
        if let Outcome::Rows(rows) = &answer.outcome
            && !rows.columns.is_empty()
        {
            writeln!(self.screen.results())?;
            self.print_rows(rows, true, 0)?;
        }
        let traces: Vec<TraceId> = answer.trace_id.into_iter().collect();
        self.finish(&answer.warnings, &traces)
    }

    /// All pages of an answer.
    fn print_pages(&mut self, text: &str, mut answer: Answer) -> Result<(), Stop> {
        let (mut count, mut is_first) = (0, true);
        let (mut warnings, mut traces) = (Vec::new(), Vec::new());
        writeln!(self.screen.results())?;
        loop {
            warnings.append(&mut answer.warnings);
            traces.extend(answer.trace_id);
            let Outcome::Rows(rows) = &answer.outcome else { break };
            // The first page is printed even if nothing is in it.
            if is_first || rows.count > 0 {
                self.print_rows(rows, is_first || self.screen.is_terminal, count)?;
                count += rows.count;
                is_first = false;
            }
            let Some(next) = &rows.paging_state else { break };
            if self.interrupt.is_raised() || !self.wants_more()? {
                break;
            }
            answer = self.session.query(text, &self.parameters(Some(next)))?;
        }
        warnings.dedup();
        let is_terminal = self.screen.is_terminal;
        let out = self.screen.results();
        if !is_terminal {
            writeln!(out)?;
        }
        writeln!(out, "({count} rows)")?;
        self.finish(&warnings, &traces)
    }

    /// Whether whoever looks at the rows wants to see more of them.
    fn wants_more(&mut self) -> Result<bool, Stop> {
        if !self.screen.is_terminal || self.screen.captured_to().is_some() {
            return Ok(true);
        }
        self.screen.flush()?;
        Ok(prompt::waits_for_return("---MORE---"))
    }

    /// Warnings and traces, which come last.
    fn finish(&mut self, warnings: &[String], traces: &[TraceId]) -> Result<(), Stop> {
        self.print_warnings(warnings)?;
        traces.iter().try_for_each(|id| self.print_trace(*id))
    }

    fn print_rows(&mut self, rows: &Rows, with_header: bool, before: usize) -> Result<(), Stop> {
        let look = Look::table(self.screen.color());
        let names = self.column_names(rows, &look);
        let cells = rows.iter().map(|row| -> Vec<Cell> {
            let columns = rows.columns.iter().zip(row);
            columns.map(|(column, value)| look.value(&column.ty, value)).collect()
        });
        let page = Page { names, rows: cells.collect() };
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
fn reads_traces(text: &str, keyspace: Option<&str>) -> bool {
    let starts = text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("select"));
    starts && (text.to_lowercase().contains("system_traces.") || keyspace == Some("system_traces"))
}
