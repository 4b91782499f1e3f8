//! The trace of one request: read from what tools print ([`read`]), and analysed ([`analyse`]).
//!
//! - `step` turns the sentences of servers into data;
//! - `reader` reads cqlsh's tables, JSON and rows of `system_traces`;
//! - `timeline` puts the clocks of the nodes in agreement and gives each step its time;
//! - `analysis` says what the request did and what was slow.

pub mod analysis;
mod event;
mod moment;
mod phase;
mod reader;
#[cfg(test)]
mod samples;
mod sentence;
mod step;
mod timeline;

pub use analysis::{TraceAnalysis, analyse};
pub use event::{Trace, TraceEvent};
pub use moment::{parse_timestamp, timeuuid_micros};
pub use phase::{Phase, PhaseKind, ReadTotals};
pub use reader::{TraceTextError, from_rows, read};
pub use step::{
    FailureStep, IndexStep, Mark, MessageStep, PaxosStep, RangeStep, ReadCounts, ReadKind,
    ReadStep, RequestStep, SstableStep, SstableUse, Step, WriteStep,
};
pub use timeline::{Activity, Gap, Timeline};
