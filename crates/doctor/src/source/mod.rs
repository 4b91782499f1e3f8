//! Readers of what people collect from nodes: output of `nodetool` and the tools for `SSTables`,
//! logs, settings, the schema.
//!
//! A [`Collector`] takes files one by one and adds what they say to a [`Snapshot`](crate::Snapshot). A file is read
//! line by line, in bounded memory. What it is, is told by its content; it may contain the output
//! of several commands, one after another (`section`). Each format is one file here, and one line
//! in the list of `section`.

mod audit_log;
mod cassandra_yaml;
mod collector;
mod document;
mod gc_log;
mod heading;
mod line_reader;
mod log;
mod nodetool;
mod phrase;
mod quantity;
mod query_log;
mod schema_dump;
mod section;
mod sstable;
mod statement;
mod table_grid;
mod table_path;
mod timestamp;

#[cfg(test)]
mod tests;

pub use collector::Collector;
pub use statement::{ShapedStatement, shape_statement};
