//! A project of CQL texts: what is read, in which order, how it is to be judged, and what the rules find in it.
//!
//! `helenus check` and the editor server work on it. `choices` puts the command line (`arguments`) and `helenus.toml`
//! (`config`) together; `inputs` reads the files (`walking`, `reading`, `decoding`, `ordering`, `repeated`); `judge` asks
//! the rules.

mod against;
mod arguments;
pub(crate) mod baseline;
pub(crate) mod choices;
mod config;
mod decoding;
mod editor;
mod fingerprint;
pub(crate) mod inputs;
mod judge;
mod keyspace;
mod ordering;
mod overrides;
mod reading;
mod repeated;
pub(crate) mod session;
pub(crate) mod walking;

pub(crate) use arguments::CheckArguments;
pub(crate) use editor::{Opened, View, Workspace};
pub(crate) use judge::{Checked, judge};
