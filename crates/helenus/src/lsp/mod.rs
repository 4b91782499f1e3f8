//! The editor server: the Language Server Protocol on standard input and output.
//!
//! One thread reads messages, the other answers them in order. A document is looked at in its project, which is made once for
//! each change of a text and answers all that is asked until the next. Findings are told when nothing is waiting: a request never
//! waits for a check of a text that is already old.

mod actions;
mod document_request;
mod documents;
mod positions;
mod transport;

use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::outcome::Failure;
use crate::workspace::{ProjectView, Workspace};
use document_request::DocumentRequest;
use documents::{Document, Documents};
use positions::PositionEncoding;

/// The server's error for a method that it does not know.
const METHOD_NOT_FOUND: i32 = -32601;
/// The server's error after `shutdown`.
const INVALID_REQUEST: i32 = -32600;
/// The server's error before `initialize`.
const NOT_INITIALIZED: i32 = -32002;

/// What an editor asks with a keystroke comes right behind it: so long findings wait for it.
const PUBLISH_DELAY: Duration = Duration::from_millis(2);
/// After so long files may have changed: the project is made anew.
const PROJECT_LIFETIME: Duration = Duration::from_secs(1);

/// Serves until the editor says so or goes away; whether it said goodbye first.
pub(crate) fn serve(
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> Result<bool, Failure> {
    let (sender, messages) = channel();
    // It ends with the input; nothing is waited for when the editor says exit.
    thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(message)) = transport::read(&mut input) {
            if sender.send(message).is_err() {
                return;
            }
        }
    });
    let documents = Documents::default();
    let root = PathBuf::new();
    EditorServer { output, documents, root, workspace: None, has_ended: false }.run(&messages)
}

struct EditorServer<'o> {
    output: &'o mut dyn Write,
    documents: Documents,
    /// The folder of the editor.
    root: PathBuf,
    /// What it says, once the editor has named it.
    workspace: Option<Workspace>,
    /// The editor asked for the end, and will say exit.
    has_ended: bool,
}

