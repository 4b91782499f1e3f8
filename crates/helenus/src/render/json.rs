//! Findings as one JSON object: `{"findings": [...]}`.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::severity;
use crate::finding::Finding;

pub(crate) fn findings(findings: &[Finding<'_>], out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<Value> = findings.iter().map(one).collect();
    writeln!(out, "{:#}", json!({ "findings": findings }))
}

fn one(finding: &Finding<'_>) -> Value {
    let diagnostic = &finding.diagnostic;
    let (start, end) = (finding.start(), finding.end());
    json!({
        "file": finding.source.name,
        "line": start.line,
        "column": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "code": diagnostic.rule,
        "severity": severity(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "serverCode": diagnostic.error.map(|error| format!("0x{:04X}", error.number())),
    })
}
