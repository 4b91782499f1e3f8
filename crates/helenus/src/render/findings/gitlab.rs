//! Findings as a GitLab code quality report.

use std::io::{self, Write};

use check::Severity;
use serde_json::{Value, json};

use super::{FindingReport, ReportedFinding, full_message};

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let findings: Vec<_> = report.findings.iter().map(|reported| issue(report, reported)).collect();
    writeln!(out, "{:#}", Value::Array(findings))
}

fn issue(report: &FindingReport<'_>, reported: &ReportedFinding<'_>) -> Value {
    let finding = reported.finding;
    let region = report.region(finding.place);
    let severity = match finding.severity {
        Severity::Info => "info",
        Severity::Low => "minor",
        Severity::Medium => "major",
        Severity::High => "critical",
        Severity::Critical | Severity::Error => "blocker",
    };
    json!({
        "description": full_message(finding),
        "check_name": format!("{} {}", finding.rule.code, finding.rule.name),
        "fingerprint": reported.fingerprint,
        "severity": severity,
        "location": {
            "path": region.file.strip_prefix("./").unwrap_or(region.file),
            "lines": { "begin": region.start.line, "end": region.end.line },
        },
    })
}
