//! A scripted editor.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// The longest that an answer may take on a loaded machine.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// An editor, and the server that it started.
pub(crate) struct Editor {
    server: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    next: u64,
    published: Vec<Value>,
    /// What it was asked to show to people.
    pub(crate) shown: String,
}

impl Editor {
    /// Starts the server for a folder.
    pub(crate) fn open(root: &str) -> Self {
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
        let mut editor =
            Self { server, input, messages, next: 0, published: Vec::new(), shown: String::new() };
        let answer = editor.ask("initialize", &json!({ "rootUri": root, "capabilities": {} }));
        assert_eq!(answer["capabilities"]["hoverProvider"], true);
        editor.notify("initialized", &json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.input.flush().expect("it listens");
    }

    fn notify(&mut self, method: &str, parameters: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.messages.recv_timeout(ANSWER_TIMEOUT).expect("an answer");
            if message["id"] == id {
                assert!(message["error"].is_null(), "{message}");
                return message["result"].clone();
            }
            self.published.push(message);
        }
    }

    /// Opens a document, in its first version.
    pub(crate) fn open_text(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "cql", "version": 1, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Says that a document has another text.
    pub(crate) fn change(&mut self, uri: &str, version: u64, text: &str) {
        let parameters = json!({
            "textDocument": { "uri": uri, "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.notify("textDocument/didChange", &parameters);
    }

    /// The findings of a version of a document.
    pub(crate) fn findings(&mut self, uri: &str, version: u64) -> Vec<Value> {
        let is_it = |message: &Value| {
            message["params"]["uri"] == uri && message["params"]["version"] == version
        };
        loop {
            if let Some(at) = self.published.iter().position(is_it) {
                let published = self.published.swap_remove(at);
                return published["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
            }
            self.published.clear();
            let message = self.messages.recv_timeout(ANSWER_TIMEOUT).expect("findings");
            if message["method"] == "window/showMessage" {
                self.shown.push_str(message["params"]["message"].as_str().unwrap_or_default());
            }
            self.published.push(message);
        }
    }

    /// Asks about a place.
    pub(crate) fn ask_at(
        &mut self,
        method: &str,
        uri: &str,
        line: usize,
        character: usize,
    ) -> Value {
        let parameters = json!({
            "textDocument": { "uri": uri },
            "position": { "line": line, "character": character },
        });
        self.ask(method, &parameters)
    }

    /// Ends the server.
    pub(crate) fn close(mut self) {
        self.ask("shutdown", &Value::Null);
        self.notify("exit", &Value::Null);
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
