//! Diagnosis of a cluster: what was collected from it (a [`Snapshot`]) turned into findings.
//!
//! `source` reads what nodes, `nodetool`, logs and tools print into a snapshot; `rules` finds what
//! is wrong in it; `system_tables` reads the tables of the server itself; `trace` reads the trace of one request. Nothing here opens a file or a
//! connection. A figure that was not measured is absent from the snapshot, never 0, and a rule that
//! needs it says nothing.

pub mod model_draft;
pub mod rules;
pub mod snapshot;
pub mod source;
pub mod system_tables;
pub mod trace;
pub mod yaml;

pub use snapshot::Snapshot;
