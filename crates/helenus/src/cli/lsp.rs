//! `helenus lsp`: the language server.

use std::io::Write;

use crate::lsp;
use crate::outcome::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  helenus lsp        # use the Language Server Protocol on standard input and output

Editors start the server themselves; docs/EDITORS.md describes the setup for VS Code, Neovim
and JetBrains IDEs. The configuration is that of `helenus check`: helenus.toml in the opened
directory or above it.";

/// Start the language server: findings as you type, quick fixes, hover, completion, definitions,
/// outline, formatting
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LspArguments {
    /// Use standard input and output (the default; accepted because editors pass it)
    #[arg(long)]
    stdio: bool,
}

impl LspArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let is_shut_down = lsp::serve(std::io::stdin(), out)?;
        let Self { stdio: _ } = self;
        // The protocol requires exit code 1 for an exit without a preceding shutdown request.
        Ok(if is_shut_down { Outcome::Fine } else { Outcome::Findings })
    }
}
