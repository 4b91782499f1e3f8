//! Statements run on a cluster with tracing, and sessions of its `system_traces`.

use std::io::Write;
use std::time::Duration;

use cluster::{Connection, PageRequest, ResultSet};
use cql::value::{self, Uuid, Value};
use cql::{Consistency, StatementKind, TraceId};
use doctor::trace::{self, Trace};

use super::comparison::{self, Answer};
use super::schema_source::SchemaSource;
use super::statements::Explanation;
use super::{ExplainArguments, cluster_figures};
use crate::outcome::{Failure, Outcome};
use crate::proof::cluster_failure;
use crate::render::trace as trace_report;
use crate::render::{self, DiagnosticFormat, access_json, access_text};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;
use crate::workspace::session;

/// How long a trace is waited for: nodes write it after the answer.
const PATIENCE: [u64; 9] = [20, 50, 100, 200, 400, 800, 1_500, 3_000, 4_000];

/// Rows that are read at a time, and in all.
const PAGE_ROWS: i32 = 5_000;
const ROWS_MAX: usize = 200_000;
/// Sessions that are looked through for that of a failed request.
const SESSIONS_MAX: usize = 1_000;

/// A statement that ran.
struct TracedRun {
    trace: Option<Trace>,
    /// What it returned, unless it failed.
    answer: Option<Answer>,
    error: Option<String>,
}

impl ExplainArguments {
    /// Explains a session of `system_traces`.
    pub(super) fn explain_session(
        &self,
        session: &str,
        host: &str,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        let Some(id) = Uuid::parse(session) else {
            let message =
                format!("--trace: {session} is no id of a session; leave out --on to read a file");
            return Err(Failure::Stopped(Outcome::BadInput, message));
        };
        let mut connection = self.connect(host)?;
        let Some(trace) = load_trace(&mut connection, TraceId(id.0))? else {
            let message =
                format!("system_traces has no session {session}: traces are kept for a day");
            return Err(Failure::Stopped(Outcome::BadInput, message));
        };
        self.write_traces(&[trace], out)
    }

    fn connect(&self, host: &str) -> Result<Connection, Failure> {
        let options = self.cluster.options(host)?;
        let mut connection = Connection::open(&options).map_err(|error| cluster_failure(&error))?;
        if let Some(keyspace) = &self.keyspace {
            connection.use_keyspace(keyspace).map_err(|error| cluster_failure(&error))?;
        }
        Ok(connection)
    }

    /// Runs a statement with tracing and explains what was foretold and what happened.
    pub(super) fn explain_live(
        &self,
        source: &Source,
        host: &str,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        self.check_allowed(source)?;
        let mut connection = self.connect(host)?;
        let schema = if self.schema.is_empty() {
            SchemaSource::from_text("<cluster>", describe_schema(&mut connection)?)
        } else {
            SchemaSource::from_files(&self.schema)?
        };
        let Some(mut explainer) = self.explainer(schema, out)? else {
            return Ok(Outcome::BadInput);
        };
        let (explanations, _) = explainer.explain_text(source)?;
        let plans: Vec<_> = explanations.iter().map(|explanation| &explanation.plan).collect();
        let sizes = explainer.schema.row_sizes(&explainer.session);
        let mut figures = cluster_figures::read(&mut connection, &plans, &sizes);
        figures.append(&mut explainer.figures);
        explainer.figures = figures;
        let (explanations, refused) = explainer.explain_text(source)?;
        let [explanation] = &*explanations else {
            let format = DiagnosticFormat::from_json_flag(self.json);
            render::write_diagnostics(format, &SourceDiagnostic::list(source, refused), out)?;
            return Ok(Outcome::Findings);
        };
        let run = self.run_traced(&mut connection, source)?;
        self.write_run(explanation, &run, out)?;
        Ok(if run.error.is_some() { Outcome::Findings } else { Outcome::Fine })
    }

