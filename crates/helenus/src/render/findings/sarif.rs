//! Findings as SARIF 2.1.0.

use std::collections::BTreeMap;
use std::io::{self, Write};

use check::{Finding, Fix, Location, Rule, Severity};
use serde_json::{Value, json};

use super::{FindingReport, ReportedFinding, full_message};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut rules: BTreeMap<&str, &Rule> = BTreeMap::new();
    for reported in &report.findings {
        rules.insert(reported.finding.rule.code, reported.finding.rule);
    }
    let index: BTreeMap<&str, usize> =
        rules.keys().enumerate().map(|(at, code)| (*code, at)).collect();
    let results: Vec<_> =
        report.findings.iter().map(|reported| result(report, &index, reported)).collect();
    let notifications = report.problems.iter().map(|problem| {
        json!({
            "level": if problem.is_unread() { "error" } else { "warning" },
            "message": { "text": problem.message },
            "locations": [{ "physicalLocation": { "artifactLocation": artifact(&problem.file) } }],
        })
    });
    let object = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "helenus",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.values().map(|rule| rule_descriptor(rule)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
            }],
            "results": results,
        }],
    });
    writeln!(out, "{object:#}")
}

/// A rule, with its documentation.
fn rule_descriptor(rule: &Rule) -> Value {
    let page = format!("# {} {}\n\n{}", rule.code, rule.name, rule.page);
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.name.replace('-', " ") },
        "fullDescription": { "text": rule.summary() },
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "enabled": rule.by_default, "level": level(rule.severity) },
        "properties": { "tags": ["cassandra", rule.category.name()] },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "note",
    }
}

fn result(
    report: &FindingReport<'_>,
    index: &BTreeMap<&str, usize>,
    reported: &ReportedFinding<'_>,
) -> Value {
    let finding: &Finding = reported.finding;
    let related = finding.related.iter().enumerate().map(|(at, (place, what))| {
        let mut location = location(report, *place);
        location["id"] = (at + 1).into();
        location["message"] = json!({ "text": what });
        location
    });
    let mut place = location(report, finding.place);
    if let Some(logical) = logical_location(finding) {
        place["logicalLocations"] = json!([logical]);
    }
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": index.get(finding.rule.code),
        "level": level(finding.severity),
        "message": { "text": full_message(finding) },
        "locations": [place],
        "partialFingerprints": { "helenus/v1": reported.fingerprint },
        "properties": {
            "severity": finding.severity.word(),
            "confidence": finding.confidence.word(),
        },
    });
    if !finding.related.is_empty() {
        result["relatedLocations"] = related.collect();
    }
    if let Some(offered) = &finding.fix {
        result["fixes"] = json!([fix(report, offered)]);
    }
    result
}

/// The keyspace, table or column that a finding concerns.
fn logical_location(finding: &Finding) -> Option<Value> {
    let subject = &finding.subject;
    let names = [&subject.keyspace, &subject.table, &subject.column];
    let kinds = ["namespace", "type", "member"];
    let (at, name) =
        names.iter().enumerate().rev().find_map(|(at, name)| Some((at, name.as_ref()?)))?;
    let path: Vec<&str> = names.iter().filter_map(|name| name.as_deref()).collect();
    Some(json!({
        "name": name,
        "fullyQualifiedName": path.join("."),
        "kind": kinds.get(at),
    }))
}

fn fix(report: &FindingReport<'_>, fix: &Fix) -> Value {
    let mut changes: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    for edit in &fix.edits {
        changes.entry(edit.place.text).or_default().push(json!({
            "deletedRegion": region(report, edit.place),
            "insertedContent": { "text": edit.text },
        }));
    }
    let changes = changes.into_iter().map(|(text, replacements)| {
        let file = report.sources.get(text).map_or("", |source| source.name.as_str());
        json!({ "artifactLocation": artifact(file), "replacements": replacements })
    });
    json!({ "description": { "text": fix.title }, "artifactChanges": changes.collect::<Vec<_>>() })
}

fn location(report: &FindingReport<'_>, place: Location) -> Value {
    let file = report.region(place).file;
    json!({
        "physicalLocation": {
            "artifactLocation": artifact(file),
            "region": region(report, place),
        },
    })
}

fn region(report: &FindingReport<'_>, place: Location) -> Value {
    let region = report.region(place);
    json!({
        "startLine": region.start.line,
        "startColumn": region.start.column,
        "endLine": region.end.line,
        "endColumn": region.end.column,
    })
}

/// A file as a percent-encoded URI reference.
fn artifact(file: &str) -> Value {
    let scheme = if file.starts_with('/') { "file://" } else { "" };
    let mut uri = scheme.to_owned();
    for byte in file.strip_prefix("./").unwrap_or(file).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            byte => uri.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 15)]),
        }
    }
    json!({ "uri": uri })
}

/// An upper-case hexadecimal digit.
fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0').to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_uri_references() {
        assert_eq!(artifact("./a b/é.cql")["uri"], "a%20b/%C3%A9.cql");
        assert_eq!(artifact("/x/y.cql")["uri"], "file:///x/y.cql");
    }
}
