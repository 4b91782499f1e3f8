//! Errors as cqlsh prints them.

use engine::{Detail, Error};

/// The consistency levels, by their numbers.
pub(super) const LEVELS: [(&str, u16); 12] = [
    ("ANY", 0x00),
    ("ONE", 0x01),
    ("TWO", 0x02),
    ("THREE", 0x03),
    ("QUORUM", 0x04),
    ("ALL", 0x05),
    ("LOCAL_QUORUM", 0x06),
    ("EACH_QUORUM", 0x07),
    ("SERIAL", 0x08),
    ("LOCAL_SERIAL", 0x09),
    ("LOCAL_ONE", 0x0a),
    ("NODE_LOCAL", 0x0b),
];

/// The name of a consistency level.
pub(crate) fn level_name(number: u16) -> &'static str {
    LEVELS.iter().find(|(_, known)| *known == number).map_or("UNKNOWN", |(name, _)| name)
}

/// An error with the name that the Python driver has for it.
pub(crate) fn describe(error: &Error) -> String {
    let (name, title) = match error.code {
        0x2000 => return format!("SyntaxException: {}", error.message),
        0x2300 => return format!("ConfigurationException: {}", error.message),
        0x2400 => return already_exists(error),
        0x0000 => return format!("ServerError: {}", error.message),
        0x000a => return format!("ProtocolException: {}", error.message),
        0x0100 => ("AuthenticationFailed", "Bad credentials"),
        0x1000 => ("Unavailable", "Unavailable exception"),
        0x1003 => return format!("TruncateError: {}", error.message),
        0x1100 => {
            ("WriteTimeout", "Coordinator node timed out waiting for replica nodes' responses")
        }
        0x1200 => {
            ("ReadTimeout", "Coordinator node timed out waiting for replica nodes' responses")
        }
        0x1300 => ("ReadFailure", "Replica(s) failed to execute read"),
        0x1400 => ("FunctionFailure", "User Defined Function failure"),
        0x1500 => ("WriteFailure", "Replica(s) failed to execute write"),
        0x2100 => ("Unauthorized", "Unauthorized"),
        _ => ("InvalidRequest", "Invalid query"),
    };
    let Error { code, message, detail, .. } = error;
    let info = info(detail);
    format!("{name}: Error from server: code={code:04x} [{title}] message=\"{message}\"{info}")
}

fn already_exists(error: &Error) -> String {
    match &error.detail {
        Detail::AlreadyExists { keyspace, table } if table.is_empty() => {
            format!("AlreadyExists: Keyspace '{keyspace}' already exists")
        }
        Detail::AlreadyExists { keyspace, table } => {
            format!("AlreadyExists: Table '{keyspace}.{table}' already exists")
        }
        _ => format!("AlreadyExists: {}", error.message),
    }
}

fn info(detail: &Detail) -> String {
    match detail {
        Detail::Unavailable { consistency, required, alive } => format!(
            " info={{'consistency': '{}', 'required_replicas': {required}, 'alive_replicas': {alive}}}",
            level_name(*consistency)
        ),
        Detail::ReadFailure { consistency, .. } | Detail::WriteFailure { consistency, .. } => {
            format!(
                " info={{'consistency': '{}', 'required_responses': 1, 'received_responses': 0, 'failures': 1}}",
                level_name(*consistency)
            )
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_read_as_in_cqlsh() {
        let invalid = Error::invalid("Undefined column name nope in table shell.v");
        let told = "InvalidRequest: Error from server: code=2200 [Invalid query] message=\"Undefined column name nope in table shell.v\"";
        assert_eq!(describe(&invalid), told);
        let detail = Detail::AlreadyExists { keyspace: "shell".into(), table: "v".into() };
        let exists = Error { detail, ..Error::new(0x2400, "") };
        assert_eq!(describe(&exists), "AlreadyExists: Table 'shell.v' already exists");
        let syntax = Error::new(0x2000, "line 1:0 no viable alternative");
        assert_eq!(describe(&syntax), "SyntaxException: line 1:0 no viable alternative");
    }
}
