//! [`Error`]: a failed connection or request, as one sentence that also gives the remedy.

use std::fmt;
use std::path::Path;

use cql::ErrorCode;

/// The kinds of failures, which callers handle differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A connection option is invalid: a contact point, or the content of a file.
    Settings,
    /// A file of the connection options is missing or cannot be read.
    File,
    /// No connection could be opened.
    Unreachable,
    /// The server rejected the login.
    Refused,
    /// The connection was lost, or the cluster is not able to serve the request.
    Lost,
    /// The server returned an error, whose text is the message.
    Server,
}

/// A failed connection or request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// One sentence that gives the remedy as well.
    pub message: String,
    /// The ERROR message of the server, if there is one.
    pub response: Option<Box<ErrorResponse>>,
}

/// An ERROR message of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorResponse {
    /// The error code of the protocol.
    pub code: ErrorCode,
    /// The server's text.
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
        Self { kind: ErrorKind::Settings, message: message.into(), response: None }
    }

    /// A file that cannot be read. A path to something else than a file is an invalid option.
    pub(crate) fn unreadable_file(path: &Path, error: &std::io::Error) -> Self {
        let is_wrong = regular_file::is_wrong_kind(error);
        let kind = if is_wrong { ErrorKind::Settings } else { ErrorKind::File };
        let message = format!("cannot read {}: {error}", path.display());
        Self { kind, message, response: None }
    }

    /// An error that the server returned.
    pub(crate) fn server(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Server, message: message.into(), response: None }
    }

    /// A lost connection, with its symptom.
    pub(crate) fn connection_lost(symptom: &str) -> Self {
        let message =
            format!("the cluster stopped responding ({symptom}); check that its nodes are up");
        Self { kind: ErrorKind::Lost, message, response: None }
    }

    /// A connection that could not be opened, with its symptom.
    pub(crate) fn unreachable(hosts: &str, symptom: &str) -> Self {
        let message = format!(
            "cannot connect to {hosts} ({symptom}); check that the cluster is up and that the host and port are correct"
        );
        Self { kind: ErrorKind::Unreachable, message, response: None }
    }

    /// A login that the server rejected, with the server's text.
    pub(crate) fn login_refused(text: &str) -> Self {
        let message = format!(
            "the cluster rejected the login ({text}); set HELENUS_USER and HELENUS_PASSWORD, or use --credentials FILE"
        );
        Self { kind: ErrorKind::Refused, message, response: None }
    }
}
