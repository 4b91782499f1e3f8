//! The version of the formats of the commit log and of checkpoints.

/// The version that is written, and the highest that is read.
pub(crate) const VERSION: u32 = 1;
