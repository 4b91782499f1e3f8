//! `helenus lsp`: the editor server.

use std::io::Write;

use crate::lsp;
use crate::outcome::{Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  helenus lsp        speaks the Language Server Protocol on standard input and output

Editors start it themselves: docs/EDITORS.md says how in VS Code, Neovim and JetBrains.
The settings are those of `helenus check`: helenus.toml in the opened folder or above it.";

/// Serve editors: findings as you type, quick fixes, hover, completion, definitions, outline, formatting
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LspArguments {
    /// Accepted because editors pass it; it is the only way to talk
    #[arg(long)]
    stdio: bool,
}

impl LspArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let said_goodbye = lsp::serve(std::io::stdin(), out)?;
        let Self { stdio: _ } = self;
        // The protocol wants 1 from a server that was told to exit before it was told to shut down.
        Ok(if said_goodbye { Outcome::Fine } else { Outcome::Findings })
    }
}
