//! The tool `check`: what Cassandra would refuse, and what will cause problems in production.

use std::fmt::Write as _;
use std::path::PathBuf;

use check::{Finding, Fix, FixKind, Severity, TextKind};
use serde_json::{Value, json};

use super::model_input::count;
use super::tool::{OFFSET, ParameterKind, ToolCall, ToolEntry, ToolParameter};
use crate::outcome::{Failure, Outcome};
use crate::render::brief::{Brief, BriefItem, BriefSection, shorten};
use crate::source::Source;
use crate::workspace::choices::Choices;
use crate::workspace::config::{self, Config};
use crate::workspace::file_walk::FileSelection;
use crate::workspace::inputs::{Input, InputSources, Inputs};
use crate::workspace::{self, ProjectArguments, check_inputs};

pub(super) const TOOL: ToolEntry = ToolEntry {
    name: "check",
    title: "Check CQL",
    description: "Checks CQL schemas and statements: what Cassandra would refuse, with its own message, and what will cause problems in production, each with a code, the reason and a fix. Pass `files` below the project's root (also source code that contains CQL), a `text`, or both. Without either, the paths of the project's helenus.toml are checked.",
    parameters: &[&[
        ToolParameter::new(
            "files",
            ParameterKind::Texts,
            "Files or directories below the project's root.",
        ),
        ToolParameter::new(
            "text",
            ParameterKind::Text,
            "CQL to check: a schema, statements, or both. Bind markers (? or :name) are allowed.",
        ),
        ToolParameter::new(
            "schema",
            ParameterKind::Texts,
            "Schema files that the text uses, not checked themselves.",
        ),
        ToolParameter::new(
            "keyspace",
            ParameterKind::Text,
            "Current keyspace, if no statement creates or uses one.",
        ),
        ToolParameter::new(
            "target",
            ParameterKind::Word(&[
                "apache-5.0",
                "apache-4.1",
                "apache-4.0",
                "apache-3.11",
                "dse",
                "astra",
                "scylla",
                "keyspaces",
            ]),
            "Database that the schema is for.",
        ),
        ToolParameter::new(
            "min_severity",
            ParameterKind::Word(&["info", "low", "medium", "high", "critical", "error"]),
            "Least severity that is reported; low by default.",
        ),
        OFFSET,
    ]],
    run,
};

/// The name of a text of the call.
const INLINE_NAME: &str = "<text>";
/// The part of a line that is quoted.
const LINE_BYTES_MAX: usize = 160;
/// The notes that are shown of a finding.
const NOTES_SHOWN: usize = 2;

fn run(call: &ToolCall<'_>) -> Result<Brief, Failure> {
    let choices = read_choices(call)?;
    let (inputs, parsed) = read_inputs(call, &choices);
    let mut checked = check_inputs(&inputs, parsed, &choices)?;
    checked.findings.retain(|finding| finding.severity >= choices.min_severity);
    checked.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let sources: Vec<&Source> = inputs.all.iter().map(|input| &input.source).collect();
    let findings: Vec<BriefItem> =
        checked.findings.iter().map(|finding| finding_item(&sources, finding)).collect();
    let problems = inputs.problems.iter().map(|problem| BriefItem {
        data: json!({ "file": problem.file, "message": problem.message }),
        text: format!("- {} {}", problem.file, problem.message),
    });
    let problems: Vec<BriefItem> = problems.collect();
    let mut counts: Vec<String> = Vec::new();
    for severity in Severity::ALL.into_iter().rev() {
        let number = checked.findings.iter().filter(|it| it.severity == severity).count();
        counts.extend((number > 0).then(|| format!("{number} {}", severity.word())));
    }
    let found = if counts.is_empty() { "no findings".to_owned() } else { counts.join(", ") };
    let headline = format!("{}: {found}", count(checked.statements, "statement"));
    let next = list_next(&checked.findings, checked.statements);
    Ok(Brief {
        headline,
        sections: vec![
            BriefSection::new("unread_files", problems, 10, "check fewer files"),
            BriefSection::new("findings", findings, usize::MAX, "call check with offset {}"),
        ],
        next,
        ..Brief::default()
    })
}

/// The settings: those of the call, else of `helenus.toml` at the root.
fn read_choices(call: &ToolCall<'_>) -> Result<Choices, Failure> {
    let arguments = &call.arguments;
    let refuse = |name: &str, message: String| {
        Failure::Stopped(Outcome::BadInput, format!("`{name}`: {message}"))
    };
    let mut paths =
        call.root.resolve_all(&arguments.texts("files"), FileSelection::CqlAndPrograms)?;
    let is_inline = arguments.text("text").is_some();
    if is_inline && paths.is_empty() {
        // The text is not a path; it keeps the configured paths out.
        paths.push(PathBuf::from("-"));
    }
    let target = arguments.text("target").map(workspace::target).transpose();
    let severity = arguments.text("min_severity").map(workspace::severity).transpose();
    let project = ProjectArguments {
        paths,
        schema: call.root.resolve_all(&arguments.texts("schema"), FileSelection::Cql)?,
        keyspace: arguments.text("keyspace").map(str::to_owned).into_iter().collect(),
        target: target.map_err(|it| refuse("target", it))?,
        min_severity: severity.map_err(|it| refuse("min_severity", it))?,
        ..ProjectArguments::default()
    };
    let config = PathBuf::from(config::FILE_NAME);
    if !config.is_file() {
        return Choices::from_arguments_only(&project);
    }
    // Nothing that the configuration names outside of the root is read.
    call.root.resolve(config::FILE_NAME)?;
    call.root.check_paths(Config::read(&config)?.list_paths())?;
    Choices::from_arguments(&ProjectArguments { config: Some(config), ..project })
}

