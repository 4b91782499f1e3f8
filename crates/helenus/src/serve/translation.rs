//! Conversions between the types of the engine and of the protocol.

use engine::{Error, ErrorDetail, Parameters, ResultColumn};
use wire::{ColumnRef, ColumnSpec, ErrorKind, ErrorMessage, QueryOptions, ReplicaResponses};

/// The engine's parameters for the options of a request.
pub(super) fn parameters(options: QueryOptions<'_>, tracing: bool) -> Parameters<'_> {
    Parameters {
        values: options.values,
        consistency: options.consistency,
        serial_consistency: options.serial_consistency,
        page_size: options.page_size,
        paging_state: options.paging_state,
        timestamp: options.timestamp,
        now_seconds: None,
        tracing,
        recorder: None,
    }
}

/// A result column, borrowed.
pub(super) fn column(column: &ResultColumn) -> ColumnRef<'_> {
    ColumnRef {
        keyspace: &column.keyspace,
        table: &column.table,
        name: &column.name,
        ty: &column.ty,
    }
}

/// The specifications of columns or bind markers.
pub(super) fn columns(columns: &[ResultColumn]) -> Vec<ColumnSpec> {
    let spec = |column: &ResultColumn| ColumnSpec {
        keyspace: (*column.keyspace).into(),
        table: (*column.table).into(),
        name: (*column.name).into(),
        ty: column.ty.clone(),
    };
    columns.iter().map(spec).collect()
}

/// The protocol's error for an error of the engine.
pub(super) fn error(error: Error) -> ErrorMessage {
    let Error { code, message, detail, .. } = error;
    let kind = match detail {
        ErrorDetail::AlreadyExists { keyspace, table } => {
            ErrorKind::AlreadyExists { keyspace: keyspace.into(), table: table.into() }
        }
        ErrorDetail::Unprepared(id) => ErrorKind::Unprepared(id.0.to_vec()),
        ErrorDetail::FunctionFailure { keyspace, name, arguments } => ErrorKind::FunctionFailure {
            keyspace: keyspace.into(),
            function: name.into(),
            arguments,
        },
        ErrorDetail::Unavailable { consistency, required, alive } => {
            ErrorKind::Unavailable { consistency, required, alive }
        }
        ErrorDetail::ReadFailure { consistency, data_present } => {
            let replicas = ReplicaResponses { consistency, received: 0, required: 1 };
            ErrorKind::ReadFailure(replicas, 1, data_present)
        }
        ErrorDetail::None => ErrorKind::from_code(code),
    };
    ErrorMessage { kind, message }
}
