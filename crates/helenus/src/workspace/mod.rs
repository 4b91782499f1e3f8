//! A project of CQL texts: which files are read, in which order, with which settings, and the
//! findings.
//!
//! `helenus check` and the language server (`editor`) use it. The flow:
//!
//! - `choices` merges the command line (`arguments`) and `helenus.toml` (`config`, with `overrides`
//!   for
//!   some paths); `git_revision` reads the schema of `--against`.
//! - `inputs` expands paths (`file_walk`), reads (`file_bytes`) and decodes (`encoding`) files,
//!   leaves out
//!   duplicates of a schema (`duplicates`) and sorts the rest for replay (`ordering`).
//! - `analysis` starts the session (`session`, `keyspace`), runs the rules and computes
//!   fingerprints
//!   (`fingerprint`); `baseline` holds the known findings.

mod analysis;
mod arguments;
pub(crate) mod baseline;
pub(crate) mod choices;
mod config;
mod duplicates;
mod editor;
mod encoding;
mod file_bytes;
pub(crate) mod file_walk;
mod fingerprint;
mod git_revision;
pub(crate) mod inputs;
mod keyspace;
mod ordering;
mod overrides;
pub(crate) mod session;

pub(crate) use analysis::{CheckResult, check_inputs};
pub(crate) use arguments::CheckArguments;
pub(crate) use editor::{EditorText, ProjectView, Workspace};
