//! Data-access code from the plans of a design.
//!
//! - [`program`]: what the code does, in every language alike.
//! - [`lowering`]: makes a program from a design.
//! - [`cql_statements`]: makes one from named CQL statements.
//! - `language`: the languages, and what they have in common: `naming` of identifiers, `code_writer`
//!   for indented text, `comment` for what functions say about themselves.
//! - `java`, `python`, `typescript`, `go`, `rust`: print a program.

#![expect(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "files are small and printed once"
)]

mod code_writer;
mod comment;
pub mod cql_statements;
mod go;
mod java;
mod language;
pub mod lowering;
mod naming;
pub mod program;
mod python;
mod rust;
mod typescript;

pub use language::{
    GeneratedCode, GeneratedFile, GenerationOptions, Language, Renaming, UnsupportedProgram,
    generate,
};
