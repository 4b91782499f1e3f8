//! Diagnostics of files, as text or as one JSON object: `{"findings": [...]}`.

use std::io::{self, Write};

use annotate_snippets::{Level, Renderer};
use cql::DiagnosticLevel;
use serde_json::{Value, json};

use super::message_text::MessageText;
use super::region::{Region, server_code};
use crate::source_diagnostic::SourceDiagnostic;

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
    for SourceDiagnostic { source, diagnostic } in diagnostics {
        let message = MessageText {
            level: match diagnostic.level {
                DiagnosticLevel::Error => Level::ERROR,
                DiagnosticLevel::Warning => Level::WARNING,
            },
            code: diagnostic.rule,
            message: &diagnostic.message,
            place: Some((source, diagnostic.span)),
            notes: Vec::new(),
            help: diagnostic.help.as_deref(),
        };
        writeln!(out, "{}\n", renderer.render(&[message.group()]))?;
    }
    Ok(())
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
