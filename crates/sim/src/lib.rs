//! The future: generated data and writes on designed tables, beside a relational database that has the same facts.
//!
//! [`prove`] fills a relational model (`generate`), keeps it in a relational database (`relational`) and in the
//! designed tables of a [`Server`]: filled from their definitions (`contents`), then changed through the design's own write
//! paths (`run`). Every read is asked of both, and the answers must agree (`compare`); where they do not, the example is made
//! as small as it can be (`prove::shrink`).

mod compare;
mod contents;
mod data;
mod embedded;
mod generate;
mod measure;
mod mutate;
mod proof;
mod prove;
mod relational;
mod run;
mod server;
mod subject;
mod value;

pub use embedded::Embedded;
pub use mutate::{Mutant, mutants};
pub use proof::{Coverage, Disagreement, Proof, ReadMeasure, Spread, TableMeasure};
pub use prove::{is_refuted, prove};
pub use server::{Answer, Failure, Server, Statement};
pub use subject::{Progress, Settings, Subject};
