//! The answers: statements carried out on stored rows, as one Cassandra node would.
//!
//! The life of a statement: [`Session::query`] parses and binds it (`model` says what Cassandra accepts), or
//! [`Session::execute`] takes it bound from [`Session::prepare`]; values replace its markers (`values`); `model` refuses
//! what the server refuses at execution; then it is carried out: `read`, `write`, `ddl`, `command`. Every write goes through
//! `Execution::apply`, which keeps views and indexes up.

mod answer;
mod auth;
mod command;
mod consistency;
mod cursor;
mod database;
mod ddl;
mod describe;
mod entropy;
mod error;
mod execution;
mod fast;
pub mod function;
mod guard;
mod handle;
mod index;
mod journal;
mod keeper;
mod locks;
mod name_id;
mod node;
mod notices;
mod prepared;
mod read;
mod request;
mod schema;
mod schema_lock;
mod session;
mod settings;
mod system;
#[cfg(test)]
mod tests;
mod trace;
mod values;
mod view;
mod write;

pub use answer::{Answer, Outcome, ResultColumn, Rows, SchemaChange};
pub use database::{Database, Options};
pub use entropy::{Entropy, Seeded};
pub use error::{Detail, Error, Result};
pub use node::Identity;
pub use prepared::Prepared;
pub use request::{Parameters, Value, Values};
pub use session::{BatchPart, Session};
pub use settings::{Guardrails, Settings, Threshold, Warned};
