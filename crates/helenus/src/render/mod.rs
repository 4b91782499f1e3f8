//! Output formats.
//!
//! - `diagnostic_text`, `diagnostic_json`: diagnostics of files; `excerpt` cuts the lines to show.
//! - `findings`: the findings of `helenus check`, in seven formats; `unified_diff` for `--diff`.
//! - `design`: designs as text, JSON, CQL files and a Markdown report.
//! - `access_*`: access plans of `helenus explain`; `estimate_*`: estimates.

pub(crate) mod access_json;
pub(crate) mod access_text;
pub(crate) mod design;
pub(crate) mod diagnostic_json;
pub(crate) mod diagnostic_text;
pub(crate) mod estimate_json;
pub(crate) mod estimate_report;
pub(crate) mod estimate_text;
pub(crate) mod excerpt;
pub(crate) mod findings;
pub(crate) mod unified_diff;

use std::io::{self, Write};

use cql::Severity;

use crate::source_diagnostic::SourceDiagnostic;

/// The format of diagnostics; the formats of findings are in `findings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagnosticFormat {
    /// Text with excerpts.
    Text,
    /// One JSON object.
    Json,
}

/// Writes diagnostics in a format.
pub(crate) fn write_diagnostics(
    format: DiagnosticFormat,
    findings: &[SourceDiagnostic<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        DiagnosticFormat::Text => diagnostic_text::write(findings, out),
        DiagnosticFormat::Json => diagnostic_json::write(findings, out),
    }
}

/// The name of a severity.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
