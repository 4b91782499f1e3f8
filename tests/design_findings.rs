//! What `helenus design` writes is clean under `helenus check`, or the design has said so itself.

use std::fs;

use check::{Finding, Project, Settings, Severity, SourceText, TextKind};
use design::{Options, estimate};
use model::schema_file;
use model::workload::Workload;
use serde_json::Value;

use crate::design_files::{self, DesignFiles};
use crate::examples::{design, root};
use crate::random_models;

/// The rules about what the model file itself says: its names, its types and its sizes.
const MODEL_RULES: [&str; 5] = ["CK012", "NM001", "PK016", "TY004", "TY006"];

/// Findings about what published models themselves say, each with the reason.
const MODEL_FINDINGS: [(&str, &str, &str); 7] = [
    ("seeds/000_user_activity", "TY001", "the source has the address as text"),
    ("published/akka_journal", "TY002", "the source has a time as a timeuuid and as a number"),
    ("published/james", "CK008", "the uid completes the key of a message in a mailbox"),
    ("published/killrweather", "CK007", "the source has the parts of a time as columns"),
    ("published/rising_stars", "PK004", "the source has the year as a column"),
    ("published/social_feed", "PK005", "the query gives the time"),
    ("published/vehicles", "DM007", "two entities have columns of these names"),
];

/// Published models whose sizes cannot be written into comments: parts of a time as columns, and skewed values of several
/// independent columns in one key.
const UNWRITTEN_SIZES: [&str; 4] =
    ["published/killrweather", "published/orders", "published/time_series", "published/wasabi"];

/// The random models of an ordinary run; `HELENUS_MODELS=first..last` looks at those seeds instead.
const SEEDS: std::ops::Range<u64> = 0..40;

/// One random model of so many is searched for its cheapest design, the others are designed by the rules.
const SEARCH_EVERY: u64 = 4;

#[test]
fn designs_are_clean_or_say_why_not() {
    let designs = design_files::all_designs().iter();
    let wrong: Vec<String> =
        designs.flat_map(|(name, files)| faults(name, files, Severity::Low)).collect();
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn designs_of_each_construct_are_clean_or_say_why_not() {
    let folder = root().join("tests/postgres/models");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    let (mut designed, mut wrong) = (0, Vec::new());
    for path in &paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap();
        if model::sql::read(&text, name).is_ok() {
            designed += 1;
            let files = design_files::write_model(name, &text, false);
            wrong.extend(faults(name, &files, Severity::Low));
        }
    }
    assert!(designed * 10 > paths.len() * 8, "only {designed} of {} were read", paths.len());
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn designs_of_random_models_are_clean_or_say_why_not() {
    let seeds = random_models::find_seeds().unwrap_or(SEEDS);
    let (mut designed, mut wrong) = (0, Vec::new());
    for seed in seeds.clone() {
        let constructs = random_models::construct_model(seed).text;
        for (kind, text) in [("model", random_models::model(seed)), ("constructs", constructs)] {
            if model::sql::read(&text, "random").is_err() {
                continue;
            }
            designed += 1;
            let name = format!("{kind}-{seed}");
            let files = design_files::write_model(&name, &text, seed % SEARCH_EVERY != 0);
            wrong.extend(faults(&name, &files, Severity::High));
        }
    }
    let models = 2 * seeds.count();
    assert!(designed * 10 > models * 6, "only {designed} of {models} models were read");
    assert!(wrong.is_empty(), "{} findings:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is wrong with the files of a design: they are not formatted, or `helenus check` finds what the design neither decided on purpose
/// nor says itself, of that severity or above.
fn faults(name: &str, files: &DesignFiles, least: Severity) -> Vec<String> {
    let unformatted =
        files.texts.iter().filter(|(_, text)| cql::format(text).ok().as_ref() != Some(text));
    let mut wrong: Vec<String> =
        unformatted.map(|(file, _)| format!("{name}: {file} is not formatted")).collect();
    let settings = Settings::default();
    let notes = notes(files);
    for finding in check(files, &settings).into_iter().filter(|it| it.severity >= least) {
        let table = finding.subject.table.as_deref().unwrap_or_default();
        let code = finding.rule.code;
        let model = name.trim_end_matches(" --rules-only");
        let is_known = MODEL_FINDINGS.iter().any(|(of, rule, _)| *of == model && *rule == code);
        if !is_known && !is_reported(&finding, table, &notes) {
            let severity = finding.severity.word();
            wrong.push(format!("{name}: {severity} {code} {table}: {}", finding.message));
        }
    }
    wrong
}

/// What a design writes into its schema is read back as the sizes that it has: by `helenus estimate`, and by `helenus check`.
#[test]
fn volumes_are_read_back() {
    let examples = design_files::examples_with_workloads();
    let settings = Settings::default();
    let mut wrong = Vec::new();
    for (name, written) in design_files::all_designs() {
        let short = name.trim_end_matches(" --rules-only");
        if UNWRITTEN_SIZES.contains(&short) {
            continue;
        }
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

/// The findings of a design's files, except those about the model itself.
fn check(written: &DesignFiles, settings: &Settings) -> Vec<Finding> {
    let mut found = check::check(&project(written, settings));
    found.retain(|finding| !MODEL_RULES.contains(&finding.rule.code));
    found
}

/// What a design says of itself: which rules report the same, and the tables that it concerns.
struct ReportedNote {
    rules: Vec<String>,
    tables: Vec<String>,
}

/// What the design says of itself.
fn notes(written: &DesignFiles) -> Vec<ReportedNote> {
    let design: Value = serde_json::from_str(&written.json).expect("design.json is JSON");
    let texts = |value: &Value| -> Vec<String> {
        let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let note = |note: &Value| {
        // A note about the whole design names nothing.
        let about = note["about"].as_str().unwrap_or_default();
        let named =
            ["reads", "writes"].into_iter().flat_map(|kind| find_named(&design[kind], about));
        let mut tables: Vec<String> = named.flat_map(list_tables).collect();
        tables.push(about.to_owned());
        ReportedNote { rules: texts(&note["rules"]), tables }
    };
    design["notes"].as_array().expect("a design has notes").iter().map(note).collect()
}

/// The reads or writes of a name, at any depth.
fn find_named<'v>(value: &'v Value, name: &str) -> Vec<&'v Value> {
    let inside: Vec<&Value> = match value {
        Value::Array(values) => values.iter().flat_map(|one| find_named(one, name)).collect(),
        Value::Object(fields) => {
            fields.values().flat_map(|field| find_named(field, name)).collect()
        }
        _ => Vec::new(),
    };
    let own = (value["name"] == name).then_some(value);
    inside.into_iter().chain(own).collect()
}

/// The tables that the steps of a read or write name, at any depth.
fn list_tables(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().flat_map(list_tables).collect(),
        Value::Object(fields) => {
            let own = fields.get("table").and_then(Value::as_str).map(str::to_owned);
            fields.values().flat_map(list_tables).chain(own).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a note of the design concerns the table and says what the rule finds.
fn is_reported(finding: &Finding, table: &str, notes: &[ReportedNote]) -> bool {
    notes.iter().any(|note| {
        note.rules.iter().any(|rule| rule == finding.rule.code)
            && note.tables.iter().any(|known| known == table)
    })
}
