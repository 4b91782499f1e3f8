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

/// The line of a syntax error with the place underlined, and what to write instead.
pub(super) fn excerpt(text: &str, error: &Error) -> String {
    let Some(diagnostic) = error.diagnostic.as_ref().filter(|_| error.code == ErrorCode::Syntax)
    else {
        return String::new();
    };
    let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    let (start, end) = (place(diagnostic.span.start), place(diagnostic.span.end));
    let (Some(before), Some(after)) = (text.get(..start), text.get(start..)) else {
        return String::new();
    };
    let from = before.rfind('\n').map_or(0, |newline| newline + 1);
    let to = after.find('\n').map_or(text.len(), |newline| start + newline);
    let (Some(line), Some(indent)) = (text.get(from..to), text.get(from..start)) else {
        return String::new();
    };
    let marked = text.get(start..end.min(to)).unwrap_or_default().chars().count().max(1);
    // Tabs stay, so that the marks stand below the place.
    let blank: String = indent.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let help = diagnostic.help.as_deref().map(|help| format!("\n{help}")).unwrap_or_default();
    format!("\n  {line}\n  {blank}{}{help}", "^".repeat(marked))
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
        ErrorDetail::Replicas(report) => format!(
            " info={{'consistency': '{}', 'required_responses': {}, 'received_responses': {}, 'failures': {}}}",
            report.consistency, report.required, report.received, report.failures
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
        assert_eq!(excerpt("SELEC 1", &syntax), "");
    }

    #[test]
    fn syntax_errors_are_underlined() {
        let text = "SELECT a\n\tFORM t";
        let error = cql::parse(text).errors.swap_remove(0);
        let found = excerpt(text, &Error::from(error));
        assert!(found.starts_with("\n  \tFORM t\n  \t^^^^"), "{found}");
    }
}
