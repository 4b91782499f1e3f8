//! The execution of statements on stored rows, with the results of a single Cassandra node.
//!
//! Four layers, each of which uses only those before it:
//!
//! - `node`: what all sessions share: the schema with its table handles, locks, ids and timestamps,
//!   the log. `node::commit` is the only way by which rows are written.
//! - `rows`: reading stored rows: cursors, live rows, values of terms, filters.
//! - `execute`: statements that read or write rows, bound and with values for their markers.
//! - `session`: the interface of a client: parses, binds, authorizes and dispatches statements;
//!   executes schema statements; computes the system tables.
//!
//! `error`, `request`, `request_governor`, `access_recorder`, `result` and `server_status` are the
//! types of the interface, `function`
//! has the native functions.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod access_recorder;
mod database;
mod error;
mod execute;
pub mod function;
mod metrics;
mod node;
mod request;
mod request_governor;
mod result;
mod rows;
mod server_status;
mod session;
#[cfg(test)]
mod tests;

pub use access_recorder::{
    AccessRecord, AccessRecorder, PartitionsRecord, ReadRecord, TargetRecord, WriteRecord,
};
pub use database::{Database, Options};
pub use error::{Error, ErrorDetail, ReplicaReport, Result};
pub use node::entropy::{Entropy, SeededEntropy};
pub use node::identity::NodeIdentity;
pub use node::settings::{
    Guardrails, RequestTimeouts, Settings, Threshold, TransportLimits, ValueGuardrail,
};
pub use node::snapshot::DatabaseSnapshot;
pub use node::test_hooks::Pause;
pub use request::{MarkerValue, MarkerValues, Parameters};
pub use request_governor::{Interruption, RequestGovernor, TimedOperation};
pub use result::{ExecutionResult, ResultColumn, ResultMessage, ResultSet};
pub use server_status::{ClientStatus, PreparedStatus, RunningRequest, ServerStatus};
pub use session::guardrails::{LargePartitions, PartitionReport};
pub use session::prepared_statement::PreparedStatement;
pub use session::{BatchPart, Session};
