//! The exit code of every command: 0 fine, 1 found, 2 bad input or usage, 3 the environment failed.

use std::fs;
use std::path::Path;

use super::{make_folder, remove_folder, run, text};
use crate::examples::root;

/// Command lines by exit code; `{root}` is the tree.
const COMMAND_LINES: &[(i32, &[&str])] = &[
    (0, &["check", "schema.cql", "--fail-on", "error"]),
    (1, &["check", "bad.cql"]),
    (2, &["check", "--nonsense"]),
    (2, &["check", "empty"]),
    (2, &["check", "binary.cql"]),
    (3, &["check", "missing.cql"]),
    (3, &["check", "schema.cql", "missing.cql"]),
    (3, &["check", "schema.cql", "--model", "missing.sql"]),
    (0, &["completions", "bash"]),
    (2, &["completions", "nonsense"]),
    (0, &["design", "model.sql"]),
    (
        1,
        &[
            "design",
            "{root}/tests/journeys/design/notes.sql",
            "--no-prove",
            "--rules-only",
            "--key",
            "NotesOfUser=(userid), written DESC",
        ],
    ),
    (2, &["design", "mistakes.sql"]),
    (2, &["design", "model.sql", "--why", "nonsense"]),
    (2, &["design", "model.sql", "--full", "--tables"]),
    (2, &["design", "model.sql", "--prices", "schema.cql"]),
    (3, &["design", "missing.sql"]),
    (3, &["design", "model.sql", "missing.sql"]),
    (3, &["design", "model.sql", "--prices", "missing.txt"]),
    (3, &["design", "model.sql", "--stats", "missing.jsonl"]),
    (3, &["design", "model.sql", "--on", "127.0.0.1:1"]),
    (3, &["design", "model.sql", "--on", "127.0.0.1:1", "--credentials", "missing.txt"]),
    (3, &["design", "model.sql", "--on", "127.0.0.1:1", "--tls-ca", "missing.pem"]),
    (3, &["design", "--from-doctor", "missing"]),
    (3, &["design", "model.sql", "--no-prove", "-o", "schema.cql/design"]),
    (0, &["diagram", "model.sql"]),
    (2, &["diagram", "mistakes.sql"]),
    (2, &["diagram", "model.sql", "-o", "picture.nonsense"]),
    (3, &["diagram", "missing.sql"]),
    (3, &["diagram", "missing.cql"]),
    (1, &["doctor", "{root}/examples/diagnostics"]),
    (2, &["doctor"]),
    (3, &["doctor", "missing"]),
    (0, &["doctor", "diff", "{root}/examples/diagnostics", "{root}/examples/diagnostics"]),
    (3, &["doctor", "diff", "missing.json", "missing.json"]),
    (0, &["estimate", "model.sql"]),
    (1, &["estimate", "large.cql"]),
    (2, &["estimate", "mistakes.sql"]),
    (2, &["estimate", "model.sql", "--table", "nonsense"]),
    (3, &["estimate", "missing.sql"]),
    (3, &["estimate", "missing.cql"]),
    (0, &["explain", "--schema", "schema.cql", "SELECT v FROM ks.t WHERE k = 1"]),
    (1, &["explain", "--schema", "schema.cql", "SELECT v FROM ks.nowhere"]),
    (2, &["explain"]),
    (3, &["explain", "--schema", "missing.cql", "SELECT v FROM ks.t"]),
    (3, &["explain", "--trace", "missing.txt"]),
    (1, &["fmt", "--check", "untidy.cql"]),
    (0, &["fmt", "untidy.cql"]),
    (0, &["fmt", "--check", "untidy.cql"]),
    (2, &["fmt", "broken.cql"]),
    (3, &["fmt", "missing.cql"]),
    (0, &["generate", "model.sql", "--lang", "python", "-o", "code"]),
    (0, &["generate", "model.sql", "--lang", "python", "-o", "code", "--check"]),
    (1, &["generate", "model.sql", "--lang", "python", "-o", "nowhere", "--check"]),
    (2, &["generate", "mistakes.sql", "--lang", "python", "-o", "code"]),
    (3, &["generate", "missing.json", "--lang", "python", "-o", "code"]),
    (0, &["init"]),
    (0, &["init", "model.sql"]),
    (3, &["init", "missing.sql"]),
    (0, &["mcp"]),
    (2, &["mcp", "--root", "model.sql"]),
    (
        3,
        &[
            "generate",
            "--schema",
            "missing.cql",
            "--queries",
            "bad.cql",
            "--lang",
            "python",
            "-o",
            "code",
        ],
    ),
    (0, &["help", "model"]),
    (2, &["help", "nonsense"]),
    (2, &["lsp", "--nonsense"]),
    (0, &["man"]),
    (3, &["man", "--dir", "schema.cql/man"]),
    (2, &["nonsense"]),
    (0, &["rule", "PK001"]),
    (2, &["rule", "nonsense"]),
    (0, &["rules"]),
    (0, &["run", "schema.cql"]),
    (1, &["run", "bad.cql"]),
    (2, &["run"]),
    (3, &["run", "missing.cql"]),
    (3, &["run", "schema.cql", "--data", "schema.cql/data"]),
    (2, &["serve", "--address", "192.0.2.1"]),
    (3, &["serve", "--port", "0", "--config", "missing.yaml"]),
    (3, &["serve", "--port", "0", "--init", "missing.cql"]),
    (0, &["shell", "-e", "SELECT key FROM system.local"]),
    (1, &["shell", "-e", "SELECT * FROM nowhere.t"]),
    (2, &["shell", "--nonsense"]),
    (3, &["shell", "-f", "missing.cql"]),
    (3, &["shell", "127.0.0.1", "1", "-e", "SELECT key FROM system.local"]),
    (0, &["stats", "--sql"]),
    (2, &["stats"]),
    (2, &["verify-copies", "mistakes.sql", "--on", "127.0.0.1:1"]),
    (3, &["verify-copies", "missing.sql", "--on", "127.0.0.1:1"]),
    (3, &["verify-copies", "model.sql", "--on", "127.0.0.1:1"]),
];

