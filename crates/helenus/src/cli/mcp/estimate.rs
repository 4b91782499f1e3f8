//! The tool `estimate`: the sizes of partitions, today and as they grow.

use design::Options;
use design::estimate::{Estimate, crossings, estimate_tables};
use model::concept::Concept;
use model::figures;
use model::plan::{PlannedTable, Quantiles};
use model::workload::Workload;
use serde_json::json;
use std::fmt::Write as _;

use super::model_input::{self, MODEL_PARAMETERS, count, figure};
use super::tool::{OFFSET, ParameterKind, ToolCall, ToolEntry, ToolParameter};
use crate::cli::design::design_model;
use crate::cli::option_values;
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefItem, BriefSection};
use crate::source::Source;
use crate::workspace::file_walk::{self, FileSelection};
use crate::workspace::schema_file::{self, LoadedSchema};
use crate::workspace::text_file;

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "estimate",
    title: "Estimate partition sizes",
    description: "Estimates rows and bytes per partition today and later, at p50, p99.9 and the largest, and when each limit is exceeded. For a model (.sql), whose tables are designed first, or for a CQL schema with volumes in its comments (`-- @rows 5M`, `-- @each 3/day p99 100/day`, `-- @retain 90d` above CREATE TABLE).",
    parameters: &[
        MODEL_PARAMETERS,
        &[
            ToolParameter::new(
                "schema",
                ParameterKind::Text,
                "One CQL schema file below the project's root, instead of a model.",
            ),
            ToolParameter::new(
                "schema_text",
                ParameterKind::Text,
                "A CQL schema with volumes in its comments, instead of a model.",
            ),
            ToolParameter::new("table", ParameterKind::Text, "Estimate only this table."),
            ToolParameter::new(
                "at",
                ParameterKind::Texts,
                "Times ahead, such as 6months or 3years; 1 and 5 years by default.",
            ),
            OFFSET,
        ],
    ],
    run,
};

/// The times ahead, without the argument `at`.
const DEFAULT_YEARS: [f64; 2] = [1.0, 5.0];

/// The tables to estimate, with the volumes that they depend on.
struct SizedTables {
    concept: Concept,
    workload: Workload,
    tables: Vec<PlannedTable>,
    assumed: Vec<String>,
}

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    let arguments = &call.arguments;
    let options = Options::default();
    let subject = match read_subject(call, &options)? {
        Ok(subject) => subject,
        Err(answer) => return Ok(*answer),
    };
    let SizedTables { concept, workload, tables, assumed } = &subject;
    let mut estimates = estimate_tables(concept, workload, &options, tables);
    if let Some(name) = arguments.text("table") {
        estimates.retain(|estimate| estimate.table.name == name);
        if estimates.is_empty() {
            let names = tables.iter().map(|table| table.name.as_str());
            let hint = cql::spelling::hint(cql::spelling::find_nearest(name, names));
            let message = format!("unknown table {name}{hint}");
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
    }
    let dates = read_dates(call)?;
    let exceeded = estimates.iter().filter(|estimate| estimate.exceeds).count();
    let headline = format!(
        "{}: {}",
        count(estimates.len(), "table"),
        match exceeded {
            0 => "all partitions stay within 100 MB and 300,000 rows at p99.9".to_owned(),
            number => format!("partitions of {number} exceed 100 MB or 300,000 rows at p99.9"),
        }
    );
    let mut next = Vec::new();
    if !assumed.is_empty() {
        next.push("The figures rest on assumptions: state what is known (`-- @rows`, `-- @each`, `-- @retain`) and estimate again.".to_owned());
    }
    if exceeded > 0 {
        next.push("Add a time bucket or shards to the partition key of the tables that exceed the limits; design does this for a model.".to_owned());
    }
    let items = estimates.iter().map(|estimate| estimate_item(estimate, &dates)).collect();
    let assumptions = assumed
        .iter()
        .map(|text| BriefItem { data: json!(text), text: format!("- {text}") })
        .collect();
    Ok(Brief {
        headline,
        sections: vec![
            BriefSection::new(
                "tables",
                items,
                usize::MAX,
                "call estimate with offset {}, or with table",
            ),
            BriefSection::new(
                "assumptions",
                assumptions,
                8,
                "design with view assumptions ranks them",
            ),
        ],
        next,
        ..Brief::default()
    })
}

/// The tables of a schema, or of the design of a model; an answer with the errors if there are some.
fn read_subject(
    call: &ToolCall<'_>,
    options: &Options,
) -> Result<Result<SizedTables, Box<Brief>>, Failure> {
    let arguments = &call.arguments;
    let source = match (arguments.text("schema"), arguments.text("schema_text")) {
        (Some(path), _) => {
            let paths = call.root.resolve_all(&[path], FileSelection::Cql)?;
            let files = file_walk::list_files(&paths, FileSelection::Cql)?;
            let [file] = files.as_slice() else {
                let message = "`schema` must be one file".to_owned();
                return Err(Failure::Stopped(Outcome::BadInput, message));
            };
            text_file::read(file)?.source
        }
        (None, Some(text)) => Source::new("<schema_text>", text.to_owned()),
        (None, None) => return read_design(call, options),
    };
    read_schema(&source)
}

