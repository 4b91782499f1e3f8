//! Binding: a query or write against a catalog.

pub mod context;