fn write_inputs(folder: &Path) {
    fs::create_dir(folder.join("empty")).expect("a folder can be made");
    for (name, text) in [
        ("bad.cql", "CREATE TABLE ks.t (a int);\n"),
        ("broken.cql", "SELECT FROM;\n"),
        ("untidy.cql", "select  * from ks.t ;\n"),
        ("mistakes.sql", "-- @row 5\nCREATE TABLE t (a int PRIMARY KEY);\n"),
        (
            "large.cql",
            "-- @rows 100M @each 5M\nCREATE TABLE ks.big (k int, c int, v text, PRIMARY KEY (k, c));\n",
        ),
    ] {
        fs::write(folder.join(name), text).expect("a file can be written");
    }
    fs::write(folder.join("binary.cql"), [0; 4_096]).expect("a file can be written");
}

/// What fails is said on standard error only: standard output has results, or nothing.
#[test]
fn exit_codes_are_as_documented() {
    let folder = make_folder("exit");
    write_inputs(&folder);
    let root = root().canonicalize().unwrap().display().to_string();
    let mut wrong = Vec::new();
    for (code, line) in COMMAND_LINES {
        let line: Vec<String> = line.iter().map(|word| word.replace("{root}", &root)).collect();
        let output = run(&folder, &line.iter().map(String::as_str).collect::<Vec<_>>());
        let (said, heard) = (text(&output.stdout), text(&output.stderr));
        let exit = output.status.code();
        if exit != Some(*code) {
            wrong.push(format!("{}: exit {exit:?}, not {code}\n{said}{heard}", line.join(" ")));
        } else if *code >= 2 && (heard.is_empty() || !said.is_empty() && line[0] != "check") {
            // A check reports the other files all the same.
            wrong.push(format!("{}: no diagnostic on standard error\n{said}", line.join(" ")));
        } else if heard.contains("panicked") {
            wrong.push(format!("{}: {heard}", line.join(" ")));
        }
    }
    remove_folder(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each command is in the table above, and the help and the page have the same table of codes.
#[test]
fn exit_codes_are_documented() {
    let folder = make_folder("exit-help");
    let help = text(&run(&folder, &["--help"]).stdout);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    // Descriptions continue further in.
    let commands =
        commands.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        let is_tested = COMMAND_LINES.iter().any(|(_, line)| line[0] == command);
        assert!(is_tested, "{command} has no exit codes in the table of this test");
    }
    let table = help.lines().skip_while(|line| !line.starts_with("Exit codes"));
    let words = |text: &str| {
        let plain = text.replace('`', "").replace('|', " ");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let table =
        words(&table.skip(1).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" "));
    let page = fs::read_to_string(root().join("docs/OUTPUT.md")).unwrap();
    let rows = page
        .lines()
        .filter(|line| ["| 0", "| 1", "| 2", "| 3"].iter().any(|it| line.starts_with(it)));
    assert_eq!(words(&rows.collect::<Vec<_>>().join(" ")), table);
    remove_folder(&folder);
}

/// Errors in a model go to standard error, or into the one document for programs.
#[test]
fn diagnostics_are_no_results() {
    let folder = make_folder("streams");
    write_inputs(&folder);
    for command in ["design", "diagram", "estimate"] {
        let output = run(&folder, &[command, "mistakes.sql"]);
        assert!(output.stdout.is_empty(), "{command}: {}", text(&output.stdout));
        assert!(text(&output.stderr).contains("error[MF101]"), "{command}");
    }
    let output = run(&folder, &["design", "mistakes.sql", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["findings"][0]["code"], "MF101");
    let output = run(&folder, &["check", "schema.cql", "missing.cql", "--format", "text"]);
    assert!(
        text(&output.stderr).contains("missing.cql cannot be read"),
        "{}",
        text(&output.stderr)
    );
    assert!(!text(&output.stdout).contains("missing.cql"));
    remove_folder(&folder);
}
