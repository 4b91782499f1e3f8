//! The server in front of an engine: `helenus serve` without its command line, also for tests that
//! run it in their own process.

#![expect(clippy::disallowed_methods, reason = "a server has its own threads and clock")]

mod serve;

pub use serve::{Server, ServerLimits, TerminationSignals};
