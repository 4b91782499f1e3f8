//! The model that a tool works on: files below the root, a text of the call, or both.

use std::path::Path;

use cql::Diagnostic;
use design::{Limits, Options, SearchOptions, Target};
use model::sql::ModelFile;
use serde_json::{Value, json};

use super::project_root::ProjectRoot;
use super::tool::{ParameterKind, ToolArguments, ToolParameter};
use crate::cli::option_values::{self, TargetName};
use crate::model_sources::ModelSources;
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefItem, BriefSection, shorten};
use crate::source::Source;
use crate::workspace::file_walk::{self, FileSelection};
use crate::workspace::{model_file, text_file};

/// The name of a text of the call.
const INLINE_NAME: &str = "model";
/// The errors of a model that are shown.
const ERRORS_SHOWN: usize = 20;
/// The characters of a line that is quoted.
const LINE_BYTES_MAX: usize = 160;

/// The parameters that name a model.
pub(super) const MODEL_PARAMETERS: &[ToolParameter] = &[
    ToolParameter::new(
        "files",
        ParameterKind::Texts,
        "Model files: paths of .sql files or directories below the project's root. CREATE TABLE statements, queries named by `-- name: X :many`, volumes in comments such as `-- @rows 10M`; the resource helenus://docs/model describes them.",
    ),
    ToolParameter::new(
        "text",
        ParameterKind::Text,
        "The text of a model, instead of files or behind them (a dump from a file, its queries inline).",
    ),
];

/// The parameters of a design.
pub(super) const DESIGN_PARAMETERS: &[ToolParameter] = &[
    ToolParameter::new(
        "max_partition",
        ParameterKind::Text,
        "Largest partition at p99.9, such as 100MB (the default).",
    ),
    ToolParameter::new(
        "max_rows",
        ParameterKind::Text,
        "Most rows of a partition at p99.9, such as 300k (the default).",
    ),
    ToolParameter::new("max_tables", ParameterKind::Number(1_000), "Most tables of the design."),
    ToolParameter::new(
        "rules_only",
        ParameterKind::Flag,
        "Apply the mapping rules only: one table per query, without a search.",
    ),
    ToolParameter::new("allow_views", ParameterKind::Flag, "Allow materialized views."),
    ToolParameter::new(
        "target",
        ParameterKind::Word(&["cassandra-5.0", "cassandra-4.1", "scylla"]),
        "Database that the design is for; cassandra-5.0 by default.",
    ),
];

/// Reads the texts of a model.
pub(super) fn read_sources(
    root: &ProjectRoot,
    arguments: &ToolArguments,
) -> Result<ModelSources, Failure> {
    let paths = root.resolve_all(&arguments.texts("files"), FileSelection::Sql)?;
    let text = arguments.text("text");
    if paths.is_empty() && text.is_none() {
        let message = "a model is needed: name `files` below the project's root, or pass a `text` with CREATE TABLE statements and named queries";
        return Err(Failure::Stopped(Outcome::BadInput, message.to_owned()));
    }
    let stem = paths.first().and_then(|path| Path::new(path).file_stem());
    let name = stem.map_or_else(|| INLINE_NAME.into(), |stem| stem.to_string_lossy());
    let mut sources = ModelSources::new(name.into_owned());
    for path in file_walk::list_files(&paths, FileSelection::Sql)? {
        sources.add(text_file::read(&path)?.source);
    }
    if let Some(text) = text {
        sources.add(Source::new("<text>", text.to_owned()));
    }
    Ok(sources)
}

/// Reads a model; an answer with its errors if it has some.
pub(super) fn read_model(sources: &ModelSources) -> Result<ModelFile, Box<Brief>> {
    model_file::parse(sources).map_err(|errors| Box::new(describe_errors(sources, errors)))
}

/// The answer about a model with errors.
fn describe_errors(sources: &ModelSources, errors: Vec<Diagnostic>) -> Brief {
    let items: Vec<BriefItem> = sources
        .locate_diagnostics(errors)
        .iter()
        .map(|located| diagnostic_item(located.source, &located.diagnostic))
        .collect();
    let headline = format!("the model has {}", count(items.len(), "error"));
    let section = BriefSection::new("errors", items, ERRORS_SHOWN, "correct the first ones");
    Brief {
        headline,
        sections: vec![section],
        next: vec![
            "Correct the model and call again; `rule` explains a code such as MF213, the resource helenus://docs/model the language.".to_owned(),
        ],
        is_error: true,
        ..Brief::default()
    }
}

/// A diagnostic with its line.
pub(super) fn diagnostic_item(source: &Source, diagnostic: &Diagnostic) -> BriefItem {
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    let place = source.line_column(start);
    let (_, _, line) = source.lines(start, end, 1);
    let line = shorten(line.trim(), LINE_BYTES_MAX);
    let mut text = format!(
        "- {}:{}:{} {}: {}\n  {line}",
        source.name, place.line, place.column, diagnostic.rule, diagnostic.message
    );
    if let Some(help) = &diagnostic.help {
        text.push_str("\n  help: ");
        text.push_str(help);
    }
    let data = json!({
        "code": diagnostic.rule,
        "file": source.name,
        "line": place.line,
        "column": place.column,
        "message": diagnostic.message,
        "help": diagnostic.help,
        "at": line,
    });
    BriefItem { data, text }
}

/// The options of a design.
pub(super) fn read_options(arguments: &ToolArguments) -> Result<Options, Failure> {
    let wrong = |name: &str, message: String| {
        Failure::Stopped(Outcome::BadInput, format!("`{name}`: {message}"))
    };
    let mut limits = Limits::default();
    if let Some(text) = arguments.text("max_partition") {
        limits.partition_bytes =
            option_values::bytes(text).map_err(|it| wrong("max_partition", it))?;
    }
    if let Some(text) = arguments.text("max_rows") {
        limits.partition_rows = option_values::count(text).map_err(|it| wrong("max_rows", it))?;
    }
    let target = match arguments.text("target") {
        Some("scylla") => TargetName::Scylla,
        Some("cassandra-4.1") => TargetName::Cassandra41,
        _ => TargetName::Cassandra50,
    };
    Ok(Options {
        limits,
        target: Target::from(target),
        rules_only: arguments.has_flag("rules_only"),
        search: SearchOptions {
            enabled: true,
            explain: false,
            allow_views: arguments.has_flag("allow_views"),
            tables_most: arguments.number("max_tables").filter(|most| *most > 0),
            ..SearchOptions::default()
        },
        ..Options::default()
    })
}

/// `1 table`, `3 tables`, `2 queries`.
pub(super) fn count(number: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == 1 => format!("1 {noun}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {noun}s"),
    }
}

/// A number rounded to three decimals.
pub(super) fn figure(number: f64) -> Value {
    let rounded = (number * 1e3).round() / 1e3;
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        json!(format!("{rounded:.0}").parse::<i64>().unwrap_or_default())
    } else {
        json!(rounded)
    }
}