impl EditorServer<'_> {
    fn run(&mut self, messages: &Receiver<Value>) -> Result<bool, Failure> {
        let mut left = None;
        loop {
            let next = left.take().map_or_else(|| self.receive(messages), Ok);
            left = match next {
                Ok(message) if message["method"] == "exit" => return Ok(self.has_ended),
                Ok(message) => {
                    if let Some(document) = self.target_document(&message) {
                        self.serve_document(&document, Some(message), messages)?
                    } else {
                        self.handle_message(&message)?;
                        None
                    }
                }
                Err(RecvTimeoutError::Timeout) => match self.documents.next_changed() {
                    Some(document) => self.serve_document(&document, None, messages)?,
                    None => None,
                },
                Err(RecvTimeoutError::Disconnected) => return Ok(self.has_ended),
            };
        }
    }

    /// The open document that a request is about.
    fn target_document(&self, message: &Value) -> Option<Rc<Document>> {
        message.get("id").filter(|_| !self.has_ended)?;
        self.documents.get(message["params"]["textDocument"]["uri"].as_str()?)
    }

    /// Looks at a document in its project: answers what is asked about it, and tells its findings when nothing is asked. The
    /// message that is about something else, if one ended it.
    fn serve_document(
        &mut self,
        document: &Document,
        first: Option<Value>,
        messages: &Receiver<Value>,
    ) -> Result<Option<Value>, Failure> {
        let opened = self.documents.editor_texts();
        let Some(mut workspace) = self.workspace.take() else { return Ok(None) };
        let looked = workspace.with_view(&document.opened, &opened, |view| {
            self.serve_in_project(view, document, first, messages)
        });
        self.workspace = Some(workspace);
        looked
    }

    fn serve_in_project(
        &mut self,
        view: &ProjectView<'_>,
        document: &Document,
        first: Option<Value>,
        messages: &Receiver<Value>,
    ) -> Result<Option<Value>, Failure> {
        let made = Instant::now();
        let mut next = first;
        loop {
            match next {
                Some(message) => {
                    let asked = self.target_document(&message);
                    let is_here = asked.is_some_and(|asked| asked.is_same(document));
                    if !is_here || made.elapsed() > PROJECT_LIFETIME {
                        return Ok(Some(message));
                    }
                    self.answer_request(view, document, &message)?;
                }
                None => self.publish_findings(view, document)?,
            }
            next = match self.receive(messages) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) if self.documents.has_changed(document) => None,
                // Others have changed, or the editor is gone.
                Err(_) => return Ok(None),
            };
        }
    }

    /// The next message; while something is to be told, one that comes at once.
    fn receive(&self, messages: &Receiver<Value>) -> Result<Value, RecvTimeoutError> {
        match self.documents.next_changed() {
            Some(_) => messages.recv_timeout(PUBLISH_DELAY),
            None => messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Answers a request about a document.
    fn answer_request(
        &mut self,
        view: &ProjectView<'_>,
        document: &Document,
        message: &Value,
    ) -> Result<(), Failure> {
        let method = message["method"].as_str().unwrap_or_default();
        if method == "textDocument/codeAction" && self.documents.has_changed(document) {
            // Fixes are those of the text as it is now.
            self.publish_findings(view, document)?;
        }
        let (told, encoding) = (self.documents.findings(document), self.documents.encoding);
        let question = DocumentRequest { view, document, findings: told, encoding };
        let answer = question.answer(method, &message["params"]);
        self.respond(&message["id"], answer.ok_or_else(|| method_not_found(method)))
    }

    /// Takes note of what the editor did, or answers a request that is about no open document.
    fn handle_message(&mut self, message: &Value) -> Result<(), Failure> {
        let method = message["method"].as_str().unwrap_or_default();
        let parameters = &message["params"];
        let Some(id) = message.get("id") else {
            return self.handle_notification(method, parameters);
        };
        if method.is_empty() {
            // An answer of the editor; nothing is asked of it.
            return Ok(());
        }
        let answer = match method {
            "initialize" => Ok(self.initialize(parameters)?),
            "shutdown" => {
                self.has_ended = true;
                Ok(Value::Null)
            }
            _ if self.has_ended => {
                Err((INVALID_REQUEST, "the server has been shut down".to_owned()))
            }
            _ if self.workspace.is_none() => {
                Err((NOT_INITIALIZED, "initialize comes first".to_owned()))
            }
            // Of a document that is not open there is nothing to say.
            _ if document_request::METHODS.contains(&method) => Ok(Value::Null),
            _ => Err(method_not_found(method)),
        };
        self.respond(id, answer)
    }

    fn initialize(&mut self, parameters: &Value) -> Result<Value, Failure> {
        let offered = parameters["capabilities"]["general"]["positionEncodings"].as_array();
        let in_bytes = offered.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        self.documents.encoding =
            if in_bytes { PositionEncoding::Utf8 } else { PositionEncoding::Utf16 };
        let root = [&parameters["rootUri"], &parameters["workspaceFolders"][0]["uri"]];
        let root = root.into_iter().filter_map(Value::as_str).find_map(documents::uri_to_path);
        self.root = root.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        self.workspace = Some(Workspace::open(&self.root)?);
        Ok(json!({
            "serverInfo": { "name": "helenus", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": if in_bytes { "utf-8" } else { "utf-16" },
                "textDocumentSync": { "openClose": true, "change": 1, "save": true },
                "hoverProvider": true,
                "completionProvider": { "triggerCharacters": [".", " "] },
                "definitionProvider": true,
                "documentSymbolProvider": true,
                "documentFormattingProvider": true,
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            },
        }))
    }

    /// Takes note of what the editor did.
    fn handle_notification(&mut self, method: &str, parameters: &Value) -> Result<(), Failure> {
        if self.workspace.is_none() {
            return Ok(());
        }
        if method == "initialized" {
            return self.report_problem();
        }
        let document = &parameters["textDocument"];
        let Some(uri) = document["uri"].as_str() else { return Ok(()) };
        match method {
            "textDocument/didOpen" => {
                self.reload()?;
                self.set_text(uri, &document["text"], &document["version"]);
            }
            "textDocument/didChange" => {
                let changes = parameters["contentChanges"].as_array();
                if let Some(whole) = changes.and_then(|all| all.last()) {
                    self.set_text(uri, &whole["text"], &document["version"]);
                }
            }
            "textDocument/didSave" => {
                self.reload()?;
                self.documents.mark_all_changed();
            }
            "textDocument/didClose" => {
                if let Some(told) = self.documents.close(uri) {
                    self.notify("textDocument/publishDiagnostics", &told)?;
                    // What is on disk counts again.
                    self.documents.mark_all_changed();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A text that was opened or changed. What uses it is checked again.
    fn set_text(&mut self, uri: &str, text: &Value, version: &Value) {
        let Some(text) = text.as_str() else { return };
        self.documents.set_text(uri, text, version);
        let path = self.documents.get(uri).and_then(|document| document.opened.path.clone());
        if self.workspace.as_ref().is_some_and(|known| known.is_schema(path.as_deref())) {
            self.documents.mark_all_changed();
        }
    }

    /// Reads the configuration again, if there may be another.
    fn reload(&mut self) -> Result<(), Failure> {
        let workspace = Workspace::open(&self.root)?;
        let before = self.workspace.replace(workspace).and_then(|before| before.problem);
        let problem = self.workspace.as_ref().and_then(|now| now.problem.as_ref());
        if problem == before.as_ref() { Ok(()) } else { self.report_problem() }
    }

    /// Tells what is wrong with the configuration.
    fn report_problem(&mut self) -> Result<(), Failure> {
        let problem = self.workspace.as_ref().and_then(|workspace| workspace.problem.clone());
        let Some(problem) = problem else { return Ok(()) };
        self.notify(
            "window/showMessage",
            &json!({ "type": 1, "message": format!("helenus: {problem}") }),
        )
    }

    /// Tells the findings of a document.
    fn publish_findings(
        &mut self,
        view: &ProjectView<'_>,
        document: &Document,
    ) -> Result<(), Failure> {
        let told = self.documents.publish(document, view.findings());
        self.notify("textDocument/publishDiagnostics", &told)
    }

    fn notify(&mut self, method: &str, parameters: &Value) -> Result<(), Failure> {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": parameters });
        Ok(transport::write(self.output, &message)?)
    }

    fn respond(&mut self, id: &Value, answer: Result<Value, ResponseError>) -> Result<(), Failure> {
        let message = match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, message)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        };
        Ok(transport::write(self.output, &message)?)
    }
}

/// Why a request is not answered: a code of the protocol, and words.
type ResponseError = (i32, String);

fn method_not_found(method: &str) -> ResponseError {
    (METHOD_NOT_FOUND, format!("{method} is not known"))
}