fn read_design(
    call: &ToolCall<'_>,
    options: &Options,
) -> Result<Result<SizedTables, Box<Brief>>, Failure> {
    let sources = model_input::read_sources(call.root, &call.arguments)?;
    let file = match model_input::read_model(&sources) {
        Ok(file) => file,
        Err(answer) => return Ok(Err(answer)),
    };
    let designed = design_model(&file, options)?;
    let assumed = file.assumptions.iter().map(|it| it.topic.to_string()).collect();
    let (concept, workload, tables) = (file.concept, file.workload, designed.tables);
    Ok(Ok(SizedTables { concept, workload, tables, assumed }))
}

fn read_schema(source: &Source) -> Result<Result<SizedTables, Box<Brief>>, Failure> {
    let LoadedSchema { parsed, catalog, mut errors } = schema_file::read(source)?;
    let file = match model::schema_file::read(&source.text, &parsed, &catalog) {
        Ok(file) if errors.is_empty() => file,
        read => {
            errors.extend(read.err().into_iter().flatten());
            let items = errors.iter().map(|it| model_input::diagnostic_item(source, it)).collect();
            return Ok(Err(Box::new(Brief {
                headline: "the schema has errors".to_owned(),
                sections: vec![BriefSection::new("errors", items, 20, "correct the first ones")],
                next: vec!["Correct the schema and call again.".to_owned()],
                is_error: true,
                ..Brief::default()
            })));
        }
    };
    if file.tables.is_empty() {
        return Err(schema_file::no_table(source));
    }
    let assumed = file.assumptions.iter().map(|it| it.topic.to_string()).collect();
    let (concept, tables) = (file.concept, file.tables);
    Ok(Ok(SizedTables { concept, workload: Workload::default(), tables, assumed }))
}

/// The times of `at` in days, today first.
fn read_dates(call: &ToolCall<'_>) -> Result<Vec<f64>, Failure> {
    let given = call.arguments.texts("at").into_iter().map(option_values::days);
    let given = given
        .collect::<Result<Vec<f64>, String>>()
        .map_err(|message| Failure::Stopped(Outcome::BadInput, format!("`at`: {message}")))?;
    let mut dates = if given.is_empty() {
        DEFAULT_YEARS.map(|years| years * design::estimate::YEAR).to_vec()
    } else {
        given
    };
    dates.push(0.0);
    dates.sort_by(f64::total_cmp);
    dates.dedup();
    Ok(dates)
}

fn estimate_item(estimate: &Estimate, dates: &[f64]) -> BriefItem {
    let name = &estimate.table.name;
    let key = design::create_statements::primary_key(&estimate.table);
    let mut text = format!("- {name}, PRIMARY KEY {key}");
    let mut sizes = Vec::new();
    for days in dates {
        let (rows, bytes) = estimate.size_after(*days);
        let when = if *days > 0.0 {
            format!("in {}", figures::format_time_ahead(*days))
        } else {
            "today".to_owned()
        };
        let part = |pick: fn(Quantiles) -> f64| {
            format!(
                "{}, {}",
                figures::pluralise(pick(rows), "row"),
                figures::format_bytes(pick(bytes))
            )
        };
        let _ = write!(
            text,
            "\n  {when}: p50 {}; p99.9 {}; largest {}",
            part(|it| it.p50),
            part(|it| it.p999),
            part(|it| it.max)
        );
        let numbers = |it: Quantiles| json!({ "p50": figure(it.p50), "p999": figure(it.p999), "max": figure(it.max) });
        sizes.push(json!({ "days": figure(*days), "rows": numbers(rows), "bytes": numbers(bytes.map(f64::round)) }));
    }
    let mut limits = Vec::new();
    for crossing in crossings(estimate) {
        let Some(days) = crossing.p999 else { continue };
        let when = if days <= 0.0 {
            "today".to_owned()
        } else {
            format!("in {}", figures::format_days(days))
        };
        let _ = write!(text, "\n  exceeds {} {when} (p99.9)", crossing.limit.name);
        limits.push(json!({ "limit": crossing.limit.name, "days_until_p999": figure(days) }));
    }
    if limits.is_empty() {
        text.push_str("\n  exceeds no limit");
    }
    let data = json!({
        "name": name,
        "primary_key": key,
        "row_bytes": figure(estimate.table.volume.row_bytes),
        "exceeds_limits": estimate.exceeds,
        "retention_days": estimate.retain_days.map(figure),
        "sizes": sizes,
        "limits_exceeded": limits,
    });
    BriefItem { data, text }
}
