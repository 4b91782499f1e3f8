//! Why a statement was refused or failed, with what the protocol tells beside the text.

use std::fmt;

use cql::{Consistency, Diagnostic, ErrorCode, StatementId, SyntaxError};
use schema::Refusal;
use schema::refusal::{KeyspaceReason, Reason, TableReason};

/// A refusal or failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of error it is.
    pub code: ErrorCode,
    /// The server's text.
    pub message: String,
    /// What else is told.
    pub detail: ErrorDetail,
    /// Warnings that came up before.
    pub warnings: Vec<String>,
    /// The refusal with its place in the text, where the text is what is wrong.
    pub diagnostic: Option<Box<Diagnostic>>,
}

/// What an error tells beside its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ErrorDetail {
    /// Nothing.
    #[default]
    None,
    /// What exists already; an empty table stands for the keyspace.
    AlreadyExists {
        /// The keyspace.
        keyspace: Box<str>,
        /// The table.
        table: Box<str>,
    },
    /// The id of a statement that is not prepared (any more).
    Unprepared(StatementId),
    /// The function that failed.
    FunctionFailure {
        /// Its keyspace.
        keyspace: Box<str>,
        /// Its name.
        name: Box<str>,
        /// The types of its arguments.
        arguments: Vec<String>,
    },
    /// There are too few replicas.
    Unavailable {
        /// The consistency level asked for.
        consistency: Consistency,
        /// Replicas needed.
        required: i32,
        /// Replicas alive.
        alive: i32,
    },
    /// A read failed on the one replica.
    ReadFailure {
        /// The consistency level asked for.
        consistency: Consistency,
        /// Whether data was read.
        data_present: bool,
    },
}

impl Error {
    /// An error without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        let (detail, warnings) = (ErrorDetail::None, Vec::new());
        Self { code, message, detail, warnings, diagnostic: None }
    }

    /// 0x2200: valid CQL that cannot be carried out.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Invalid, message)
    }

    /// 0x2100: not allowed.
    pub fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Unauthorized, message)
    }

    /// 0x0000: the server failed.
    pub fn server(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Server, message)
    }
}

impl From<SyntaxError> for Error {
    fn from(error: SyntaxError) -> Self {
        let diagnostic = Some(Box::new(Diagnostic::from(error.clone())));
        Self { diagnostic, ..Self::new(ErrorCode::Syntax, error.message()) }
    }
}

impl From<Box<Refusal>> for Error {
    fn from(refusal: Box<Refusal>) -> Self {
        let detail = match &refusal.reason {
            Reason::Keyspace(KeyspaceReason::Exists { keyspace }) => {
                ErrorDetail::AlreadyExists { keyspace: keyspace.as_str().into(), table: "".into() }
            }
            Reason::Table(TableReason::Exists { keyspace, table }) => ErrorDetail::AlreadyExists {
                keyspace: keyspace.as_str().into(),
                table: table.as_str().into(),
            },
            _ => ErrorDetail::None,
        };
        let (code, message) = (refusal.error(), refusal.message());
        let diagnostic = Some(Box::new(Diagnostic::from(*refusal)));
        Self { detail, diagnostic, ..Self::new(code, message) }
    }
}

impl From<storage::Error> for Error {
    fn from(failure: storage::Error) -> Self {
        Self::server(failure.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// What is answered, or why not.
pub type Result<T> = std::result::Result<T, Error>;
