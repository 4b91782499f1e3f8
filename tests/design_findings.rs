//! What `helenus design` writes is clean under `helenus check`, or the design has said so itself.

use check::{Finding, Project, Settings, Severity, SourceText, TextKind};
use design::{Options, estimate};
use model::schema_file;
use model::workload::Workload;
use serde_json::Value;

use crate::design_files::{self, DesignFiles};
use crate::examples::design;

#[test]
fn designs_are_clean_or_say_why_not() {
    let settings = Settings::default();
    let mut wrong = Vec::new();
    for (name, written) in design_files::all_designs() {
        let notes = notes(written);
        for finding in check(written, &settings) {
            let table = finding.subject.table.as_deref().unwrap_or_default();
            if !is_reported(&finding, table, &notes) {
                let (code, severity) = (finding.rule.code, finding.severity.word());
                wrong.push(format!("{name}: {severity} {code} {table}: {}", finding.message));
            }
        }
    }
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a design writes into its schema is read back as the sizes that it has: by `helenus estimate`, and by `helenus check`.
#[test]
fn volumes_are_read_back() {
    let examples = design_files::examples_with_workloads();
    let settings = Settings::default();
    let mut wrong = Vec::new();
    for (name, written) in design_files::all_designs() {
        let short = name.trim_end_matches(" --rules-only");
        let example = examples.iter().find(|example| example.name == short);
        let options = Options { rules_only: short != name, ..Options::default() };
        let design = design(example.expect("a design is that of an example"), &options);
        let project = project(written, &settings);
        let schema = &project.texts[0];
        let read = schema_file::read(schema.text, &schema.parsed, &project.catalog);
        let file = read.unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"));
        let none = Workload::default();
        let estimates = estimate::estimate_tables(&file.concept, &none, &options, &file.tables);
        for table in design.tables.iter().filter(|table| table.view_of.is_none()) {
            let estimate = estimates.iter().find(|one| one.table.name == table.name);
            let estimate = estimate.expect("every table is read back");
            let days = estimate.horizon_days;
            // Where the design itself does not know how many rows there are, neither does who reads it.
            if table.volume.rows_after(days).mean <= 0.0 {
                continue;
            }
            let [ours, read] = [&table.volume, &estimate.table.volume].map(|volume| {
                let bytes = volume.bytes_after(days);
                [bytes.mean, bytes.p999.max(bytes.mean)]
            });
            let facts = project.tables.iter().find(|facts| *facts.table.name == *table.name);
            let size = facts.and_then(|facts| facts.volume.partition.as_ref());
            let size = size.expect("check knows the size");
            let checked = [size.mean_bytes, size.large_bytes];
            for (by, theirs) in [("estimate", read), ("check", checked)] {
                if ours.iter().zip(theirs).any(|(own, other)| (other / own - 1.0).abs() > 0.02) {
                    wrong.push(format!("{name} {}: {ours:?}, {by} {theirs:?}", table.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} sizes differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The files of a design, as `helenus check` sees them.
fn project<'a>(written: &'a DesignFiles, settings: &'a Settings) -> Project<'a> {
    let texts = written.texts.iter().map(|(name, text)| SourceText {
        name,
        text,
        parsed: cql::parse(text),
        kind: TextKind::Cql,
        is_reported: true,
    });
    let mut session = schema::Session::with_system_tables();
    session.catalog.datacenters.clear();
    Project::new(texts.collect(), session, settings, None)
}

/// The findings of a design's files, at medium and above.
fn check(written: &DesignFiles, settings: &Settings) -> Vec<Finding> {
    let mut found = check::check(&project(written, settings));
    found.retain(|finding| finding.severity >= Severity::Medium);
    found
}

/// What the design says of itself: about what, and the text.
fn notes(written: &DesignFiles) -> Vec<(String, String)> {
    let design: Value = serde_json::from_str(&written.json).expect("design.json is JSON");
    let notes = design["notes"].as_array().expect("a design has notes").iter();
    let text = |note: &Value, key: &str| note[key].as_str().unwrap_or_default().to_owned();
    notes.map(|note| (text(note, "about"), text(note, "message"))).collect()
}

/// Whether the design says of the table, in other words, what is found.
fn is_reported(finding: &Finding, table: &str, notes: &[(String, String)]) -> bool {
    let words = match finding.rule.code {
        "CN007" => "may be inaccurate",
        "CO007" => "is written as a whole by",
        "PK001" => "partitions, one for each",
        "PK004" => "time alone is the partition key",
        "PS004" => "from which ScyllaDB warns",
        "PS008" => "a row of",
        "QP013" => "them all",
        // That is said of the query that polls.
        "QP021" | "TB001" => return notes.iter().any(|(_, text)| text.contains("form a queue")),
        _ => return false,
    };
    notes.iter().any(|(about, text)| about == table && text.contains(words))
}
