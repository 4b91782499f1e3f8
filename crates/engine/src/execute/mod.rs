//! Statements that read or write rows, carried out. They come bound, permitted, and with values in place of their markers.
//!
//! `select` and `write` are the general path, `fast` the one of prepared statements on one row. Views and indexes (`view`,
//! `index`) are observers of what is written.

mod activity;
mod execution;
pub(crate) mod fast;
pub(crate) mod index;
pub(crate) mod select;
pub(crate) mod view;
pub(crate) mod write;

pub(crate) use activity::Activity;
pub(crate) use execution::Execution;
