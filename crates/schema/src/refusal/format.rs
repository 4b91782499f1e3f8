//! Texts and bytes that are no value of their type: what the reader of the type says.

use std::fmt;

use cql::ErrorCode;
use cql::value::{TextForm, ValueError};

/// A text, or bytes, that are no value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatReason {
    /// A constant of the statement.
    Constant(ValueError),
    /// A value that was bound.
    Value(ValueError),
    /// The value of a column in INSERT JSON.
    JsonColumn {
        /// The column.
        column: String,
        /// What its type says.
        error: ValueError,
    },
    /// The argument of a function that reads JSON.
    JsonArgument(ValueError),
    /// INSERT JSON fails in another way.
    JsonColumnFailure(ErrorCode, String),
    /// A function that reads JSON fails in another way.
    JsonArgumentFailure(ErrorCode, String),
}

impl FormatReason {
    /// The code of the rule that it belongs to.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Constant(_) | Self::JsonColumn { .. } | Self::JsonColumnFailure(..) => "QV027",
            Self::Value(_) | Self::JsonArgument(_) | Self::JsonArgumentFailure(..) => "QV028",
        }
    }

    /// The protocol's code for it.
    pub fn error(&self) -> ErrorCode {
        match self {
            Self::Constant(error) | Self::Value(error) | Self::JsonColumn { error, .. } => {
                error.code()
            }
            Self::JsonArgument(_) => ErrorCode::FunctionFailure,
            Self::JsonColumnFailure(code, _) | Self::JsonArgumentFailure(code, _) => *code,
        }
    }

    /// What the text should have been, where the reader of the type says so.
    pub fn form(&self) -> Option<TextForm> {
        match self {
            Self::Constant(error)
            | Self::Value(error)
            | Self::JsonColumn { error, .. }
            | Self::JsonArgument(error) => error.form(),
            Self::JsonColumnFailure(..) | Self::JsonArgumentFailure(..) => None,
        }
    }
}

impl fmt::Display for FormatReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(error) | Self::Value(error) => error.fmt(f),
            Self::JsonColumn { column, error } => {
                write!(f, "Error decoding JSON value for {column}: {error}")
            }
            Self::JsonArgument(error) => {
                write!(f, "org.apache.cassandra.serializers.MarshalException: {error}")
            }
            Self::JsonColumnFailure(_, text) | Self::JsonArgumentFailure(_, text) => {
                f.write_str(text)
            }
        }
    }
}