    /// Runs a statement with tracing; of the result, one page.
    fn run_traced(
        &self,
        connection: &mut Connection,
        source: &Source,
    ) -> Result<TracedRun, Failure> {
        let before = session::now_ms();
        let page = connection.run_page(&PageRequest {
            cql: &source.text,
            values: None,
            consistency: Consistency::LocalOne,
            serial_consistency: None,
            page_size: Some(self.page_size),
            paging_state: None,
            tracing: true,
        });
        let (id, answer, error) = match page {
            Ok(page) => {
                let cells = page.rows.iter().flatten().flatten();
                let bytes = cells.map(Vec::len).sum();
                let has_more = page.paging_state.is_some();
                (page.trace_id, Some(Answer { rows: page.rows.len(), bytes, has_more }), None)
            }
            // The driver does not tell the id of the trace of a failed request.
            Err(error) => (find_session(connection, &source.text, before), None, Some(error)),
        };
        let trace = id.map(|id| load_trace(connection, id)).transpose()?.flatten();
        Ok(TracedRun { trace, answer, error: error.map(|error| error.to_string()) })
    }

    fn write_run(
        &self,
        explanation: &Explanation,
        run: &TracedRun,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Explanation { statement, plan, forecast, findings } = explanation;
        let analysis = run.trace.as_ref().map(trace::analyse);
        if self.json {
            let traced = run.trace.as_ref().zip(analysis.as_ref());
            let object = serde_json::json!({
                "foretold": access_json::plan(statement, plan, forecast, findings),
                "trace": traced.map(|(trace, analysis)| trace_report::json::object(trace, analysis)),
                "answer": run.answer.map(comparison::object),
                "error": run.error,
            });
            return Ok(writeln!(out, "{object:#}")?);
        }
        access_text::write(statement, plan, (forecast, findings), self.columns(), out)?;
        if let Some(error) = &run.error {
            writeln!(out, "\nthe statement failed: {error}")?;
        }
        let Some((trace, analysis)) = run.trace.as_ref().zip(analysis.as_ref()) else {
            writeln!(out, "\nthe server has written no trace of it")?;
            return Ok(());
        };
        writeln!(out)?;
        trace_report::write(trace, analysis, self.columns(), out)?;
        if let Some(answer) = run.answer {
            writeln!(out)?;
            comparison::write(forecast, analysis, answer, out)?;
        }
        Ok(())
    }

    /// Refuses what would change data, unless it is asked for.
    fn check_allowed(&self, source: &Source) -> Result<(), Failure> {
        let refuse = |message: &str| Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
        let parsed = cql::parse(&source.text);
        let [statement] = &*parsed.statements else {
            return refuse("--on runs one statement");
        };
        match &statement.kind {
            _ if !parsed.errors.is_empty() => Ok(()),
            StatementKind::Select(_) => Ok(()),
            StatementKind::Insert(_)
            | StatementKind::Update(_)
            | StatementKind::Delete(_)
            | StatementKind::Batch(_)
                if !self.execute =>
            {
                refuse("the statement writes: --on runs it only with --execute")
            }
            StatementKind::Insert(_)
            | StatementKind::Update(_)
            | StatementKind::Delete(_)
            | StatementKind::Batch(_) => Ok(()),
            _ => refuse("--on runs SELECT and, with --execute, INSERT, UPDATE, DELETE and BATCH"),
        }
    }
}

/// The schema of a cluster, as its server describes it.
fn describe_schema(connection: &mut Connection) -> Result<String, Failure> {
    let described = connection.run("DESCRIBE SCHEMA", &[]).map_err(|error| {
        let message =
            format!("the server does not describe its schema ({error}); give it with --schema");
        Failure::Stopped(Outcome::EnvironmentFailed, message)
    })?;
    let texts = texts(&described, "create_statement");
    Ok(texts.join("\n"))
}

/// The values of a text column.
fn texts(rows: &ResultSet, name: &str) -> Vec<String> {
    let Some(at) = rows.columns.iter().position(|(column, _)| column == name) else {
        return Vec::new();
    };
    let bytes = rows.rows.iter().filter_map(|row| row.get(at)?.clone());
    bytes.filter_map(|bytes| String::from_utf8(bytes).ok()).collect()
}

