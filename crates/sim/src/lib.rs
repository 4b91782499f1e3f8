//! The future: generated data and writes on designed tables, beside a relational database that has the same facts.
//!
//! [`prove`] fills a relational model (`generate`), keeps it in SQLite (`relational`) and, through the design's own write
//! paths, in the designed tables (`run`) of a [`Server`]; every read is then asked of both, and the answers must agree
//! (`compare`).

mod compare;
mod contents;
mod data;
mod embedded;
mod generate;
mod measure;
mod proof;
mod prove;
mod relational;
mod run;
mod server;
mod shrink;
mod value;

pub use embedded::Embedded;
pub use proof::{Coverage, Disagreement, Proof, ReadMeasure, Spread, TableMeasure};
pub use prove::{Progress, Settings, Subject, prove};
pub use server::{Answer, Failure, Server, Statement};
