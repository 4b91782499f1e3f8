//! Output formats: a file each, and a line in this list.

pub(crate) mod access_json;
pub(crate) mod access_text;
pub(crate) mod design;
pub(crate) mod estimate_json;
pub(crate) mod estimate_report;
pub(crate) mod estimate_text;
pub(crate) mod excerpt;
pub(crate) mod findings;
pub(crate) mod json;
pub(crate) mod text;
pub(crate) mod unified_diff;

use std::io::{self, Write};

use cql::Severity;

use crate::finding::Finding;

/// How diagnostics are written; the findings of rules have formats of their own, in `findings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// Writes diagnostics.
pub(crate) fn diagnostics(
    format: Format,
    findings: &[Finding<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::findings(findings, out),
        Format::Json => json::findings(findings, out),
    }
}

/// The word for a severity.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
