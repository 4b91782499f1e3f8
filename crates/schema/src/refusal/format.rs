//! Texts and bytes that are not a value of their type, with the text of the type's parser.

use std::fmt;

use cql::ErrorCode;
use cql::value::{TextForm, ValueError};

/// A text, or bytes, that are not a value of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatReason {
    /// A constant of the statement.
    Constant(ValueError),
    /// A bound value.
    Value(ValueError),
    /// The value of a column in INSERT JSON.
    JsonColumn {
        /// The name of the column.
        column: String,
        /// The error of its type.
        error: ValueError,
    },
    /// The argument of a function that parses JSON.
    JsonArgument(ValueError),
    /// Another failure of INSERT JSON.
    JsonColumnFailure(ErrorCode, String),
    /// Another failure of a function that parses JSON.
    JsonArgumentFailure(ErrorCode, String),
}

impl FormatReason {
    /// The code of its rule.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Constant(_) | Self::JsonColumn { .. } | Self::JsonColumnFailure(..) => "QV027",
            Self::Value(_) | Self::JsonArgument(_) | Self::JsonArgumentFailure(..) => "QV028",
        }
    }

    /// The error code of the protocol.
    pub fn error(&self) -> ErrorCode {
        match self {
            Self::Constant(error) | Self::Value(error) | Self::JsonColumn { error, .. } => {
                error.code()
            }
            Self::JsonArgument(_) => ErrorCode::FunctionFailure,
            Self::JsonColumnFailure(code, _) | Self::JsonArgumentFailure(code, _) => *code,
        }
    }

    /// The expected form of the text, if the type's parser gives it.
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
