//! A client of the protocol's SDK, and the server that it started.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use rmcp::model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value};
use tokio::process::{Child, Command};

/// A client that keeps what it is told of progress.
#[derive(Clone, Default)]
pub(crate) struct ProgressKeeper(pub(crate) Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for ProgressKeeper {
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push(progress);
    }
}

/// A connected client.
pub(crate) struct AssistantSession {
    pub(crate) client: RunningService<RoleClient, ProgressKeeper>,
    pub(crate) progress: ProgressKeeper,
    /// Ends with the session.
    _server: Child,
}

impl AssistantSession {
    /// Starts the server for a folder.
    pub(crate) async fn open(root: &Path, options: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_helenus"))
            .arg("mcp")
            .arg("--root")
            .arg(root)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take().expect("it has an input");
        let output = server.stdout.take().expect("it has an output");
        let progress = ProgressKeeper::default();
        let client = progress.clone().serve((output, input)).await.expect("the handshake succeeds");
        Self { client, progress, _server: server }
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        self.client.call_tool(request(tool, arguments)).await.expect("calls are answered")
    }

    /// The data of an answer that is no error.
    pub(crate) async fn ask(&self, tool: &'static str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments).await;
        assert_eq!(answer.is_error, Some(false), "{tool}: {}", text(&answer));
        answer.structured_content.expect("answers have data")
    }

    /// The text of an answer that is an error.
    pub(crate) async fn fail(&self, tool: &'static str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert_eq!(answer.is_error, Some(true), "{tool}: {}", text(&answer));
        text(&answer)
    }
}

pub(crate) fn request(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    CallToolRequestParams::new(tool).with_arguments(Map::clone(&arguments))
}

/// The text of an answer.
pub(crate) fn text(answer: &CallToolResult) -> String {
    let texts = answer.content.iter().filter_map(|content| content.as_text());
    texts.map(|content| content.text.as_str()).collect()
}
