//! The editor server: the Language Server Protocol on standard input and output.
//!
//! One thread reads messages; the other answers them in order and, when nothing is waiting, checks what was changed last: a
//! request never waits for a check of a text that is already old.

mod actions;
mod answers;
mod documents;
mod framing;
mod positions;

use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use serde_json::{Value, json};

pub(crate) use documents::Workspace;

use documents::Documents;
use positions::Encoding;

/// The server's error for a method that it does not know.
const METHOD_NOT_FOUND: i32 = -32601;
/// The server's error before `initialize`, and after `shutdown`.
const INVALID_REQUEST: i32 = -32600;

/// Serves until the editor says so or goes away; whether it said goodbye first.
pub(crate) fn serve(
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
    workspace: fn(&std::path::Path) -> Workspace,
) -> std::io::Result<bool> {
    let (sender, messages) = channel();
    // It ends with the input; nothing is waited for when the editor says exit.
    thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(message)) = framing::read(&mut input) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    Server { output, documents: Documents::default(), workspace, has_ended: false }.run(&messages)
}

struct Server<'o> {
    output: &'o mut dyn Write,
    documents: Documents,
    workspace: fn(&std::path::Path) -> Workspace,
    /// The editor asked for the end, and will say exit.
    has_ended: bool,
}

impl Server<'_> {
    fn run(&mut self, messages: &Receiver<Value>) -> std::io::Result<bool> {
        loop {
            let message = match messages.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => return Ok(self.has_ended),
                Err(TryRecvError::Empty) => {
                    self.tell_findings()?;
                    match messages.recv() {
                        Ok(message) => message,
                        Err(_) => return Ok(self.has_ended),
                    }
                }
            };
            if message["method"] == "exit" {
                return Ok(self.has_ended);
            }
            self.take(&message)?;
        }
    }

    /// Answers a request, or takes note of a notification.
    fn take(&mut self, message: &Value) -> std::io::Result<()> {
        let method = message["method"].as_str().unwrap_or_default();
        let parameters = &message["params"];
        let Some(id) = message.get("id") else {
            self.note(method, parameters);
            return Ok(());
        };
        let answer = match method {
            "initialize" => Ok(self.initialize(parameters)),
            "shutdown" => {
                self.has_ended = true;
                Ok(Value::Null)
            }
            _ if self.has_ended => {
                Err((INVALID_REQUEST, "the server has been shut down".to_owned()))
            }
            _ => answers::answer(&mut self.documents, method, parameters)
                .ok_or_else(|| (METHOD_NOT_FOUND, format!("{method} is not known"))),
        };
        let message = match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, message)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        };
        framing::write(self.output, &message)
    }

    fn initialize(&mut self, parameters: &Value) -> Value {
        let offered = parameters["capabilities"]["general"]["positionEncodings"].as_array();
        let in_bytes = offered.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        self.documents.encoding = if in_bytes { Encoding::Utf8 } else { Encoding::Utf16 };
        let root = parameters["rootUri"].as_str().and_then(documents::path_of);
        let root = root.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        self.documents.workspace = (self.workspace)(&root);
        json!({
            "serverInfo": { "name": "helenus", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": if in_bytes { "utf-8" } else { "utf-16" },
                "textDocumentSync": { "openClose": true, "change": 1, "save": false },
                "hoverProvider": true,
                "completionProvider": { "triggerCharacters": [".", " "] },
                "definitionProvider": true,
                "documentSymbolProvider": true,
                "documentFormattingProvider": true,
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            },
        })
    }

    /// Takes note of what the editor did.
    fn note(&mut self, method: &str, parameters: &Value) {
        let document = &parameters["textDocument"];
        let Some(uri) = document["uri"].as_str() else { return };
        match method {
            "textDocument/didOpen" => {
                if let Some(text) = document["text"].as_str() {
                    self.documents.put(uri, text, &document["version"]);
                }
            }
            "textDocument/didChange" => {
                let changes = parameters["contentChanges"].as_array();
                let whole = changes.and_then(|all| all.last()).and_then(|one| one["text"].as_str());
                if let Some(text) = whole {
                    self.documents.put(uri, text, &document["version"]);
                }
            }
            "textDocument/didClose" => self.documents.close(uri),
            _ => {}
        }
    }

    /// Tells the findings of what was changed since they were told last.
    fn tell_findings(&mut self) -> std::io::Result<()> {
        for told in self.documents.findings() {
            let message = json!({
                "jsonrpc": "2.0",
                "method": "textDocument/publishDiagnostics",
                "params": told,
            });
            framing::write(self.output, &message)?;
        }
        Ok(())
    }
}
