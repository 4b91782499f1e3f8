//! [`Error`]: why a statement was refused or failed, with the fields that the protocol sends
//! besides the text.

use std::fmt;

use cql::{Consistency, Diagnostic, ErrorCode, StatementId, SyntaxError, TraceId};
use schema::Refusal;
use schema::bind::function::SYSTEM;
use schema::refusal::{CallSignature, ComputationReason, KeyspaceReason, Reason, TableReason};

/// An error of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The error code of the protocol.
    pub code: ErrorCode,
    /// The server's text.
    pub message: String,
    /// The additional fields of the error code.
    pub detail: ErrorDetail,
    /// Warnings that were raised before the error.
    pub warnings: Vec<String>,
    /// The trace of the statement, if it was traced.
    pub trace_id: Option<TraceId>,
    /// The diagnostic with its position in the text, if the text is the cause.
    pub diagnostic: Option<Box<Diagnostic>>,
}

/// The additional fields of an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ErrorDetail {
    /// No additional fields.
    #[default]
    None,
    /// The object that already exists; the table is empty for a keyspace.
    AlreadyExists {
        /// The name of the keyspace.
        keyspace: Box<str>,
        /// The name of the table.
        table: Box<str>,
    },
    /// The id of a statement that is not prepared, or no longer.
    Unprepared(StatementId),
    /// The function that failed.
    FunctionFailure(Box<CallSignature>),
    /// Too few replicas are alive.
    Unavailable {
        /// The requested consistency level.
        consistency: Consistency,
        /// The number of replicas needed.
        required: i32,
        /// The number of replicas alive.
        alive: i32,
    },
    /// The replicas of a timeout or failure.
    Replicas(Box<ReplicaReport>),
}

/// What replicas are said to have answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplicaReport {
    /// The requested consistency level.
    pub consistency: Consistency,
    /// The number of responses.
    pub received: i32,
    /// The number of responses needed.
    pub required: i32,
    /// The number of failures.
    pub failures: i32,
    /// Whether data was read.
    pub is_data_present: bool,
    /// The protocol's name of the kind of write.
    pub write_type: Box<str>,
}

impl ReplicaReport {
    /// The only replica did not respond: it failed, or took too long.
    pub(crate) fn single_replica(consistency: Consistency, failures: i32) -> Self {
        Self {
            consistency,
            received: 0,
            required: 1,
            failures,
            is_data_present: false,
            write_type: "SIMPLE".into(),
        }
    }
}

impl From<ReplicaReport> for ErrorDetail {
    fn from(report: ReplicaReport) -> Self {
        Self::Replicas(Box::new(report))
    }
}

impl Error {
    /// An error without additional fields.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        let (detail, warnings) = (ErrorDetail::None, Vec::new());
        Self { code, message, detail, warnings, trace_id: None, diagnostic: None }
    }

    /// 0x2200: valid CQL that cannot be executed.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Invalid, message)
    }

    /// 0x2100: a permission is missing.
    pub(crate) fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::Unauthorized, message)
    }

    /// 0x0000: a failure of the server.
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
            Reason::Computation(ComputationReason::Operation { operation, .. }) => {
                ErrorDetail::FunctionFailure(Box::new(CallSignature {
                    keyspace: SYSTEM.to_owned(),
                    name: operation.function_name().to_owned(),
                    arguments: operation.operands.to_vec(),
                }))
            }
            Reason::Computation(
                ComputationReason::JsonText { function, .. }
                | ComputationReason::JavaException { function, .. }
                | ComputationReason::JavaTimeout { function }
                | ComputationReason::Function { function },
            ) => ErrorDetail::FunctionFailure(Box::new(function.clone())),
            _ => ErrorDetail::None,
        };
        let (code, message) = (refusal.error(), refusal.message());
        let diagnostic = Some(Box::new(Diagnostic::from(*refusal)));
        Self { detail, diagnostic, ..Self::new(code, message) }
    }
}

impl From<storage::Error> for Error {
    fn from(failure: storage::Error) -> Self {
        match failure {
            // The code for a node that cannot take more, whose text reaches the user unchanged. A
            // driver does not repeat such a write on the same node, as it may after a timeout, and
            // it does not mark the node as down.
            storage::Error::OutOfMemory { .. } => {
                Self::new(ErrorCode::Overloaded, failure.to_string())
            }
            _ => Self::server(failure.to_string()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The result of an operation that may fail with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
