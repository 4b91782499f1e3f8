//! Why a cluster does not answer, each in one sentence with what to do.

use std::fmt;

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was said about the cluster cannot be used: no address, a file that cannot be read.
    Settings,
    /// Nobody answers there.
    Unreachable,
    /// The server refuses the user or the password.
    Refused,
    /// The connection died.
    Lost,
    /// The server answered with an error: its words.
    Server,
}

/// Why a cluster does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// One sentence, with what to do.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(crate) fn settings(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Settings, message: message.into() }
    }

    /// The words of a server.
    pub(crate) fn server(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Server, message: message.into() }
    }

    /// The connection died: how it was noticed.
    pub(crate) fn connection_lost(what: &str) -> Self {
        let message =
            format!("the cluster does not answer any more ({what}); see whether its nodes are up");
        Self { kind: ErrorKind::Lost, message }
    }

    /// Nobody answers: how it was noticed.
    pub(crate) fn unreachable(hosts: &str, what: &str) -> Self {
        let message = format!(
            "cannot reach {hosts} ({what}); see that the cluster is up and that host and port are right"
        );
        Self { kind: ErrorKind::Unreachable, message }
    }

    /// The server refuses who asks: its words.
    pub(crate) fn login_refused(words: &str) -> Self {
        let message = format!(
            "the cluster refuses the login ({words}); set HELENUS_USER and HELENUS_PASSWORD, or give --credentials FILE"
        );
        Self { kind: ErrorKind::Refused, message }
    }
}
