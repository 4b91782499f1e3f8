//! `helenus mcp`: a server of the Model Context Protocol on standard input and output, for coding
//! assistants.
//!
//! - `server` speaks the protocol (through `rmcp`): tools, resources, prompts.
//! - `tool` lists the tools, each in a file of its own; they answer with a
//!   [`Brief`](crate::render::brief::Brief).
//! - `tool_process` runs every call in a process of its own, this program again with `--call`: so it
//!   can be stopped at any moment, whatever it computes, and its memory is bounded.
//! - `call_progress` tells the client how long a call has run.
//! - `project_root` keeps what tools read below one folder; `model_input` reads models.
//! - `documents` are the resources and prompts.

mod call_progress;
mod check;
mod design;
mod documents;
mod estimate;
mod explain;
mod model_input;
mod project_root;
mod rule;
mod run;
mod server;
mod tool;
mod tool_process;
mod what_if;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::option_values;
use crate::outcome::{Failure, Outcome};
use server::ToolServer;
use tool_process::ProcessLimits;

const EXAMPLES: &str = "\
Examples:
  helenus mcp                              # on standard input and output
  helenus mcp --root ~/projects/shop
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' | helenus mcp

Assistants start the server themselves; docs/MCP.md describes the setup for the common ones.
Every tool reads files below the root only, writes none, and uses no network.

Exit code: 0 the client closed the connection, 2 invalid usage, 3 the root cannot be read.";

/// Serve the tools to coding assistants over the Model Context Protocol
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct McpArguments {
    /// Folder below which files may be read
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Longest time that one call may take
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = option_values::duration)]
    time_limit: Duration,
    /// Most memory that one call may take (watched on Linux; elsewhere only the tables of `run` are
    /// bounded)
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = option_values::bytes)]
    memory_limit: f64,
    /// Calls that run at the same time; further ones wait
    #[arg(long, value_name = "CALLS", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    concurrency: u16,
    /// Run one call of this tool, with its arguments on standard input
    #[arg(long, value_name = "TOOL", hide = true)]
    call: Option<String>,
}

impl McpArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if let Some(tool) = &self.call {
            return tool_process::run_call(tool, &self.root, out);
        }
        let root = self.root.canonicalize();
        let root = root.map_err(|error| Failure::unreadable_file(&self.root, &error))?;
        if !root.is_dir() {
            let message = format!("--root: {} is not a directory", self.root.display());
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        if io::stdin().is_terminal() {
            anstream::eprintln!(
                "waiting for messages of the Model Context Protocol; assistants start this server themselves (see docs/MCP.md), Ctrl+D ends it"
            );
        }
        let limits = ProcessLimits { time: self.time_limit, memory_bytes: self.memory_limit };
        ToolServer::new(root, limits, usize::from(self.concurrency)).serve()?;
        Ok(Outcome::Fine)
    }
}
