//! Data-access code from the plans of a design.
//!
//! - [`program`]: what the code does, in every language alike.
//! - [`lowering`]: makes a program from a design.
//! - `language`: the languages, and what they have in common: `naming` of identifiers, `code_writer`
//!   for indented text, `comment` for what functions say about themselves.
//! - `java`, `python`, `typescript`, `go`, `rust`: print a program.

mod code_writer;
mod comment;
mod language;
pub mod lowering;
mod naming;
pub mod program;
mod rust;

pub use language::{
    GeneratedCode, GeneratedFile, GenerationOptions, Language, Renaming, UnsupportedProgram,
    generate,
};
