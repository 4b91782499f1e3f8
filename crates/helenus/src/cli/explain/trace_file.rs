//! Traces from a file: read, analysed and, with a schema, explained.

use std::io::Write;
use std::path::Path;

use doctor::trace::{self, Trace, TraceTextError};

use super::ExplainArguments;
use super::schema_source::SchemaSource;
use crate::outcome::{Failure, Outcome};
use crate::render::trace as trace_report;
use crate::source::Source;
use crate::workspace::text_file;

impl ExplainArguments {
    /// Explains all traces of a file.
    pub(super) fn explain_trace_file(
        &self,
        file: &str,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        let source = text_file::read(Path::new(file))?.source;
        let traces = trace::read(&source.text).map_err(|error| no_trace(&source.name, error))?;
        self.write_traces(&traces, out)
    }

    /// Writes the reports on traces, the longest in full if they are of pages of one statement.
    pub(super) fn write_traces(
        &self,
        traces: &[Trace],
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        let mut objects = Vec::new();
        for (position, trace) in traces.iter().enumerate() {
            let analysis = trace::analyse(trace);
            if self.json {
                objects.push(trace_report::json::object(trace, &analysis));
                continue;
            }
            if position > 0 {
                writeln!(out)?;
            }
            trace_report::write(trace, &analysis, self.columns(), out)?;
        }
        if self.json {
            writeln!(out, "{:#}", serde_json::json!({ "traces": objects }))?;
            return Ok(Outcome::Fine);
        }
        let statement = traces.iter().find_map(Trace::statement);
        if let Some(statement) = statement.filter(|_| !self.schema.is_empty()) {
            writeln!(out)?;
            let schema = SchemaSource::from_files(&self.schema)?;
            let Some(explainer) = self.explainer(schema, out)? else {
                return Ok(Outcome::BadInput);
            };
            let source = Source::new("<statement of the trace>", statement.to_owned());
            return self.explain_statements(&explainer, &source, out);
        }
        Ok(Outcome::Fine)
    }
}

fn no_trace(name: &str, error: TraceTextError) -> Failure {
    let reason = match error {
        TraceTextError::Empty => "is empty",
        TraceTextError::NoTrace => {
            "has no trace: expected the table that cqlsh prints after TRACING ON (with the \
             columns activity and source_elapsed), or rows of system_traces as JSON"
        }
        TraceTextError::NoEvents => "has a trace without events",
    };
    Failure::Stopped(Outcome::BadInput, format!("{name} {reason}"))
}
