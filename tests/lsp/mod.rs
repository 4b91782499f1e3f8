//! A scripted editor talks to `helenus lsp`.

mod editor;

use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;

use editor::{ANSWER_TIMEOUT, Editor};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("helenus-lsp-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

const TEXT: &str = "CREATE TABLE users (user_id uuid PRIMARY KEY, name text);
SELECT name FROM users WHERE user_id = ? ALLOW FILTERING;
SELECT name FROM users WHERE nme = ?;
";

#[test]
fn an_editor_is_told_what_is_wrong_and_how_to_mend_it() {
    let folder = folder("alone");
    let root = format!("file://{}", folder.display());
    let uri = format!("{root}/queries.cql");
    let mut editor = Editor::open(&root);
    editor.open_text(&uri, TEXT);
    let found = editor.findings(&uri, 1);
    let code = |line: u64| {
        let here = found.iter().filter(|one| one["range"]["start"]["line"] == line);
        here.map(|one| one["code"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert!(code(1).contains(&"QP004".to_owned()), "{found:#?}");
    assert!(!code(2).is_empty(), "{found:#?}");
    let line =
        json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 90 } });
    let parameters = json!({ "textDocument": { "uri": uri }, "range": line, "context": {} });
    let actions = editor.ask("textDocument/codeAction", &parameters);
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!(edit["newText"], "", "{actions:#}");
    // What the fix makes has no such finding.
    let fixed = TEXT.replace(" ALLOW FILTERING", "").replace("nme", "user_id");
    editor.change(&uri, 2, &fixed);
    let left = editor.findings(&uri, 2);
    assert!(left.iter().all(|one| one["code"] != "QP004" && one["severity"] != 1), "{left:#?}");
    let shown = editor.ask_at("textDocument/hover", &uri, 1, 18);
    let words = shown["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(words.contains("K   user_id  uuid"), "{words}");
    let path = editor.ask_at("textDocument/hover", &uri, 1, 2);
    let words = path["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(words.contains("partition"), "{words}");
    let definition = editor.ask_at("textDocument/definition", &uri, 1, 30);
    assert_eq!(definition["range"]["start"], json!({ "line": 0, "character": 20 }));
    let items = editor.ask_at("textDocument/completion", &uri, 1, 7);
    let first = items[0]["label"].as_str().unwrap_or_default().to_owned();
    assert_eq!(first, "name", "{items:#}");
    let outline =
        editor.ask("textDocument/documentSymbol", &json!({ "textDocument": { "uri": uri } }));
    assert_eq!(outline[0]["name"], "users");
    let parameters = json!({ "textDocument": { "uri": uri }, "options": {} });
    let edits = editor.ask("textDocument/formatting", &parameters);
    assert!(
        edits[0]["newText"].as_str().is_some_and(|text| text.contains("user_id uuid")),
        "{edits:#}"
    );
    editor.close();
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn programs_are_checked_against_the_schema_of_the_folder() {
    let folder = folder("program");
    std::fs::write(folder.join("schema.cql"), "CREATE KEYSPACE app WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};\nCREATE TABLE app.users (id uuid PRIMARY KEY, name text);\n")
        .expect("a file can be written");
    std::fs::write(folder.join("helenus.toml"), "schema = [\"schema.cql\"]\n")
        .expect("a file can be written");
    let root = format!("file://{}", folder.display());
    let uri = format!("{root}/Users.java");
    let mut editor = Editor::open(&root);
    let text = "class Users {\n  String q = \"SELECT name FROM app.users WHERE nme = ?\";\n}\n";
    editor.open_text(&uri, text);
    let found = editor.findings(&uri, 1);
    let wrong = found.iter().find(|one| one["severity"] == 1).expect("a refusal");
    assert_eq!(wrong["range"]["start"]["line"], 1, "{found:#?}");
    let definition = editor.ask_at("textDocument/definition", &uri, 1, 40);
    let target = definition["uri"].as_str().unwrap_or_default();
    assert!(target.ends_with("/schema.cql"), "{definition}");
    editor.close();
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn requests_are_answered_while_somebody_types() {
    let folder = folder("typing");
    let root = format!("file://{}", folder.display());
    let uri = format!("{root}/large.cql");
    let mut editor = Editor::open(&root);
    let table = |table: usize| {
        format!(
            "CREATE TABLE t{table} (\n  id uuid,\n  at timestamp,\n  name text,\n  PRIMARY KEY (id, at)\n);\nSELECT name\nFROM t{table}\nWHERE id = ?;\n\n"
        )
    };
    let text: String = (0..500).map(table).collect();
    editor.open_text(&uri, &text);
    for version in 2..12 {
        editor.change(&uri, version, &format!("{text}-- {version}\n"));
    }
    let start = Instant::now();
    let items = editor.ask_at("textDocument/completion", &uri, 6, 7);
    assert!(start.elapsed() < ANSWER_TIMEOUT);
    assert!(items.as_array().is_some_and(|items| !items.is_empty()));
    editor.findings(&uri, 11);
    editor.close();
    std::fs::remove_dir_all(&folder).expect("it is there");
}

/// Steps of a migration are looked at in their place, whichever is open, and what a change of one means for the others is published.
#[test]
fn open_steps_of_a_migration_stay_in_their_place() {
    let folder = folder("steps");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a file can be written");
    };
    let (first, second) =
        ("CREATE TABLE t (id int PRIMARY KEY, a int);", "ALTER TABLE t ADD b int;");
    write("V1__t.cql", first);
    write("V2__b.cql", second);
    write("V3__c.cql", "ALTER TABLE t DROP b;");
    write("helenus.toml", "schema = \".\"\nmin-severity = \"error\"\n");
    let root = format!("file://{}", folder.display());
    let mut editor = Editor::open(&root);
    let uri = |name: &str| format!("{root}/{name}");
    editor.open_text(&uri("V2__b.cql"), second);
    assert_eq!(editor.findings(&uri("V2__b.cql"), 1).len(), 0);
    editor.open_text(&uri("V1__t.cql"), first);
    assert_eq!(editor.findings(&uri("V1__t.cql"), 1).len(), 0);
    // The same version, published again: there is no such table any more.
    editor.change(&uri("V1__t.cql"), 2, &first.replace("TABLE t", "TABLE other"));
    let found = editor.findings(&uri("V2__b.cql"), 1);
    let found = if found.is_empty() { editor.findings(&uri("V2__b.cql"), 1) } else { found };
    assert_eq!(found.len(), 1, "{found:#?}");
    editor.close();
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn a_wrong_configuration_is_told() {
    let folder = folder("wrong");
    std::fs::write(folder.join("helenus.toml"), "shcema = 1\n").expect("a file can be written");
    let root = format!("file://{}", folder.display());
    let uri = format!("{root}/queries.cql");
    let mut editor = Editor::open(&root);
    editor.open_text(&uri, TEXT);
    assert!(!editor.findings(&uri, 1).is_empty(), "the text is checked all the same");
    let published = editor.shown.clone();
    assert!(published.contains("unknown key `shcema`; did you mean schema?"), "{published}");
    editor.close();
    std::fs::remove_dir_all(&folder).expect("it is there");
}
