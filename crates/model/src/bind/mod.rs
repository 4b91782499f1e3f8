//! Binding: a query or write against a catalog.

pub mod assignment;
pub mod context;
pub mod types;
