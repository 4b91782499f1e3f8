//! Names are shown as they are, and never become markup, commands of a terminal or statements.

use std::fs;

use super::{make_folder, remove_folder, run, text};

/// Quoted identifiers may hold anything.
const HOSTILE: &str = "CREATE TABLE \"<script>alert(1)</script>\" (
  \"a|b\" uuid PRIMARY KEY,
  \"x`y\" text,
  \"new\nline\" text,
  \"[link](javascript:alert(1))\" text
);
-- name: Q :one
SELECT \"x`y\", \"new\nline\", \"[link](javascript:alert(1))\" FROM \"<script>alert(1)</script>\" WHERE \"a|b\" = ?;
";

#[test]
fn reports_hold_no_markup_of_names() {
    let folder = make_folder("names");
    fs::write(folder.join("hostile.sql"), HOSTILE).unwrap();
    let output = run(&folder, &["design", "hostile.sql", "--no-prove", "-o", "design"]);
    let shown = text(&output.stdout) + &text(&output.stderr);
    if output.status.code() == Some(2) {
        // Refused is as good: each name is then shown in a diagnostic.
        assert!(shown.contains("error["), "{shown}");
        return remove_folder(&folder);
    }
    let report = fs::read_to_string(folder.join("design/report.md")).unwrap();
    for (number, line) in outside_of_code(&report).enumerate() {
        assert!(!line.contains("<script"), "line {number}: {line}");
        assert!(!line.contains("](javascript"), "line {number}: {line}");
    }
    for name in fs::read_dir(folder.join("design")).unwrap() {
        let path = name.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "svg" || ending == "html") {
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains("<script>alert"), "{}", path.display());
        }
    }
    remove_folder(&folder);
}

/// A finding of `check` as Markdown, about a table with such a name.
#[test]
fn findings_hold_no_markup_of_names() {
    let folder = make_folder("findings");
    let schema = "CREATE TABLE ks.\"<script>alert(1)</script>\" (k int PRIMARY KEY, \"a|b\" list<text>);\n\
                  SELECT * FROM ks.\"<b>no`where</b>\";\n";
    fs::write(folder.join("hostile.cql"), schema).unwrap();
    let report = text(&run(&folder, &["check", "hostile.cql", "--format", "markdown"]).stdout);
    assert!(report.contains("script"), "{report}");
    for line in outside_of_code(&report) {
        assert!(!line.contains("<script") && !line.contains("<b>"), "{line}");
    }
    remove_folder(&folder);
}

/// The lines of Markdown without blocks and spans of code, in which nothing is markup, and without what is escaped.
fn outside_of_code(page: &str) -> impl Iterator<Item = String> {
    let mut fence: Option<String> = None;
    let mut lines = Vec::new();
    for line in page.lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if ticks.len() >= open.len() => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => lines.push(strip_spans(line)),
        }
    }
    lines.into_iter()
}

/// A line without its code spans and escaped characters: a span ends with as many backticks as it begins with.
fn strip_spans(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let run = |at: usize| letters[at..].iter().take_while(|c| **c == '`').count();
    let (mut out, mut at) = (String::new(), 0);
    while at < letters.len() {
        match letters[at] {
            '\\' => {
                out.push('_');
                at += 2;
            }
            '`' => {
                let length = run(at);
                let mut end = at + length;
                while end < letters.len() && run(end) != length {
                    end += run(end).max(1);
                }
                at = if end < letters.len() { end + length } else { at + length };
            }
            c => {
                out.push(c);
                at += 1;
            }
        }
    }
    out
}
