//! Diagnostics of files, as text or as one JSON object: `{"findings": [...]}`.

use std::collections::HashMap;
use std::io::{self, Write};

use annotate_snippets::{Level, Renderer};
use cql::DiagnosticLevel;
use serde_json::{Value, json};

use super::message_text::MessageText;
use super::region::{Region, server_code};
use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;

/// Further messages are counted.
const MESSAGES_SHOWN: usize = 50;
/// Further places of a warning are counted.
const PLACES_SHOWN: usize = 8;

/// The format of diagnostics; `findings` has its own formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagnosticFormat {
    /// Text with excerpts.
    Text,
    /// One JSON object.
    Json,
}

impl DiagnosticFormat {
    /// The format that `--json` selects.
    pub(crate) fn from_json_flag(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }
}

/// Writes diagnostics: text to standard error, whatever `out` is, since results are on standard output;
/// JSON to `out`, where a program expects one object in any case.
pub(crate) fn write_diagnostics(
    format: DiagnosticFormat,
    diagnostics: &[SourceDiagnostic<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        DiagnosticFormat::Text => write_text(diagnostics, &mut anstream::stderr()),
        DiagnosticFormat::Json => {
            let objects: Vec<Value> = diagnostics.iter().map(diagnostic_object).collect();
            writeln!(out, "{:#}", json!({ "findings": objects }))
        }
    }
}

fn write_text(diagnostics: &[SourceDiagnostic<'_>], out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled();
    let messages = join_alike(diagnostics);
    for AlikeDiagnostics { first: SourceDiagnostic { source, diagnostic }, others } in
        messages.iter().take(MESSAGES_SHOWN)
    {
        let others = describe_places(source, others);
        let message = MessageText {
            level: match diagnostic.level {
                DiagnosticLevel::Error => Level::ERROR,
                DiagnosticLevel::Warning => Level::WARNING,
            },
            code: diagnostic.rule,
            message: &diagnostic.message,
            place: Some((source, diagnostic.span)),
            notes: others.as_deref().into_iter().collect(),
            help: diagnostic.help.as_deref(),
        };
        writeln!(out, "{}\n", renderer.render(&[message.group()]))?;
    }
    match messages.len().saturating_sub(MESSAGES_SHOWN) {
        0 => Ok(()),
        rest => writeln!(out, "and {rest} more messages\n"),
    }
}

/// A diagnostic, and later warnings that differ from it by their place only.
struct AlikeDiagnostics<'a, 'd> {
    first: &'a SourceDiagnostic<'d>,
    others: Vec<&'a SourceDiagnostic<'d>>,
}

/// Warnings with the same code become one message: what has to be done is the same, and ten of them
/// would hide the result.
fn join_alike<'a, 'd>(diagnostics: &'a [SourceDiagnostic<'d>]) -> Vec<AlikeDiagnostics<'a, 'd>> {
    let mut messages: Vec<AlikeDiagnostics<'a, 'd>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for item in diagnostics {
        let code = item.diagnostic.rule;
        let is_warning = item.diagnostic.level == DiagnosticLevel::Warning;
        let alike = known.get(code).filter(|_| is_warning).and_then(|at| messages.get_mut(*at));
        if let Some(message) = alike {
            message.others.push(item);
            continue;
        }
        if is_warning {
            known.insert(code, messages.len());
        }
        messages.push(AlikeDiagnostics { first: item, others: Vec::new() });
    }
    messages
}

/// Where else a message applies: `also on lines 43, 71 and 12 more`.
fn describe_places(source: &Source, others: &[&SourceDiagnostic<'_>]) -> Option<String> {
    let place = |item: &&SourceDiagnostic<'_>| {
        let line = item.source.line_column(item.diagnostic.span.start as usize).line;
        if item.source.name == source.name {
            line.to_string()
        } else {
            format!("{line} of {}", item.source.name)
        }
    };
    let mut places: Vec<String> = others.iter().take(PLACES_SHOWN).map(place).collect();
    let rest = others.len() - places.len();
    if rest > 0 {
        places.push(format!("{rest} more"));
    }
    let last = places.pop()?;
    match places.len() {
        0 => Some(format!("also on line {last}")),
        _ => Some(format!("also on lines {} and {last}", places.join(", "))),
    }
}

fn diagnostic_object(SourceDiagnostic { source, diagnostic }: &SourceDiagnostic<'_>) -> Value {
    let mut object = Region::new(source, diagnostic.span).json_fields();
    let severity = match diagnostic.level {
        DiagnosticLevel::Error => "error",
        DiagnosticLevel::Warning => "warning",
    };
    let fields: [(&str, Value); 5] = [
        ("code", diagnostic.rule.into()),
        ("severity", severity.into()),
        ("message", diagnostic.message.as_str().into()),
        ("help", json!(diagnostic.help)),
        ("serverCode", server_code(diagnostic.error)),
    ];
    object.extend(fields.map(|(name, value)| (name.to_owned(), value)));
    Value::Object(object)
}
