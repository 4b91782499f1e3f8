//! Findings of `helenus doctor` as SARIF 2.1.0. They have no place in a file: tables are logical
//! locations.

use std::collections::BTreeMap;
use std::io::{self, Write};

use cql::Severity;
use serde_json::{Value, json};

use super::figures::describe_evidence;
use crate::diagnosis::{DoctorReport, FindingEntry};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes a report.
pub(crate) fn write_sarif(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: BTreeMap<&str, Value> = BTreeMap::new();
    for finding in &report.findings {
        if let Some(rule) = doctor::rules::find(&finding.code) {
            let page = format!("# {} {}\n\n{}", rule.code, rule.name, rule.page);
            let descriptor = json!({
                "id": rule.code,
                "name": rule.name,
                "shortDescription": { "text": rule.summary() },
                "help": { "text": page, "markdown": page },
                "defaultConfiguration": { "level": level(rule.severity) },
                "properties": { "tags": ["cassandra", rule.category.name()] },
            });
            rules.insert(rule.code, descriptor);
        }
    }
    let notes =
        report.unknown.iter().map(|what| json!({ "level": "note", "message": { "text": what } }));
    let object = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "helenus",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.values().collect::<Vec<_>>(),
            } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notes.collect::<Vec<_>>(),
            }],
            "results": report.findings.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    writeln!(out, "{object:#}")
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

fn result(finding: &FindingEntry) -> Value {
    let mut text = describe_evidence(finding);
    for part in finding.statement.iter().chain(finding.remedies.iter().map(|it| &it.advice)) {
        text.push('\n');
        text.push_str(part);
    }
    let place = finding.table.clone().unwrap_or_else(|| finding.nodes.join(", "));
    let kind = if finding.table.is_some() { "type" } else { "resource" };
    json!({
        "ruleId": finding.code,
        "level": level(finding.severity()),
        "message": { "text": text },
        "locations": [{ "logicalLocations": [{ "fullyQualifiedName": place, "kind": kind }] }],
        "properties": { "severity": finding.severity, "impact": finding.impact },
    })
}
