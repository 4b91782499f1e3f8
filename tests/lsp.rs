//! A scripted editor talks to `helenus lsp`.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest that an answer may take on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(30);

struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: u64,
    told: Vec<Value>,
}

impl Editor {
    fn open(root: &str) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take().expect("it has an input");
        let output = server.stdout.take().expect("it has an output");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Self { server, input, messages, next: 0, told: Vec::new() };
        let answer = editor.ask("initialize", &json!({ "rootUri": root, "capabilities": {} }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn tell(&mut self, method: &str, parameters: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer");
            if message["id"] == id {
                assert!(message["error"].is_null(), "{message}");
                return message["result"].clone();
            }
            self.told.push(message);
        }
    }

    fn open_text(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "cql", "version": 1, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn change(&mut self, uri: &str, version: u64, text: &str) {
        let parameters = json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.tell("textDocument/didChange", &parameters);
    }

    /// The findings of a version of a text.
    fn findings(&mut self, uri: &str, version: u64) -> Vec<Value> {
        loop {
            let is_it = |message: &Value| {
                message["params"]["uri"] == uri && message["params"]["version"] == version
            };
            if let Some(told) = self.told.iter().find(|message| is_it(message)) {
                return told["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
            }
            let message = self.messages.recv_timeout(PATIENCE).expect("findings");
            self.told.push(message);
        }
    }

    fn at(&mut self, method: &str, uri: &str, line: usize, character: usize) -> Value {
        let parameters = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
        });
        self.ask(method, &parameters)
    }

    fn close(mut self) {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        let status = self.server.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().ok()?,
            None if line.trim_end().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

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
    let mended = TEXT.replace(" ALLOW FILTERING", "").replace("nme", "user_id");
    editor.change(&uri, 2, &mended);
    let left = editor.findings(&uri, 2);
    assert!(left.iter().all(|one| one["code"] != "QP004" && one["severity"] != 1), "{left:#?}");
    let shown = editor.at("textDocument/hover", &uri, 1, 18);
    let words = shown["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(words.contains("K   user_id  uuid"), "{words}");
    let path = editor.at("textDocument/hover", &uri, 1, 2);
    let words = path["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(words.contains("partition"), "{words}");
    let definition = editor.at("textDocument/definition", &uri, 1, 30);
    assert_eq!(definition["range"]["start"], json!({ "line": 0, "character": 20 }));
    let items = editor.at("textDocument/completion", &uri, 1, 7);
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
    let definition = editor.at("textDocument/definition", &uri, 1, 40);
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
    let items = editor.at("textDocument/completion", &uri, 6, 7);
    assert!(start.elapsed() < PATIENCE);
    assert!(items.as_array().is_some_and(|items| !items.is_empty()));
    editor.findings(&uri, 11);
    editor.close();
    std::fs::remove_dir_all(&folder).expect("it is there");
}
