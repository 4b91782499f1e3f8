//! The language server: the Language Server Protocol on standard input and output.
//!
//! One thread reads messages (`transport`), the other handles them in order. A document
//! (`documents`) is analysed within its project, which is built once per change and serves all
//! requests (`document_request`, `actions`) until the next change. Findings are published only when
//! no message is waiting, so that a request never waits for the check of an outdated text.
//! `positions` converts between offsets and the editor's lines and characters.

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

/// The error code for an unknown method.
const METHOD_NOT_FOUND: i32 = -32601;
/// The error code after `shutdown`.
const INVALID_REQUEST: i32 = -32600;
/// The error code before `initialize`.
const NOT_INITIALIZED: i32 = -32002;

/// How long publishing findings waits for further messages: editors send requests right after a
/// change.
const PUBLISH_DELAY: Duration = Duration::from_millis(2);
/// The project is built again after this time, because files may have changed on disk.
const PROJECT_LIFETIME: Duration = Duration::from_secs(1);

/// Serves until `exit` or the end of the input; returns whether `shutdown` was received before.
pub(crate) fn serve(
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> Result<bool, Failure> {
    let (sender, messages) = channel();
    // The thread ends with the input; it is not joined on `exit`.
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
    EditorServer { output, documents, root, workspace: None, is_shut_down: false }.run(&messages)
}

struct EditorServer<'o> {
    output: &'o mut dyn Write,
    documents: Documents,
    /// The folder that the editor has open.
    root: PathBuf,
    /// The workspace of that folder, after `initialize`.
    workspace: Option<Workspace>,
    /// Whether `shutdown` was received; `exit` follows.
    is_shut_down: bool,
}

