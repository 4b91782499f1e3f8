//! Output formats: a file each, and a line in this list.

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

/// How diagnostics are written; the findings of rules have formats of their own, in `findings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagnosticFormat {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// Writes diagnostics.
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

/// The word for a severity.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
