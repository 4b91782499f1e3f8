//! The exit code of a command, and the failures that end a command early.

use std::io;
use std::path::Path;

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Success, without findings.
    Fine = 0,
    /// There are findings.
    Findings = 1,
    /// The input or the command line is invalid.
    BadInput = 2,
    /// The disk, the network or a server failed.
    EnvironmentFailed = 3,
}

/// The reason why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of our output closed the pipe (`| head`): not an error.
    ReaderGone,
    /// The exit code and the message to print.
    Stopped(Outcome, String),
}

impl Failure {
    /// The database cannot be opened or written.
    pub(crate) fn database(error: engine::Error) -> Self {
        Self::Stopped(Outcome::EnvironmentFailed, error.message)
    }

    /// A file that cannot be read: a path to something else is bad input; that the file is missing, or
    /// that the system refuses it, a failed environment.
    pub(crate) fn unreadable_file(path: &Path, error: &io::Error) -> Self {
        Self::file("read", path, error)
    }

    /// A file that cannot be written, or a folder that cannot be created.
    pub(crate) fn unwritable_file(path: &Path, error: &io::Error) -> Self {
        Self::file("write", path, error)
    }

    fn file(verb: &str, path: &Path, error: &io::Error) -> Self {
        let is_wrong = regular_file::is_wrong_kind(error);
        let outcome = if is_wrong { Outcome::BadInput } else { Outcome::EnvironmentFailed };
        Self::Stopped(outcome, format!("cannot {verb} {}: {error}", path.display()))
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
