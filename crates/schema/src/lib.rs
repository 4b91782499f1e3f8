//! What Cassandra 5.0 accepts and how it runs it: catalog, schema statements, binding, access plans, tokens, sizes.
//!
//! The life of a statement: `cql::parser` gives a tree; [`ddl::change`] turns a schema statement into a
//! [`ddl::CatalogChange`] that [`Catalog::apply`] carries out; [`bind::bind`] turns a query or write into a
//! [`bind::BoundStatement`] statement, and [`access::plan`] says how it would run. Each of them answers with the error that
//! Cassandra would give instead: same code, same text.

pub mod access;
mod advice;
pub mod bind;
pub mod catalog;
pub mod ddl;
mod java;
pub mod partitioner;
pub mod refusal;
pub mod session;
pub mod size;

pub use catalog::Catalog;
pub use java::order::set_text as java_set_text;
pub use refusal::{Reason, Refusal};
pub use session::Session;

/// What is answered, or the server's refusal.
///
/// The refusal is boxed: it is rare and large, the answer is neither.
pub type Result<T> = std::result::Result<T, Box<Refusal>>;
