//! What `helenus design` writes is clean under `helenus check`, or the design has said so itself.

use std::sync::Arc;

use check::{Finding, Project, Settings, Severity, Text, TextKind};
use serde_json::Value;

use crate::designs::{self, Written};
use crate::reference::examples;

/// What is found and not said by the design: example, code, table, and what there is to it.
const KNOWN: &[(&str, &str, &str, &str)] = &[
    ("killrvideo", "LW002", "users", "ChangeEmail does not ask whether the new address is taken"),
    ("killrvideo", "LW002", "users_by_email", "the same"),
    (
        "reference/ds220_thumbnails",
        "PS008",
        "videos",
        "the model file states pictures of that size",
    ),
    ("reference/ds220_thumbnails", "PS008", "videos_by_user", "the same"),
    (
        "reference/hotel",
        "LW002",
        "reservations_by_confirm_number",
        "cancelling deletes without IF what booking inserts with it",
    ),
    (
        "reference/hotel",
        "CP004",
        "room_availability_by_hotel",
        "`date` is the night, not the moment of writing",
    ),
    (
        "reference/hotel",
        "PS001",
        "reservations_by_hotel",
        "growth is stated for each room, which the names do not lead to",
    ),
    (
        "reference/patterns_videos",
        "CO007",
        "videos_by_first_name_last_name",
        "a row is inserted whole when it is new and when a name changes",
    ),
    ("reference/sensors", "PK001", "sensors_by_network", "100 partitions of 1k rows"),
    (
        "seeds/001_killrvideo",
        "CO007",
        "videos_by_user",
        "rows begin with their tags, and tags are added later",
    ),
    (
        "seeds/003_messages",
        "PS004",
        "message_queue_by_queue",
        "180k rows are 42 MB, below the bound",
    ),
];

#[test]
fn designs_are_clean_or_say_why_not() {
    let examples = examples();
    let mut wrong = Vec::new();
    for (name, written) in designs::all() {
        let short = name.trim_end_matches(" --rules-only");
        let example = examples.iter().find(|example| example.name == short);
        let concept = example.expect("a design is that of an example").model.concept.clone();
        let settings = Settings { model: Some(Arc::new(concept)), ..Settings::default() };
        let notes = notes(written);
        for finding in check(written, &settings) {
            let table = finding.subject.table.as_deref().unwrap_or_default();
            if !is_reported(short, &finding, table, &notes) {
                let (code, severity) = (finding.rule.code, finding.severity.word());
                wrong.push(format!("{name}: {severity} {code} {table}: {}", finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

/// The findings of a design's files, at medium and above.
fn check(written: &Written, settings: &Settings) -> Vec<Finding> {
    let texts = written.texts.iter().map(|(name, text)| Text {
        name,
        text,
        parsed: cql::parse(text),
        kind: TextKind::Cql,
        is_told: true,
    });
    let mut session = model::Session::with_system_tables();
    session.catalog.datacenters.clear();
    let project = Project::new(texts.collect(), session, settings, None);
    let mut found = check::check(&project);
    found.retain(|finding| finding.severity >= Severity::Medium);
    found
}

/// What the design says of itself: about what, and the text.
fn notes(written: &Written) -> Vec<(String, String)> {
    let design: Value = serde_json::from_str(&written.json).expect("design.json is JSON");
    let notes = design["notes"].as_array().expect("a design has notes").iter();
    let text = |note: &Value, key: &str| note[key].as_str().unwrap_or_default().to_owned();
    notes.map(|note| (text(note, "about"), text(note, "message"))).collect()
}

fn is_reported(example: &str, finding: &Finding, table: &str, notes: &[(String, String)]) -> bool {
    let code = finding.rule.code;
    let known = |(name, known, of, _): &(&str, &str, &str, &str)| {
        (*name, *known, *of) == (example, code, table)
    };
    // A queue is what the design refuses to make.
    example.ends_with("_queue")
        || KNOWN.iter().any(known)
        || notes.iter().any(|(about, text)| match code {
            "CN007" => about == table && text.contains("may be off"),
            "PK001" | "PS004" => about == table && text.contains("partitions, one for each"),
            "PS001" | "QP013" => {
                about == table && text.contains("partition") || is_assumed(finding, table, text)
            }
            _ => false,
        })
}

/// Whether a note says that the rows of what a table holds, or of its partitions, are taken for granted.
fn is_assumed(finding: &Finding, table: &str, note: &str) -> bool {
    let entity = table.split("_by_").next().unwrap_or(table);
    let column = finding.subject.column.as_deref().unwrap_or_default();
    note.starts_with(&format!("{entity} is taken"))
        || note.starts_with(&format!("{entity}.{column} is taken"))
        || note.contains(&format!(" rows of {entity} by "))
}
