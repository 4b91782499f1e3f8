//! Findings as one JSON object: `{"findings": [...], "problems": [...], "summary": {...}}`.

use std::io::{self, Write};

use check::{Finding, Fix, FixKind, Location};
use serde_json::{Map, Value, json};

use super::{FindingReport, ReportedFinding};
use crate::render::region::server_code;

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let findings =
        report.findings.iter().map(|reported| finding_object(report, reported)).collect();
    let problems = report.problems.iter().map(|problem| {
        json!({ "file": problem.file, "message": problem.message, "unread": problem.is_unread() })
    });
    let mut counts: Map<_, _> = report
        .counts()
        .map(|(severity, count)| (severity.word().to_owned(), count.into()))
        .collect();
    counts.insert("statements".to_owned(), report.statements.into());
    counts.insert("belowMinSeverity".to_owned(), report.below_min_severity.into());
    counts.insert("inBaseline".to_owned(), report.known.into());
    counts.insert("fixed".to_owned(), report.fixed.into());
    let mut object = Map::new();
    // Inserted one by one, because json!() would copy all of them.
    object.insert("findings".to_owned(), Value::Array(findings));
    object.insert("problems".to_owned(), problems.collect());
    object.insert("staleInBaseline".to_owned(), json!(report.stale));
    object.insert("summary".to_owned(), Value::Object(counts));
    writeln!(out, "{:#}", Value::Object(object))
}

fn finding_object(report: &FindingReport<'_>, reported: &ReportedFinding<'_>) -> Value {
    let finding: &Finding = reported.finding;
    let related = finding.related.iter().map(|(place, what)| {
        let mut object = location(report, *place);
        object.insert("message".to_owned(), what.as_str().into());
        Value::Object(object)
    });
    let rest = json!({
        "code": finding.rule.code,
        "name": finding.rule.name,
        "category": finding.rule.category.name(),
        "severity": finding.severity.word(),
        "confidence": finding.confidence.word(),
        "subject": {
            "keyspace": finding.subject.keyspace,
            "table": finding.subject.table,
            "column": finding.subject.column,
        },
        "message": finding.message,
        "notes": finding.notes,
        "help": finding.help,
        "related": related.collect::<Vec<_>>(),
        "fix": finding.fix.as_ref().map(|offered| fix(report, offered)),
        "serverCode": server_code(finding.error),
        "fingerprint": reported.fingerprint,
    });
    let mut object = location(report, finding.place);
    if let Value::Object(rest) = rest {
        object.extend(rest);
    }
    Value::Object(object)
}

fn fix(report: &FindingReport<'_>, fix: &Fix) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        let mut object = location(report, edit.place);
        object.insert("text".to_owned(), edit.text.as_str().into());
        Value::Object(object)
    });
    let kind = match fix.kind {
        FixKind::Safe => "safe",
        FixKind::Unsafe => "unsafe",
        FixKind::Plan => "plan",
    };
    json!({ "title": fix.title, "kind": kind, "edits": edits.collect::<Vec<_>>() })
}

fn location(report: &FindingReport<'_>, place: Location) -> Map<String, Value> {
    report.region(place).json_fields()
}
