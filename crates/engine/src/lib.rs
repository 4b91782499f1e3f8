//! The answers: statements carried out on stored rows, as one Cassandra node would.
//!
//! Four layers, each of which uses only those before it:
//!
//! - `node`: what all sessions share: the schema with its table handles, locks, ids and times, the log; `node::commit` is
//!   the one way by which rows are written.
//! - `rows`: what stored rows give a statement: cursors, live rows, values of terms, filters.
//! - `execute`: statements that read or write rows, bound and with values in place of their markers.
//! - `session`: what a client talks to: statements parsed, bound, permitted and dispatched; the schema and its system tables.
//!
//! `error`, `request`, `record` and `answer` are the words at the border, `function` the native functions.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

mod access_recorder;
mod database;
mod error;
mod execute;
pub mod function;
mod node;
mod request;
mod result;
mod rows;
mod session;
#[cfg(test)]
mod tests;

pub use access_recorder::{
    AccessRecord, AccessRecorder, PartitionsRecord, ReadRecord, TargetRecord, WriteRecord,
};
pub use database::{Database, Options};
pub use error::{Error, ErrorDetail, Result};
pub use node::entropy::{Entropy, SeededEntropy};
pub use node::identity::NodeIdentity;
pub use node::settings::{Guardrails, Settings, Threshold, ValueGuardrail};
pub use request::{MarkerValue, MarkerValues, Parameters};
pub use result::{ExecutionResult, ResultColumn, ResultMessage, ResultSet};
pub use session::prepared_statement::PreparedStatement;
pub use session::{BatchPart, Session};
