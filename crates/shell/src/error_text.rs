//! Error messages in the format of cqlsh.

use cql::ErrorCode;
use engine::{Error, ErrorDetail};

/// An error with the name of the Python driver's exception.
pub(crate) fn describe(error: &Error) -> String {
    let (name, title) = match error.code {
        ErrorCode::Syntax => return format!("SyntaxException: {}", error.message),
        ErrorCode::Config => return format!("ConfigurationException: {}", error.message),
        ErrorCode::AlreadyExists => return already_exists(error),
        ErrorCode::Server => return format!("ServerError: {}", error.message),
        ErrorCode::Protocol => return format!("ProtocolException: {}", error.message),
        ErrorCode::BadCredentials => ("AuthenticationFailed", "Bad credentials"),
        ErrorCode::Unavailable => ("Unavailable", "Unavailable exception"),
        ErrorCode::Truncate => return format!("TruncateError: {}", error.message),
        ErrorCode::WriteTimeout => {
            ("WriteTimeout", "Coordinator node timed out waiting for replica nodes' responses")
        }
        ErrorCode::ReadTimeout => {
            ("ReadTimeout", "Coordinator node timed out waiting for replica nodes' responses")
        }
        ErrorCode::ReadFailure => ("ReadFailure", "Replica(s) failed to execute read"),
        ErrorCode::FunctionFailure => ("FunctionFailure", "User Defined Function failure"),
        ErrorCode::WriteFailure => ("WriteFailure", "Replica(s) failed to execute write"),
        ErrorCode::Unauthorized => ("Unauthorized", "Unauthorized"),
        _ => ("InvalidRequest", "Invalid query"),
    };
    let Error { message, detail, .. } = error;
    let code = error.code.number();
    let info = error_details(detail);
    format!("{name}: Error from server: code={code:04x} [{title}] message=\"{message}\"{info}")
}

fn already_exists(error: &Error) -> String {
    match &error.detail {
        ErrorDetail::AlreadyExists { keyspace, table } if table.is_empty() => {
            format!("AlreadyExists: Keyspace '{keyspace}' already exists")
        }
        ErrorDetail::AlreadyExists { keyspace, table } => {
            format!("AlreadyExists: Table '{keyspace}.{table}' already exists")
        }
        _ => format!("AlreadyExists: {}", error.message),
    }
}

fn error_details(detail: &ErrorDetail) -> String {
    match detail {
        ErrorDetail::Unavailable { consistency, required, alive } => format!(
            " info={{'consistency': '{consistency}', 'required_replicas': {required}, 'alive_replicas': {alive}}}"
        ),
        ErrorDetail::ReadFailure { consistency, .. } => format!(
            " info={{'consistency': '{consistency}', 'required_responses': 1, 'received_responses': 0, 'failures': 1}}"
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_as_in_cqlsh() {
        let invalid = Error::invalid("Undefined column name nope in table shell.v");
        let expected = "InvalidRequest: Error from server: code=2200 [Invalid query] message=\"Undefined column name nope in table shell.v\"";
        assert_eq!(describe(&invalid), expected);
        let detail = ErrorDetail::AlreadyExists { keyspace: "shell".into(), table: "v".into() };
        let exists = Error { detail, ..Error::new(ErrorCode::AlreadyExists, "") };
        assert_eq!(describe(&exists), "AlreadyExists: Table 'shell.v' already exists");
        let syntax = Error::new(ErrorCode::Syntax, "line 1:0 no viable alternative");
        assert_eq!(describe(&syntax), "SyntaxException: line 1:0 no viable alternative");
    }
}
