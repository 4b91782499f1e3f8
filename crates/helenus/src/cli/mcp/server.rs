//! [`ToolServer`]: the protocol, as far as `rmcp` leaves it open: lists of tools, resources and
//! prompts, and calls of tools.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tokio::sync::Semaphore;

use super::call_progress::CallProgress;
use super::documents;
use super::tool::{TOOLS, ToolEntry};
use super::tool_process::{self, ProcessLimits, ToolAnswer};
use crate::outcome::{Failure, Outcome};
use crate::render::brief::Brief;

/// What the server tells the assistant at the start.
const INSTRUCTIONS: &str = "\
Helenus designs and checks data models for Apache Cassandra.
- For a new application or a move from SQL: read the resource helenus://docs/model, write the SQL tables and queries, call `design`, then `what-if` for variants.
- For an existing schema: `check` for mistakes, `explain` before a query is used, `estimate` for the growth of partitions, `run` to try statements.
- `rule` explains every code in an answer.
Files are read below the project's root only and never written. Long answers are cut and say how to read on.";

/// Calls that may wait for their turn.
const WAITING_MAX: usize = 32;

/// The server.
pub(super) struct ToolServer {
    root: PathBuf,
    limits: ProcessLimits,
    /// The calls that may run.
    turns: Arc<Semaphore>,
    /// The number of calls that wait or run.
    open: AtomicUsize,
    open_max: usize,
}

impl ToolServer {
    pub(super) fn new(root: PathBuf, limits: ProcessLimits, concurrency: usize) -> Self {
        Self {
            root,
            limits,
            turns: Arc::new(Semaphore::new(concurrency)),
            open: AtomicUsize::new(0),
            open_max: concurrency + WAITING_MAX,
        }
    }

    /// Serves on standard input and output until the client closes the connection.
    pub(super) fn serve(self) -> Result<(), Failure> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let served = runtime.block_on(async {
            // A client that leaves before or during the handshake is no failure.
            let Ok(running) = ServiceExt::serve(self, rmcp::transport::stdio()).await else {
                return Ok(());
            };
            running.waiting().await.map(drop)
        });
        // A thread may be blocked in a read of standard input.
        runtime.shutdown_background();
        served.map_err(|error| Failure::Stopped(Outcome::EnvironmentFailed, error.to_string()))
    }

    /// Runs a call when it is its turn.
    async fn answer(
        &self,
        tool: &ToolEntry,
        arguments: serde_json::Map<String, serde_json::Value>,
        context: &RequestContext<RoleServer>,
    ) -> ToolAnswer {
        let Some(_open) = OpenCall::count(&self.open, self.open_max) else {
            return refuse_call();
        };
        let Ok(_turn) = self.turns.acquire().await else { return refuse_call() };
        let progress = CallProgress::new(context, tool.name, self.limits.time.as_secs_f64());
        tool_process::call(tool, &self.root, arguments, self.limits, &progress).await
    }
}

fn refuse_call() -> ToolAnswer {
    let mut brief = Brief::refusal("too many calls are waiting");
    brief.next.push("Call again when earlier calls have been answered.".to_owned());
    brief.into()
}

/// A call that waits or runs; it no longer counts when it is dropped.
struct OpenCall<'a>(&'a AtomicUsize);

impl<'a> OpenCall<'a> {
    /// Counts a call; `None` if there are too many.
    fn count(open: &'a AtomicUsize, most: usize) -> Option<Self> {
        let call = Self(open);
        (open.fetch_add(1, Ordering::Relaxed) < most).then_some(call)
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl ServerHandler for ToolServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let own = Implementation::new("helenus", env!("CARGO_PKG_VERSION")).with_title("Helenus");
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(describe_tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = ToolEntry::find(&request.name) else {
            let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!("unknown tool; there are {}", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let answer = tokio::select! {
            answer = self.answer(tool, arguments, &context) => answer,
            () = context.ct.cancelled() => Brief::refusal("cancelled").into(),
        };
        let content = vec![ContentBlock::text(answer.text)];
        let mut result = if answer.is_error {
            CallToolResult::error(content)
        } else {
            CallToolResult::success(content)
        };
        result.structured_content = Some(answer.data);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(documents::list_resources()))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(documents::list_templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        documents::read_resource(&request.uri).map(Into::into)
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(documents::list_prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        documents::write_prompt(&request.name, &request.arguments.unwrap_or_default())
            .map(Into::into)
    }
}

/// A tool as the protocol lists it.
fn describe_tool(tool: &ToolEntry) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new(tool.name, tool.description, tool.schema())
        .with_title(tool.title)
        .with_annotations(hints)
}
