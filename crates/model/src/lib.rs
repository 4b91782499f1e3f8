//! The data of a design: the model file, its entities and volumes, its reads and writes, and the
//! plans for them. Nothing in this crate chooses anything.
//!
//! - [`sql`] reads a model file (`.sql`) into a [`concept::Concept`] and a [`workload::Workload`];
//!   [`schema_file`] reads the volumes in the comments of a schema (`.cql`).
//! - [`directive`] parses the `@rows 10M` of comments, for both.
//! - [`constant`] reads the constants of plans.
//! - [`expression`] is the language of generated columns and CHECK constraints.
//! - [`assumption`] holds what the file leaves open and the reader fills in.
//! - [`dependency`] computes functional dependencies over the joins of a read.
//! - [`plan`] is the design that the crate `design` makes: tables, statements, notes. [`bucket`]
//!   computes the buckets of its tables, [`figures`] formats its numbers.
//! - [`index_guide`] says where an index suits, for designs and for the rules of `check`.
//! - [`measurement`] holds volumes that were measured in a database.
//! - [`sql_name`] quotes names where SQL reserves them.
//! - [`id`] has the typed positions by which all of these name one another.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

pub mod assumption;
mod assumption_probe;
pub mod bucket;
pub mod concept;
pub mod constant;
pub mod dependency;
mod diagnostics;
pub mod directive;
pub mod expression;
pub mod figures;
pub mod id;
pub mod index_guide;
pub mod measurement;
pub mod plan;
pub mod schema_file;
pub mod sql;
pub mod sql_name;
pub mod vocabulary;
pub mod workload;
