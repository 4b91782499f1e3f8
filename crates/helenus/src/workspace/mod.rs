//! A project of CQL texts: what is read, in which order, how it is to be judged, and what the rules find in it.
//!
//! `helenus check` and the editor server work on it. `choices` puts the command line (`arguments`) and `helenus.toml`
//! (`config`) together; `inputs` reads the files (`walking`, `reading`, `decoding`, `ordering`, `repeated`); `judge` asks
//! the rules.

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