/// Reads rows from one node: `system_traces` has two copies, of which a single node has one.
pub(super) fn select(connection: &mut Connection, cql: &str) -> Result<ResultSet, cluster::Error> {
    let mut result = ResultSet::default();
    let mut state: Option<Vec<u8>> = None;
    loop {
        let page = connection.run_page(&PageRequest {
            cql,
            values: None,
            consistency: Consistency::One,
            serial_consistency: None,
            page_size: Some(PAGE_ROWS),
            paging_state: state.as_deref(),
            tracing: false,
        })?;
        let columns = page.columns.unwrap_or_default().into_iter();
        result.columns = columns.map(|column| (column.name, column.ty)).collect();
        result.rows.extend(page.rows);
        state = page.paging_state;
        if state.is_none() || result.rows.len() >= ROWS_MAX {
            return Ok(result);
        }
    }
}

/// The session of a request that failed: the newest of this statement that began since.
fn find_session(connection: &mut Connection, text: &str, since_ms: i64) -> Option<TraceId> {
    let query = format!(
        "SELECT session_id, started_at, parameters FROM system_traces.sessions LIMIT {SESSIONS_MAX}"
    );
    for pause in PATIENCE {
        std::thread::sleep(Duration::from_millis(pause));
        let found = select(connection, &query).ok()?;
        let of = |row: &[Option<Vec<u8>>], at: usize| {
            let (_, ty) = found.columns.get(at)?;
            value::decode(ty, row.get(at)?.as_deref()?).ok()
        };
        let session = found.rows.iter().find_map(|row| {
            let Some(Value::Timestamp(started)) = of(row, 1) else { return None };
            let parameters = cells_of("parameters", &of(row, 2)?);
            let is_statement = |(name, value): &(String, String)| {
                name == "parameters.query" && value.trim() == text.trim()
            };
            // The clock of the server may be behind by some milliseconds.
            let is_new = started + 1_000 >= since_ms;
            match of(row, 0)? {
                Value::Uuid(id) if is_new && parameters.iter().any(is_statement) => Some(id),
                _ => None,
            }
        });
        if let Some(id) = session {
            return Some(TraceId(id.0));
        }
    }
    None
}

/// Reads a trace, as soon as the server has written all of it; `None` if there is none.
fn load_trace(connection: &mut Connection, id: TraceId) -> Result<Option<Trace>, Failure> {
    let mut last: Option<Trace> = None;
    for pause in PATIENCE {
        std::thread::sleep(Duration::from_millis(pause));
        let Some(trace) = read_trace(connection, id)? else { continue };
        let is_stable = last.as_ref().is_some_and(|last| last.events.len() == trace.events.len());
        if trace.duration.is_some() && is_stable {
            return Ok(Some(trace));
        }
        last = Some(trace);
    }
    Ok(last)
}

fn read_trace(connection: &mut Connection, id: TraceId) -> Result<Option<Trace>, Failure> {
    let mut rows = Vec::new();
    for table in ["sessions", "events"] {
        let query = format!("SELECT * FROM system_traces.{table} WHERE session_id = {id}");
        let found = select(connection, &query).map_err(|error| cluster_failure(&error))?;
        for row in &found.rows {
            let named = found.columns.iter().zip(row);
            let cells = named.flat_map(|((name, ty), bytes)| {
                let value = bytes.as_deref().and_then(|bytes| value::decode(ty, bytes).ok());
                value.map(|value| cells_of(name, &value)).unwrap_or_default()
            });
            rows.push(cells.collect::<Vec<_>>());
        }
    }
    Ok(trace::from_rows(rows).into_iter().next())
}

/// A value as texts: a map gives a cell for each entry that the trace keeps.
fn cells_of(name: &str, value: &Value) -> Vec<(String, String)> {
    let one = |text: String| vec![(name.to_owned(), text)];
    match value {
        Value::Text(text) | Value::Ascii(text) => one(text.clone()),
        Value::Int(number) => one(number.to_string()),
        Value::Inet(address) => one(address.to_string()),
        Value::Uuid(id) | Value::Timeuuid(id) => one(TraceId(id.0).to_string()),
        Value::Map(entries) => entries
            .iter()
            .filter_map(|entry| match entry {
                (Value::Text(name), Value::Text(text)) => {
                    Some((format!("parameters.{name}"), text.clone()))
                }
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
