//! The tool `explain`: how Cassandra would run a statement, and how much it would read.

use serde_json::json;
use std::fmt::Write as _;

use super::model_input::{self, count};
use super::tool::{OFFSET, ParameterKind, ToolCall, ToolEntry, ToolParameter};
use crate::cli::explain::{Explainer, Explanation, SchemaSource};
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefItem, BriefSection};
use crate::render::{access_json, access_text, forecast_text};
use crate::source::Source;
use crate::workspace::file_walk::FileSelection;

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "explain",
    title: "Explain a CQL statement",
    description: "Explains how Cassandra would run CQL statements before they run: partitions and rows read, index, filtering, order, and a verdict with the limit that decides. Needs the schema, as `schema` files or `schema_text`; volumes in its comments (`-- @rows 10M` above CREATE TABLE) or in a model give the figures.",
    parameters: &[&[
        ToolParameter::new(
            "statement",
            ParameterKind::Text,
            "One CQL statement or several; bind markers (? or :name) are allowed.",
        )
        .mandatory(),
        ToolParameter::new(
            "schema",
            ParameterKind::Texts,
            "Schema files or directories of .cql below the project's root.",
        ),
        ToolParameter::new(
            "schema_text",
            ParameterKind::Text,
            "The schema as CQL, instead of files.",
        ),
        ToolParameter::new(
            "model",
            ParameterKind::Text,
            "Model file (.sql) below the project's root whose volumes apply to its designed tables.",
        ),
        ToolParameter::new("keyspace", ParameterKind::Text, "Current keyspace."),
        OFFSET,
    ]],
    run,
};

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    let arguments = &call.arguments;
    let schema = read_schema(call)?;
    let keyspace = arguments.text("keyspace").map(str::to_owned);
    let mut explainer = Explainer::new(schema, keyspace)?;
    if let Some(path) = arguments.text("model") {
        let paths = call.root.resolve_all(&[path], FileSelection::Sql)?;
        let sources = crate::workspace::model_file::read_sources(&paths, None)?;
        match model_input::read_model(&sources) {
            Ok(file) => explainer.add_model(file),
            Err(answer) => return Ok(*answer),
        }
    }
    let text = arguments.text("statement").unwrap_or_default();
    let source = Source::new("<statement>", text.to_owned());
    let (explanations, refused) = explainer.explain_text(&source)?;
    if explanations.is_empty() && refused.is_empty() {
        let message = "`statement` contains no CQL statement".to_owned();
        return Err(Failure::Stopped(Outcome::BadInput, message));
    }
    let is_error = !refused.is_empty();
    let refused: Vec<BriefItem> =
        refused.iter().map(|it| model_input::diagnostic_item(&source, it)).collect();
    let verdicts: Vec<_> = explanations.iter().map(|it| it.forecast.verdict()).collect();
    let headline = match (refused.len(), explanations.as_slice()) {
        (0, [only]) => format!("verdict: {}", forecast_text::verdict(&only.forecast)),
        (0, several) => count(several.len(), "statement"),
        (number, _) => format!("Cassandra would refuse {}", count(number, "statement")),
    };
    let mut next = Vec::new();
    if is_error {
        next.push("Correct the refused statements and explain again.".to_owned());
    }
    if verdicts.iter().any(Option::is_none) {
        next.push("State volumes for figures: `-- @rows 10M` and `-- @each 50 p99 2k max 200k` above CREATE TABLE in schema_text, or a model.".to_owned());
    }
    if explanations.iter().any(|it| !it.findings.is_empty()) {
        next.push(
            "`rule` explains the codes; design derives tables for a query that none serves."
                .to_owned(),
        );
    }
    let items = explanations.iter().map(explanation_item).collect();
    Ok(Brief {
        headline,
        sections: vec![
            BriefSection::new("refused", refused, 10, "correct the first ones"),
            BriefSection::new("plans", items, usize::MAX, "call explain with offset {}"),
        ],
        next,
        is_error,
        ..Brief::default()
    })
}

fn read_schema(call: &ToolCall<'_>) -> Result<SchemaSource, Failure> {
    let paths = call.root.resolve_all(&call.arguments.texts("schema"), FileSelection::Cql)?;
    match call.arguments.text("schema_text") {
        Some(text) if paths.is_empty() => {
            Ok(SchemaSource::from_text("<schema_text>", text.to_owned()))
        }
        None if !paths.is_empty() => SchemaSource::from_files(&paths),
        _ => {
            let message = "the schema is needed: name `schema` files below the project's root or pass a `schema_text` with CREATE TABLE statements, not both";
            Err(Failure::Stopped(Outcome::BadInput, message.to_owned()))
        }
    }
}

fn explanation_item(explanation: &Explanation) -> BriefItem {
    let Explanation { statement, plan, forecast, findings } = explanation;
    let mut text = access_text::plan_text(statement, plan);
    for (label, line) in forecast_text::lines(forecast) {
        let _ = writeln!(text, "  {label:<11} {line}");
    }
    for finding in findings {
        let _ = writeln!(
            text,
            "  {}: {} ({})",
            finding.rule.code,
            finding.message,
            finding.severity.word()
        );
        for line in finding.help.iter().flat_map(|help| help.lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
    let mut data = access_json::plan(statement, plan, forecast, findings);
    if let Some(path) = data["path"].as_object_mut() {
        // The statement says it.
        for name in ["columns", "aggregates", "distinct"] {
            path.remove(name);
        }
    }
    data["verdict"] = json!(forecast_text::verdict(forecast));
    BriefItem { data, text }
}
