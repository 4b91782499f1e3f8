//! Diagnostics as one JSON object: `{"findings": [...]}`.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::severity_name;
use crate::source_diagnostic::SourceDiagnostic;

pub(crate) fn write(findings: &[SourceDiagnostic<'_>], out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<Value> = findings.iter().map(diagnostic_object).collect();
    writeln!(out, "{:#}", json!({ "findings": findings }))
}

fn diagnostic_object(finding: &SourceDiagnostic<'_>) -> Value {
    let diagnostic = &finding.diagnostic;
    let (start, end) = (finding.start(), finding.end());
    json!({
        "file": finding.source.name,
        "line": start.line,
        "column": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "code": diagnostic.rule,
        "severity": severity_name(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "serverCode": diagnostic.error.map(|error| format!("0x{:04X}", error.number())),
    })
}
