//! Conversions between the types of the engine and of the protocol.

use std::net::Ipv4Addr;

use cql::ErrorCode;
use engine::{Error, ErrorDetail, Parameters, ReplicaReport, RequestGovernor, ResultColumn};
use wire::{
    ColumnRef, ColumnSpec, ErrorKind, ErrorMessage, QueryOptions, ReplicaFailures,
    ReplicaResponses, WriteType,
};

/// The engine's parameters for the options of a request.
pub(super) fn parameters<'a>(
    options: QueryOptions<'a>,
    tracing: bool,
    governor: &'a dyn RequestGovernor,
) -> Parameters<'a> {
    Parameters {
        values: options.values,
        consistency: options.consistency,
        serial_consistency: options.serial_consistency,
        page_size: options.page_size,
        paging_state: options.paging_state,
        timestamp: options.timestamp,
        now_seconds: options.now_in_seconds.map(i64::from),
        tracing,
        recorder: None,
        governor: Some(governor),
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
        ErrorDetail::FunctionFailure(function) => ErrorKind::FunctionFailure {
            keyspace: function.keyspace,
            function: function.name,
            arguments: function.arguments,
        },
        ErrorDetail::Unavailable { consistency, required, alive } => {
            ErrorKind::Unavailable { consistency, required, alive }
        }
        ErrorDetail::Replicas(report) => replica_error(code, &report),
        ErrorDetail::None => ErrorKind::from_code(code),
    };
    ErrorMessage { kind, message }
}

/// The timeout or failure of a code.
fn replica_error(code: ErrorCode, report: &ReplicaReport) -> ErrorKind {
    let ReplicaReport { consistency, received, required, failures, is_data_present, .. } = *report;
    let replicas = ReplicaResponses { consistency, received, required };
    let reasons = (0..failures).map(|_| (Ipv4Addr::LOCALHOST.into(), 0)).collect();
    let failures = ReplicaFailures { count: failures, reasons };
    let write_type = WriteType::from_name(&report.write_type).unwrap_or(WriteType::Simple);
    match code {
        ErrorCode::ReadTimeout => ErrorKind::ReadTimeout(replicas, is_data_present),
        ErrorCode::ReadFailure => ErrorKind::ReadFailure(replicas, failures, is_data_present),
        ErrorCode::WriteTimeout => ErrorKind::WriteTimeout(replicas, write_type),
        ErrorCode::WriteFailure => ErrorKind::WriteFailure(replicas, failures, write_type),
        _ => ErrorKind::from_code(code),
    }
}
