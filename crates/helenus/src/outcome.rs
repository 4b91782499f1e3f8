//! How a command ends: its exit code, and what ends it early.

use std::io;
use std::path::Path;

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
    pub(crate) fn unreadable_file(path: &Path, error: &io::Error) -> Self {
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
