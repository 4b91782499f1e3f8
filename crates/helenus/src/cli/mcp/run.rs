//! The tool `run`: CQL statements on an engine in memory that is thrown away.

use cql::StatementKind;
use engine::{Database, ExecutionResult, Options, Parameters, ResultMessage, ResultSet, Session};
use model::figures;
use serde_json::{Value, json};
use shell::script::{self, ScriptItem, split_script};
use std::fmt::Write as _;

use super::model_input::{self, count};
use super::tool::{OFFSET, ParameterKind, ToolCall, ToolEntry, ToolParameter};
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefItem, BriefSection, shorten};
use crate::script_run::refusal_diagnostic;
use crate::source::Source;
use crate::workspace::file_walk::{self, FileSelection};
use crate::workspace::text_file;

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "run",
    title: "Run CQL",
    description: "Runs CQL statements as Apache Cassandra 5.0 would, on an engine in memory that exists only for this call: try a schema with sample rows, see what a query returns or why Cassandra refuses it. Stops at the first refused statement. Without CREATE KEYSPACE or USE, statements run in a keyspace `ks`.",
    parameters: &[&[
        ToolParameter::new("text", ParameterKind::Text, "CQL statements, separated by semicolons."),
        ToolParameter::new(
            "files",
            ParameterKind::Texts,
            "Files or directories of .cql below the project's root, run before the text: a schema, for example.",
        ),
        ToolParameter::new(
            "rows",
            ParameterKind::Number(1_000),
            "Rows shown of each result; 20 by default.",
        ),
        OFFSET,
    ]],
    run,
};

/// The rows shown of a result.
const ROWS_SHOWN: usize = 20;
/// The part of a statement that is repeated.
const STATEMENT_BYTES_MAX: usize = 160;
/// The memory of the tables, wherever the process is not watched from outside.
const ENGINE_BYTES_MAX: u64 = 256 << 20;
/// The keyspace of statements that name none.
const KEYSPACE: &str =
    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    let sources = read_sources(call)?;
    let options = Options { memory_limit: Some(ENGINE_BYTES_MAX), ..Options::default() };
    let database = Database::open(options).map_err(Failure::database)?;
    let mut run = ScriptRun {
        session: database.superuser_session().map_err(Failure::database)?,
        rows_most: call.arguments.number("rows").unwrap_or(ROWS_SHOWN),
        results: Vec::new(),
        done: 0,
    };
    if !sources.iter().any(has_keyspace) {
        run.session.query(KEYSPACE, &Parameters::default()).map_err(Failure::database)?;
        run.session.set_keyspace("ks");
    }
    for source in &sources {
        for piece in split_script(&source.text) {
            if let Err(refused) = run.perform(source, &piece) {
                return Ok(run.describe(Some(refused)));
            }
        }
    }
    Ok(run.describe(None))
}

/// The texts to run.
fn read_sources(call: &ToolCall<'_>) -> Result<Vec<Source>, Failure> {
    let paths = call.root.resolve_all(&call.arguments.texts("files"), FileSelection::Cql)?;
    let files = file_walk::list_files(&paths, FileSelection::Cql)?;
    let mut sources = files
        .iter()
        .map(|path| Ok(text_file::read(path)?.source))
        .collect::<Result<Vec<_>, Failure>>()?;
    sources.extend(call.arguments.text("text").map(|text| Source::new("<text>", text.to_owned())));
    if sources.is_empty() {
        let message = "pass a `text` with CQL statements, or `files` below the project's root";
        return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
    }
    Ok(sources)
}

/// Whether a text names its keyspace.
fn has_keyspace(source: &Source) -> bool {
    cql::parse(&source.text).statements.iter().any(|statement| {
        matches!(statement.kind, StatementKind::CreateKeyspace(_) | StatementKind::Use(_))
    })
}

/// The statements that ran, with their results.
struct ScriptRun {
    session: Session,
    rows_most: usize,
    results: Vec<BriefItem>,
    done: usize,
}

impl ScriptRun {
    /// Runs a statement; fails with what is wrong with it.
    fn perform(&mut self, source: &Source, piece: &ScriptItem<'_>) -> Result<(), BriefItem> {
        if let Some(command) = script::find_command(piece.text) {
            let message = format!(
                "{command} is a command of cqlsh, not a statement; this tool runs statements only"
            );
            return Err(BriefItem {
                data: json!({ "file": source.name, "message": message }),
                text: format!("- {message}"),
            });
        }
        let parameters = Parameters::default();
        let result = self.session.query(piece.text, &parameters).map_err(|error| {
            let code = format!("0x{:04X}", error.code.number());
            let diagnostic = refusal_diagnostic(piece, error);
            let mut item = model_input::diagnostic_item(source, &diagnostic);
            item.data["server_code"] = code.into();
            item
        })?;
        self.done += 1;
        self.record(piece.text, &result);
        Ok(())
    }

    /// Keeps a result that has rows or warnings.
    fn record(&mut self, statement: &str, result: &ExecutionResult) {
        let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        let statement = shorten(&statement, STATEMENT_BYTES_MAX);
        let mut data = json!({ "statement": statement });
        let mut text = format!("> {statement}");
        if let ResultMessage::Rows(rows) = &result.outcome {
            let shown = self.show_rows(rows);
            let has_more = rows.paging_state.is_some();
            let least = if has_more { "at least " } else { "" };
            let total = figures::pluralise(rows.count as f64, "row");
            let _ = write!(text, "\n{least}{total}");
            for row in &shown {
                text.push('\n');
                text.push_str(row);
            }
            if shown.len() < rows.count || has_more {
                text.push_str("\n(further rows are left out: add LIMIT, or pass `rows`)");
            }
            let values = shown.iter().map(|row| serde_json::from_str(row).unwrap_or(Value::Null));
            data["rows"] = values.collect();
            data["row_count"] = rows.count.into();
            data["has_more_rows"] = has_more.into();
        } else if result.warnings.is_empty() {
            return;
        }
        if !result.warnings.is_empty() {
            let _ = write!(text, "\nwarnings: {}", result.warnings.join("; "));
            data["warnings"] = json!(result.warnings);
        }
        self.results.push(BriefItem { data, text });
    }

    /// The first rows, as JSON objects.
    fn show_rows(&self, rows: &ResultSet) -> Vec<String> {
        let row_text = |row: Vec<Option<&[u8]>>| {
            let mut object = "{".to_owned();
            for (at, (column, value)) in rows.columns.iter().zip(row).enumerate() {
                let comma = if at == 0 { "" } else { "," };
                object.extend([comma, &json!(column.name).to_string(), ":"]);
                engine::function::to_json(&column.ty, value, &mut object);
            }
            object.push('}');
            object
        };
        rows.iter().take(self.rows_most).map(row_text).collect()
    }

    /// The answer, with the statement that was refused.
    fn describe(self, refused: Option<BriefItem>) -> Brief {
        let done = count(self.done, "statement");
        let (headline, next) = match &refused {
            None => (format!("{done} ran"), Vec::new()),
            Some(_) => (
                format!("{done} ran, then one was refused"),
                vec![
                    "Correct the statement and run all of them again: nothing was kept.".to_owned(),
                ],
            ),
        };
        let is_error = refused.is_some();
        Brief {
            headline,
            sections: vec![
                BriefSection::new("refused", refused.into_iter().collect(), 1, ""),
                BriefSection::new("results", self.results, usize::MAX, "call run with offset {}"),
            ],
            next,
            is_error,
            ..Brief::default()
        }
    }
}