/// The files, with the text of the call behind them.
fn read_inputs(call: &ToolCall<'_>, choices: &Choices) -> (Inputs, Vec<cql::ParsedSource>) {
    let text = call.arguments.text("text");
    let mut paths = choices.paths.clone();
    paths.retain(|path| text.is_none() || path.as_os_str() != "-");
    let (mut inputs, parsed) = Inputs::read(&InputSources {
        schema: &choices.schema,
        paths: &paths,
        migrations: false,
        programs: choices.programs,
        options: choices.parse_options(),
    });
    let Some(text) = text else { return (inputs, parsed) };
    let input = Input::new(INLINE_NAME.to_owned(), text.to_owned(), TextKind::Cql);
    let own = input.parse(choices.parse_options());
    let problems = std::mem::take(&mut inputs.problems);
    let all = inputs.all.into_iter().zip(parsed).chain([(input, own)]).collect();
    let (mut inputs, parsed) = Inputs::from_texts(all);
    inputs.problems = problems;
    (inputs, parsed)
}

fn finding_item(sources: &[&Source], finding: &Finding) -> BriefItem {
    let source = sources.get(finding.place.text);
    let span = finding.place.span;
    let place = source.map(|source| source.line_column(span.start as usize));
    let name = source.map_or("", |source| source.name.as_str());
    let (line, column) = place.map_or((1, 1), |place| (place.line, place.column));
    let quoted = source.map(|source| source.lines(span.start as usize, span.end as usize, 1).2);
    let quoted = shorten(quoted.unwrap_or_default().trim(), LINE_BYTES_MAX);
    let notes: Vec<&String> = finding.notes.iter().take(NOTES_SHOWN).collect();
    let mut text = format!(
        "- {name}:{line}:{column} {} ({}): {}\n  {quoted}",
        finding.rule.code,
        finding.severity.word(),
        finding.message
    );
    for note in &notes {
        let _ = write!(text, "\n  note: {note}");
    }
    match (&finding.fix, &finding.help) {
        (Some(fix), _) => {
            let _ = write!(text, "\n  fix: {}", fix_text(fix));
        }
        (None, Some(help)) => {
            let _ = write!(text, "\n  help: {help}");
        }
        (None, None) => {}
    }
    let data = json!({
        "code": finding.rule.code,
        "severity": finding.severity.word(),
        "file": name,
        "line": line,
        "column": column,
        "message": finding.message,
        "at": quoted,
        "notes": notes,
        "help": finding.help,
        "fix": finding.fix.as_ref().map(|fix| fix_object(sources, fix)),
        "is_refused_by_server": finding.error.is_some(),
    });
    BriefItem { data, text }
}

/// The title of a fix, with the text of a single edit.
fn fix_text(fix: &Fix) -> String {
    match fix.edits.as_slice() {
        [edit] if !edit.text.trim().is_empty() => {
            format!("{}\n  {}", fix.title, edit.text.trim_end())
        }
        _ => fix.title.clone(),
    }
}

fn fix_object(sources: &[&Source], fix: &Fix) -> Value {
    let kind = match fix.kind {
        FixKind::Safe => "safe",
        FixKind::Unsafe => "changes what the statement does",
        FixKind::Plan => "several steps over time",
    };
    let edits = fix.edits.iter().filter_map(|edit| {
        let source = sources.get(edit.place.text)?;
        let span = edit.place.span;
        let old = source.text.get(span.start as usize..span.end as usize)?;
        let place = source.line_column(span.start as usize);
        Some(json!({ "file": source.name, "line": place.line, "column": place.column, "old": old, "new": edit.text }))
    });
    json!({ "title": fix.title, "kind": kind, "edits": edits.collect::<Vec<_>>() })
}

fn list_next(findings: &[Finding], statements: usize) -> Vec<String> {
    if statements == 0 {
        return vec![
            "No CQL statement was found; check the paths, or pass the CQL as text.".to_owned(),
        ];
    }
    let Some(first) = findings.first() else { return Vec::new() };
    let mut next = vec![format!(
        "Apply the fixes, the most severe first, and check again; `rule` with code {} explains the first.",
        first.rule.code
    )];
    if findings.iter().any(|finding| finding.error.is_some()) {
        next.push("Cassandra would refuse the statements that are refused by the server: correct these before anything else.".to_owned());
    }
    next
}
