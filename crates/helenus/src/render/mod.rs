//! Output formats: a file each, and a line in this list.

pub(crate) mod access_json;
pub(crate) mod access_text;
pub(crate) mod design;
pub(crate) mod estimate_json;
pub(crate) mod estimate_text;
pub(crate) mod github;
pub(crate) mod json;
pub(crate) mod text;

use std::io::{self, Write};

use clap::ValueEnum;
use cql::Severity;

use crate::finding::Finding;

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
    /// Annotations of GitHub Actions.
    Github,
}

/// Writes findings.
pub(crate) fn findings(
    format: Format,
    findings: &[Finding<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::findings(findings, out),
        Format::Json => json::findings(findings, out),
        Format::Github => github::findings(findings, out),
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
