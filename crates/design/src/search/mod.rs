//! The search for the cheapest tables.
//!
//! Candidates are [`frame::Frame`]s: which rows, in which partitions and order. What else a table stores beside its key is
//! decided with everything else: each column of each frame is a thing that may be had. [`ways`] says how a read can be answered
//! from frames, `crate::writing::upkeep` what writes do to keep a frame up and what they must read first; prices come from
//! [`crate::cost`]. All of it becomes one integer program ([`crate::program`]).

pub(crate) mod frame;
pub(crate) mod ways;
