//! Loads what commands work on: projects of CQL texts, single schemas and model files.
//!
//! A project is the input of `helenus check`, of the language server (`editor`) and, as a schema, of
//! `helenus explain`:
//!
//! - `choices` merges the command line (`project_arguments`) and `helenus.toml` (`config`, with
//!   `overrides` for some paths); `git_revision` reads the schema of `--against`.
//! - `inputs` expands paths (`file_walk`), reads (`file_bytes`) and decodes (`encoding`) files,
//!   leaves out duplicates of a schema (`duplicates`) and sorts the rest for replay (`ordering`).
//! - `analysis` starts the session (`session`, `keyspace`), runs the rules and computes
//!   fingerprints (`fingerprint`); `baseline` holds the known findings.
//! - `file_stamp` notices changes.
//!
//! The other commands read files one by one: `text_file` any text, `schema_file` a schema,
//! `model_file` a model, from one or several files, `dump_file` a dump without its data.

mod analysis;
pub(crate) mod baseline;
pub(crate) mod choices;
pub(crate) mod config;
pub(crate) mod dump_file;
mod duplicates;
mod editor;
mod encoding;
pub(crate) mod file_bytes;
mod file_stamp;
pub(crate) mod file_walk;
mod fingerprint;
mod git_revision;
pub(crate) mod inputs;
mod keyspace;
pub(crate) mod model_file;
mod ordering;
mod overrides;
mod project_arguments;
pub(crate) mod schema_file;
pub(crate) mod session;
mod stats_file;
pub(crate) mod text_file;

pub(crate) use analysis::{CheckResult, check_inputs};
pub(crate) use editor::{EditorText, ProjectView, Workspace};
pub(crate) use file_stamp::{FileStamps, POLL_INTERVAL};
pub(crate) use project_arguments::{ProjectArguments, severity, target};
