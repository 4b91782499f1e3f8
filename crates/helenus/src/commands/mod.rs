//! The commands: a file each, and a line in this list.

pub(crate) mod check;
pub(crate) mod design;
mod diagram;
pub(crate) mod estimate;
mod explain;
mod fmt;
mod lsp;
mod rule;
mod rules;
mod run;
mod serve;
pub(crate) mod session;
mod shell;

use std::io::{self, Write};
use std::path::Path;

use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Command {
    Check(check::Check),
    Design(Box<design::Design>),
    Diagram(diagram::Diagram),
    Estimate(estimate::Estimate),
    Explain(explain::Explain),
    Fmt(fmt::Fmt),
    Lsp(lsp::Lsp),
    Rule(rule::OneRule),
    Rules(rules::Rules),
    Run(run::Run),
    Serve(serve::Serve),
    Shell(shell::Shell),
}

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut dyn Write) -> Result<Outcome, Failure> {
    match command {
        Command::Check(command) => command.run(out),
        Command::Design(command) => command.run(out),
        Command::Diagram(command) => command.run(out),
        Command::Estimate(command) => command.run(out),
        Command::Explain(command) => command.run(out),
        Command::Fmt(command) => command.run(out),
        Command::Lsp(command) => command.run(out),
        Command::Rule(command) => command.run(out),
        Command::Rules(command) => command.run(out),
        Command::Run(command) => command.run(out),
        Command::Serve(command) => command.run(out),
        Command::Shell(command) => command.run(out),
    }
}

/// How a command ended, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All is well.
    Fine = 0,
    /// There are findings.
    Findings = 1,
    /// The input or the command line is wrong.
    BadInput = 2,
    /// Disk, network or server failed.
    EnvironmentFailed = 3,
}

/// What ends a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Whoever read our output went away (`| head`): nothing is wrong.
    ReaderGone,
    /// With this exit code and this message.
    Stopped(Outcome, String),
}

impl Failure {
    /// The database cannot be opened or written.
    pub(crate) fn database(error: engine::Error) -> Self {
        Self::Stopped(Outcome::EnvironmentFailed, error.message)
    }

    /// A file that cannot be read: a wrong path is the user's, the rest the environment's.
    pub(crate) fn reading(path: &Path, error: &io::Error) -> Self {
        let wrong_path =
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory);
        let outcome = if wrong_path { Outcome::BadInput } else { Outcome::EnvironmentFailed };
        Self::Stopped(outcome, format!("cannot read {}: {error}", path.display()))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Stopped(Outcome::EnvironmentFailed, error.to_string()),
        }
    }
}