impl EditorServer<'_> {
    fn run(&mut self, messages: &Receiver<Value>) -> Result<bool, Failure> {
        let mut pending = None;
        loop {
            let next = pending.take().map_or_else(|| self.receive(messages), Ok);
            pending = match next {
                Ok(message) if message["method"] == "exit" => return Ok(self.is_shut_down),
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
                Err(RecvTimeoutError::Disconnected) => return Ok(self.is_shut_down),
            };
        }
    }

    /// The open document of a request.
    fn target_document(&self, message: &Value) -> Option<Rc<Document>> {
        message.get("id").filter(|_| !self.is_shut_down)?;
        self.documents.get(message["params"]["textDocument"]["uri"].as_str()?)
    }

    /// Builds the project of a document, answers the requests about it, and publishes its findings
    /// when no request is waiting. Returns the first message about something else, if that ended
    /// it.
    fn serve_document(
        &mut self,
        document: &Document,
        first: Option<Value>,
        messages: &Receiver<Value>,
    ) -> Result<Option<Value>, Failure> {
        let opened = self.documents.editor_texts();
        let Some(mut workspace) = self.workspace.take() else { return Ok(None) };
        let pending = workspace.with_view(&document.opened, &opened, |view| {
            self.serve_in_project(view, document, first, messages)
        });
        self.workspace = Some(workspace);
        pending
    }

    fn serve_in_project(
        &mut self,
        view: &ProjectView<'_>,
        document: &Document,
        first: Option<Value>,
        messages: &Receiver<Value>,
    ) -> Result<Option<Value>, Failure> {
        let built = Instant::now();
        let mut next = first;
        loop {
            match next {
                Some(message) => {
                    let target = self.target_document(&message);
                    let is_same = target.is_some_and(|target| target.is_same(document));
                    if !is_same || built.elapsed() > PROJECT_LIFETIME {
                        return Ok(Some(message));
                    }
                    self.answer_request(view, document, &message)?;
                }
                None => self.publish_findings(view, document)?,
            }
            next = match self.receive(messages) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) if self.documents.has_changed(document) => None,
                // Other documents have changed, or the input has ended.
                Err(_) => return Ok(None),
            };
        }
    }

    /// The next message; waits only for `PUBLISH_DELAY` while findings are to be published.
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
            // Fixes must match the current text.
            self.publish_findings(view, document)?;
        }
        let (findings, encoding) = (self.documents.findings(document), self.documents.encoding);
        let request = DocumentRequest { view, document, findings, encoding };
        let answer = request.answer(method, &message["params"]);
        self.respond(&message["id"], answer.ok_or_else(|| method_not_found(method)))
    }

    /// Handles a notification, or a request that is not about an open document.
    fn handle_message(&mut self, message: &Value) -> Result<(), Failure> {
        let method = message["method"].as_str().unwrap_or_default();
        let parameters = &message["params"];
        let Some(id) = message.get("id") else {
            return self.handle_notification(method, parameters);
        };
        if method.is_empty() {
            // A response; the server sends no requests.
            return Ok(());
        }
        let answer = match method {
            "initialize" => Ok(self.initialize(parameters)?),
            "shutdown" => {
                self.is_shut_down = true;
                Ok(Value::Null)
            }
            _ if self.is_shut_down => {
                Err((INVALID_REQUEST, "the server has been shut down".to_owned()))
            }
            _ if self.workspace.is_none() => {
                Err((NOT_INITIALIZED, "the server has not been initialized".to_owned()))
            }
            // The document is not open.
            _ if document_request::METHODS.contains(&method) => Ok(Value::Null),
            _ => Err(method_not_found(method)),
        };
        self.respond(id, answer)
    }

    fn initialize(&mut self, parameters: &Value) -> Result<Value, Failure> {
        let offered = parameters["capabilities"]["general"]["positionEncodings"].as_array();
        let is_utf8 =
            offered.is_some_and(|encodings| encodings.iter().any(|encoding| encoding == "utf-8"));
        self.documents.encoding =
            if is_utf8 { PositionEncoding::Utf8 } else { PositionEncoding::Utf16 };
        let root = [&parameters["rootUri"], &parameters["workspaceFolders"][0]["uri"]];
        let root = root.into_iter().filter_map(Value::as_str).find_map(documents::uri_to_path);
        self.root = root.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        self.workspace = Some(Workspace::open(&self.root)?);
        Ok(json!({
            "serverInfo": { "name": "helenus", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": if is_utf8 { "utf-8" } else { "utf-16" },
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

    /// Handles a notification.
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
                if let Some(notification) = self.documents.close(uri) {
                    self.notify("textDocument/publishDiagnostics", &notification)?;
                    // The file on disk counts again.
                    self.documents.mark_all_changed();
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Sets the text of a document that was opened or changed. If it belongs to the schema, all
    /// documents are checked again.
    fn set_text(&mut self, uri: &str, text: &Value, version: &Value) {
        let Some(text) = text.as_str() else { return };
        self.documents.set_text(uri, text, version);
        let path = self.documents.get(uri).and_then(|document| document.opened.path.clone());
        if self.workspace.as_ref().is_some_and(|workspace| workspace.is_schema(path.as_deref())) {
            self.documents.mark_all_changed();
        }
    }

    /// Reads the configuration again, and reports a new problem with it.
    fn reload(&mut self) -> Result<(), Failure> {
        let workspace = Workspace::open(&self.root)?;
        let before = self.workspace.replace(workspace).and_then(|before| before.problem);
        let problem = self.workspace.as_ref().and_then(|now| now.problem.as_ref());
        if problem == before.as_ref() { Ok(()) } else { self.report_problem() }
    }

    /// Shows the problem with the configuration, if any.
    fn report_problem(&mut self) -> Result<(), Failure> {
        let problem = self.workspace.as_ref().and_then(|workspace| workspace.problem.clone());
        let Some(problem) = problem else { return Ok(()) };
        self.notify(
            "window/showMessage",
            &json!({ "type": 1, "message": format!("helenus: {problem}") }),
        )
    }

    /// Publishes the findings of a document.
    fn publish_findings(
        &mut self,
        view: &ProjectView<'_>,
        document: &Document,
    ) -> Result<(), Failure> {
        let notification = self.documents.publish(document, view.findings());
        self.notify("textDocument/publishDiagnostics", &notification)
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

/// The error response to a request: a code of the protocol, and a message.
type ResponseError = (i32, String);

fn method_not_found(method: &str) -> ResponseError {
    (METHOD_NOT_FOUND, format!("unknown method {method}"))
}
