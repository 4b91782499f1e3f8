//! In which order findings are printed, and where they point.

use serde_json::Value;

use super::TestFolder;

/// A note, a mild finding, a bad one and a mild one, in this order.
const MIXED: &str = "CREATE TABLE goods (
  id uuid PRIMARY KEY,
  price double
);
SELECT price FROM goods WHERE price > ? ALLOW FILTERING;
CREATE TABLE lists (id uuid PRIMARY KEY, tags list<text>);
SELECT tags FROM lists WHERE id = ?;
";

fn texts<'v>(findings: &'v [Value], field: &str) -> Vec<&'v str> {
    findings.iter().filter_map(|finding| finding[field].as_str()).collect()
}

#[test]
fn the_worst_findings_are_printed_first_on_request() {
    let folder = TestFolder::new("sort");
    folder.write("a.cql", MIXED);
    let read = |arguments: &[&str]| {
        let printed = folder.json(&[&["--format", "json", "a.cql"], arguments].concat());
        printed["findings"].as_array().cloned().unwrap_or_default()
    };
    let by_file = read(&[]);
    let lines: Vec<i64> = by_file.iter().filter_map(|finding| finding["line"].as_i64()).collect();
    assert!(lines.is_sorted(), "{lines:?}");

    let by_severity = read(&["--sort", "severity"]);
    let order = ["error", "critical", "high", "medium", "low", "info"];
    let rank = |severity: &str| order.iter().position(|known| *known == severity);
    let severities = texts(&by_severity, "severity");
    assert!(severities.is_sorted_by_key(|severity| rank(severity)), "{severities:?}");
    assert_eq!(severities.first(), Some(&"critical"), "{severities:?}");
    assert_ne!(texts(&by_file, "severity"), severities, "both orders are the same here");

    // The same findings, and those of one severity in the order of the file.
    let (mut one, mut other) = (texts(&by_file, "fingerprint"), texts(&by_severity, "fingerprint"));
    one.sort_unstable();
    other.sort_unstable();
    assert_eq!(one, other);
    for severity in order {
        let own: Vec<&Value> =
            by_severity.iter().filter(|finding| finding["severity"] == severity).collect();
        assert!(own.is_sorted_by_key(|finding| finding["line"].as_i64()), "{severity}: {own:?}");
    }
    let (printed, _) = folder.check(&["--sort", "severity", "a.cql"]);
    assert!(printed.starts_with("critical[QP001]"), "{printed}");
}

#[test]
fn findings_point_to_the_statement_that_made_the_column() {
    let folder = TestFolder::new("places");
    let lines = [
        "CREATE TABLE goods (id uuid PRIMARY KEY, name text);",
        "ALTER TABLE goods ADD price double;",
        "ALTER TABLE goods ADD (sold_at text, tags list<text>);",
        "ALTER TABLE goods RENAME id TO good_id;",
        "SELECT name, price, sold_at, tags FROM goods WHERE good_id = ?;",
    ];
    folder.write("a.cql", lines.join("\n"));
    let made = [
        ("TY006", 2, "price", "double"),
        ("TY001", 3, "sold_at", "text"),
        ("CO004", 3, "tags", "list<text>"),
    ];
    for (code, line, column, underlined) in made {
        let found = folder.findings(code, &["a.cql"]);
        let [only] = &*found else { panic!("{code}: {found:?}") };
        assert_eq!(only["subject"]["column"], column);
        assert_eq!(only["line"], line, "{code}: {only}");
        let at = lines[line - 1].find(underlined).map(|at| at + 1);
        let column = only["column"].as_u64().and_then(|column| usize::try_from(column).ok());
        assert_eq!(column, at, "{code}: {only}");
    }
    // The finding of a step in a file of its own is in that file.
    folder.write("001.cql", lines[0]);
    folder.write("002.cql", lines[1]);
    let found = folder.findings("TY006", &["001.cql", "002.cql"]);
    assert_eq!(texts(&found, "file"), ["002.cql"]);
}

#[test]
fn failures_for_build_servers_are_what_fails_the_check() {
    let folder = TestFolder::new("junit");
    folder.write("a.cql", MIXED);
    for (level, exit) in [("low", 1), ("critical", 1), ("error", 0)] {
        let (printed, code) = folder.check(&["--format", "junit", "--fail-on", level, "a.cql"]);
        assert_eq!(code, exit, "{level}: {printed}");
        assert_eq!(printed.contains("<failure"), exit == 1, "{level}: {printed}");
    }
}
