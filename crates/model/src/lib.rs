//! What the application is: the model file, its entities and their volumes, its reads and writes, and the plans for them.
//!
//! The life of a design: [`sql::read`] turns a model file into a [`concept::Concept`] and a [`workload::Workload`]; what
//! is chosen for them is a [`plan::Design`].

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests have files and clocks"))]

pub mod assumption;
pub mod bucket;
pub mod concept;
pub mod dependency;
mod diagnostics;
pub mod directive;
pub mod figures;
pub mod id;
pub mod plan;
pub mod schema_file;
pub mod sql;
pub mod workload;
