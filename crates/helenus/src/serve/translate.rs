//! From the engine's words to the protocol's, and back.

use engine::{Detail, Error, Outcome, Parameters, ResultColumn};
use wire::{
    Change, ColumnRef, ColumnSpec, Consistency, ErrorKind, ErrorMessage, QueryOptions, Replicas,
    SchemaChange, Target, WriteType,
};

/// The values of a request.
pub(super) fn values(values: wire::Values<'_>) -> engine::Values<'_> {
    match values {
        _ if values.is_empty() => engine::Values::None,
        wire::Values::Positional(values) => positional(values),
        wire::Values::Named(values) => engine::Values::Named(
            values.into_iter().map(|(name, one)| (name, value(one))).collect(),
        ),
    }
}

/// The values of a statement in a batch.
pub(super) fn positional(values: Vec<wire::Value<'_>>) -> engine::Values<'_> {
    engine::Values::Positional(values.into_iter().map(value).collect())
}

fn value(value: wire::Value<'_>) -> engine::Value<'_> {
    match value {
        wire::Value::Bytes(bytes) => engine::Value::Bytes(bytes),
        wire::Value::Null => engine::Value::Null,
        wire::Value::Unset => engine::Value::Unset,
    }
}

/// How a statement is to be run.
pub(super) fn parameters(options: QueryOptions<'_>, tracing: bool) -> Parameters<'_> {
    Parameters {
        values: values(options.values),
        consistency: options.consistency.number(),
        serial_consistency: options.serial_consistency.map(Consistency::number),
        page_size: options.page_size,
        paging_state: options.paging_state,
        timestamp: options.timestamp,
        now_seconds: None,
        tracing,
    }
}

/// A column, borrowed.
pub(super) fn column(column: &ResultColumn) -> ColumnRef<'_> {
    ColumnRef {
        keyspace: &column.keyspace,
        table: &column.table,
        name: &column.name,
        ty: &column.ty,
    }
}

/// Columns or markers.
pub(super) fn columns(columns: &[ResultColumn]) -> Vec<ColumnSpec> {
    let spec = |column: &ResultColumn| ColumnSpec {
        keyspace: (*column.keyspace).into(),
        table: (*column.table).into(),
        name: (*column.name).into(),
        ty: column.ty.clone(),
    };
    columns.iter().map(spec).collect()
}

/// The change of schema that came of a statement, if any did.
pub(super) fn schema_change(outcome: &Outcome) -> Option<SchemaChange> {
    let Outcome::Schema(change) = outcome else { return None };
    let name = String::from(&*change.name);
    let arguments = change.arguments.clone();
    Some(SchemaChange {
        change: match change.change {
            "CREATED" => Change::Created,
            "DROPPED" => Change::Dropped,
            _ => Change::Updated,
        },
        keyspace: change.keyspace.clone().into(),
        target: match change.target {
            "TABLE" => Target::Table(name),
            "TYPE" => Target::Type(name),
            "FUNCTION" => Target::Function(name, arguments),
            "AGGREGATE" => Target::Aggregate(name, arguments),
            _ => Target::Keyspace,
        },
    })
}

/// A refusal or failure. The id of a statement to be prepared again is the caller's to say.
pub(super) fn error(error: Error) -> ErrorMessage {
    let Error { code, message, detail, .. } = error;
    let of_one = |consistency: u16| Replicas {
        consistency: Consistency::from_number(consistency).unwrap_or_default(),
        received: 0,
        required: 1,
    };
    let kind = match detail {
        Detail::AlreadyExists { keyspace, table } => {
            ErrorKind::AlreadyExists { keyspace: keyspace.into(), table: table.into() }
        }
        Detail::Unprepared(id) => ErrorKind::Unprepared(id.to_vec()),
        Detail::FunctionFailure { keyspace, name, arguments } => ErrorKind::FunctionFailure {
            keyspace: keyspace.into(),
            function: name.into(),
            arguments,
        },
        Detail::Unavailable { consistency, required, alive } => {
            let consistency = Consistency::from_number(consistency).unwrap_or_default();
            ErrorKind::Unavailable { consistency, required, alive }
        }
        Detail::ReadFailure { consistency, data_present } => {
            ErrorKind::ReadFailure(of_one(consistency), 1, data_present)
        }
        Detail::WriteFailure { consistency, write_type } => {
            let write = WriteType::from_name(write_type).unwrap_or(WriteType::Simple);
            ErrorKind::WriteFailure(of_one(consistency), 1, write)
        }
        Detail::None => plain(code),
    };
    ErrorMessage { kind, message }
}

/// The kind of a code that came without details.
fn plain(code: u16) -> ErrorKind {
    let plain = [
        ErrorKind::Protocol,
        ErrorKind::BadCredentials,
        ErrorKind::Overloaded,
        ErrorKind::IsBootstrapping,
        ErrorKind::Truncate,
        ErrorKind::CdcWriteFailure,
        ErrorKind::Syntax,
        ErrorKind::Unauthorized,
        ErrorKind::Invalid,
        ErrorKind::Config,
        ErrorKind::AlreadyExists { keyspace: String::new(), table: String::new() },
        ErrorKind::FunctionFailure {
            keyspace: String::new(),
            function: String::new(),
            arguments: Vec::new(),
        },
    ];
    let replicas = Replicas { consistency: Consistency::One, received: 0, required: 1 };
    let failures = [
        ErrorKind::ReadFailure(replicas, 1, false),
        ErrorKind::WriteFailure(replicas, 1, WriteType::Simple),
        ErrorKind::ReadTimeout(replicas, false),
        ErrorKind::WriteTimeout(replicas, WriteType::Simple),
    ];
    let known = plain.into_iter().chain(failures).find(|kind| kind.code() == code);
    known.unwrap_or(ErrorKind::Server)
}
