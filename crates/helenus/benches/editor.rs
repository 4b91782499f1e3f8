//! The latency of `helenus lsp` while typing into a file of 5,000 lines.
//!
//! ```text
//! cargo bench -p helenus --bench editor
//! ```
//!
//! Every keystroke sends the whole text, as editors do, and requests completions and a hover at
//! once; the next keystroke follows when the findings have arrived. All times are measured from the
//! keystroke, over the pipe.

#![expect(clippy::disallowed_methods, reason = "a benchmark has files and a clock")]
#![expect(clippy::print_stdout, reason = "a benchmark prints")]
#![expect(clippy::unwrap_used, reason = "a benchmark may panic on errors")]

#[path = "../../../tests/lsp/editor.rs"]
mod editor;

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use editor::Editor;

/// What is typed: 200 keystrokes.
const TYPED: &str =
    "SELECT name FROM t250 WHERE id = ? AND at > '2026-01-01' ORDER BY at DESC LIMIT 100;
INSERT INTO t250 (id, at, name) VALUES (?, ?, ?) USING TTL 86400;
UPDATE t250 SET name = ? WHERE id = ? AND at = ?;";
/// A table with its query.
const LINES: usize = 10;
const TABLES: usize = 500;

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let folder = std::env::temp_dir().join(format!("helenus-editor-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let one: String = (0..TABLES).map(|at| table(at) + &query(at) + "\n").collect();
    measure("schema and queries in one file", &folder, &one);
    let schema: String = (0..TABLES).map(table).collect();
    let queries: String = (0..TABLES * LINES / 4).map(|at| query(at % TABLES) + "\n").collect();
    std::fs::write(folder.join("schema.cql"), schema).unwrap();
    std::fs::write(folder.join("helenus.toml"), "schema = \"schema.cql\"\n").unwrap();
    measure("queries, with a schema of 3,000 lines in another file", &folder, &queries);
    std::fs::remove_dir_all(folder).unwrap();
}

fn table(at: usize) -> String {
    format!(
        "CREATE TABLE t{at} (\n  id uuid,\n  at timestamp,\n  name text,\n  PRIMARY KEY (id, at)\n);\n"
    )
}

fn query(at: usize) -> String {
    let filtering = if at.is_multiple_of(10) { " ALLOW FILTERING" } else { "" };
    format!("SELECT name\nFROM t{at}\nWHERE id = ?{filtering};\n")
}

/// Types into the middle of a text, and prints how long answers take.
fn measure(what: &str, folder: &Path, text: &str) {
    let root = format!("file://{}", folder.display());
    let uri = format!("{root}/typed.cql");
    let mut editor = Editor::open(&root);
    editor.open_text(&uri, text);
    editor.findings(&uri, 1);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let middle = lines.iter().position(|line| *line == "FROM t250\n").unwrap() + 2;
    let (before, after) = (lines[..middle].concat(), lines[middle..].concat());
    let mut times: [Vec<Duration>; 3] = Default::default();
    let mut typed = String::new();
    for (version, key) in (2..).zip(TYPED.chars()) {
        typed.push(key);
        let line = middle + typed.matches('\n').count();
        let character = typed.len() - typed.rfind('\n').map_or(0, |end| end + 1);
        let whole = format!("{before}{typed}\n{after}");
        let start = Instant::now();
        editor.change(&uri, version, &whole);
        editor.ask_at("textDocument/completion", &uri, line, character);
        times[0].push(start.elapsed());
        editor.ask_at("textDocument/hover", &uri, middle - 2, 6);
        times[1].push(start.elapsed());
        editor.findings(&uri, version);
        times[2].push(start.elapsed());
    }
    editor.close();
    print(what, text, &mut times);
}

fn print(what: &str, text: &str, times: &mut [Vec<Duration>; 3]) {
    let keys = times[0].len();
    println!("{what}: {} lines, {keys} keystrokes", text.lines().count());
    let mut table = String::from("               p50       p99       max\n");
    for (name, times) in ["completion", "hover", "findings"].iter().zip(times) {
        times.sort();
        let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
        let _ =
            writeln!(table, "{name:<10} {:>5.1} ms {:>6.1} ms {:>6.1} ms", at(50), at(99), at(100));
    }
    println!("{table}");
}
