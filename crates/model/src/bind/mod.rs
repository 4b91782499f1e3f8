//! Binding: a query or write against a catalog.

pub mod assignment;
pub mod context;
pub mod function;
pub mod restrictions;
pub mod select;
pub mod selection;
pub mod term;
pub mod types;
