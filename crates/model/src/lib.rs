//! The meaning: what a statement does to, or asks of, a catalog, exactly as Cassandra 5.0 would see it.
//!
//! The life of a statement: `cql::parse` gives a tree; [`ddl::change`] turns a schema statement into a
//! [`ddl::Change`] that [`Catalog::apply`] carries out; [`bind::bind`] turns a query or write into a
//! [`bind::Bound`] statement, and [`access::path`] says how it would run. Each of them answers with the error that
//! Cassandra would give instead: same code, same text.
//!
//! The life of a design: [`sql::read`] turns a model file into a [`concept::Concept`] and a [`workload::Workload`]; what
//! is chosen for them is a [`plan::Design`].

pub mod access;
mod advice;
pub mod bind;
pub mod bucket;
pub mod catalog;
pub mod concept;
pub mod ddl;
pub mod dependency;
pub mod directive;
pub mod figures;
mod java;
pub mod partitioner;
pub mod plan;
pub mod schema_file;
pub mod session;
pub mod size;
pub mod sql;
pub mod workload;

pub use catalog::Catalog;
pub use java::order::set_text as java_set_text;
pub use session::Session;

use cql::Diagnostic;

/// What is answered, or the server's refusal.
///
/// The refusal is boxed: it is rare and large, the answer is neither.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;
