//! The execution of statements that read or write rows. They are bound and authorized, and their
//! markers have values.
//!
//! `select` and `write` are the general path, `fast` that of prepared statements on a single row.
//! Views and indexes (`view`, `index`) observe what is written. `execution` is the context of one
//! statement, `activity` the events of its trace, `internal_read` those of reads that writes make.

mod activity;
mod execution;
pub(crate) mod fast;
pub(crate) mod index;
mod internal_read;
pub(crate) mod row_text;
pub(crate) mod select;
pub(crate) mod view;
pub(crate) mod write;

pub(crate) use activity::Activity;
pub(crate) use execution::Execution;
