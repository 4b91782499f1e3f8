//! Data-access code from the plans of a design.
//!
//! - [`program`]: what the code does, in every language alike.
//! - [`translation`]: makes a program from a design.
//! - [`cql_statements`]: makes one from named CQL statements.
//! - `language`: the languages, and what they have in common: `naming` of identifiers, `code_writer`
//!   for indented text, `comment` for what functions say about themselves, `support_selection` for
//!   the part of a support file that a package needs.
//! - `java`, `python`, `typescript`, `go`, `rust`: print a program.

#![expect(
    clippy::unused_self,
    clippy::too_many_arguments,
    reason = "the printers of a language have one shape"
)]
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
mod naming;
pub mod program;
mod python;
mod rust;
mod support_selection;
pub mod translation;
mod typescript;

pub use language::{
    GeneratedCode, GeneratedFile, GenerationOptions, Language, Renaming, UnsupportedProgram,
};

use program::AccessProgram;

/// The code of a program.
pub fn generate(
    language: Language,
    program: &AccessProgram,
    options: &GenerationOptions,
) -> Result<GeneratedCode, UnsupportedProgram> {
    match language {
        Language::Java => java::generate(program, options),
        Language::Python => Ok(python::generate(program, options)),
        Language::Typescript => typescript::generate(program, options),
        Language::Go => go::generate(program, options),
        Language::Rust => rust::generate(program, options),
    }
}
