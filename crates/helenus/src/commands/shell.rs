//! `helenus shell`: a prompt, as cqlsh's, on an engine of its own.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use shell::Screen;

use crate::interrupt::listen_to_ctrl_c;
use crate::outcome::{Failure, Outcome};
use crate::source::Source;

const EXAMPLES: &str = "\
Examples:
  helenus shell                                      in memory: gone when you leave
  helenus shell --data db                            what is written is there the next time
  helenus shell -e 'DESCRIBE KEYSPACES'              run this, and leave
  helenus shell -e 'SELECT key, cql_version FROM system.local'
  echo 'SELECT now() FROM system.local;' | helenus shell

At the prompt: Tab completes, HELP tells the commands (COPY, DESCRIBE, EXPAND, SOURCE, ...),
Ctrl-C drops what is written so far or ends what runs, Ctrl-D leaves. What you enter is remembered
in ~/.local/state/helenus, passwords never.

Exit code: 0 fine, 1 something was refused, 2 bad usage, 3 the data cannot be opened.";

/// A prompt for CQL, with cqlsh's tables and commands
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShellArguments {
    /// Keep the data in this folder; without it, everything is gone at the end
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Use this keyspace
    #[arg(short, long, value_name = "NAME")]
    keyspace: Option<String>,
    /// Run these statements, and leave
    #[arg(short, long, value_name = "CQL", conflicts_with = "file")]
    execute: Option<String>,
    /// Run the statements of a file, and leave; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl ShellArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let source = self.file.as_deref().map(Source::read).transpose()?;
        let database = shell::open(self.data.as_deref()).map_err(Failure::database)?;
        let is_conversation =
            source.is_none() && self.execute.is_none() && io::stdin().is_terminal();
        let color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let errors = Box::new(AutoStream::auto(io::stderr()));
        let screen = Screen::new(out, errors, color, is_conversation && io::stdout().is_terminal());
        let mut shell = shell::Shell::new(database.clone(), self.data.as_deref(), screen);
        if let Some(keyspace) = &self.keyspace {
            let is_quoted = keyspace.starts_with('"');
            let name =
                if is_quoted { keyspace.clone() } else { cql::printer::identifier(keyspace) };
            let done = shell.perform(&format!("USE {name}"));
            shell.report(done, "USE")?;
        }
        match (&self.execute, &source) {
            _ if shell.has_failed => {}
            (Some(text), _) => shell.run_text("<stdin>", text, false)?,
            (None, Some(source)) => shell.run_text(&source.name, &source.text, true)?,
            (None, None) if is_conversation => {
                listen_to_ctrl_c(&shell.interrupt_flag())?;
                shell.greet()?;
                shell.run_prompt()?;
                shell.has_failed = false;
            }
            (None, None) => {
                let source = Source::read(std::path::Path::new("-"))?;
                shell.run_text(&source.name, &source.text, true)?;
            }
        }
        let outcome = if shell.has_failed { Outcome::Findings } else { Outcome::Fine };
        database.sync().map_err(Failure::database)?;
        Ok(outcome)
    }
}
