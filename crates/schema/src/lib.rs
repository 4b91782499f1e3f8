//! The semantics of Cassandra 5.0: catalog, schema statements, binding, access plans, tokens,
//! sizes.
//!
//! The path of a statement: `cql::parser` gives a tree; [`ddl::change`] turns a schema statement
//! into a [`ddl::CatalogChange`], which [`Catalog::apply`] applies; [`bind::bind`] turns a query or
//! write into a [`bind::BoundStatement`], and [`access::plan`] gives its access plan. Each of them
//! returns the error of Cassandra, with its code and text (`refusal`), to which `advice` adds a
//! help.

pub mod access;
mod advice;
pub mod bind;
pub mod catalog;
pub mod compaction_window;
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

/// A result, or the server's error.
///
/// The error is boxed: it is rare and large.
pub type Result<T> = std::result::Result<T, Box<Refusal>>;
