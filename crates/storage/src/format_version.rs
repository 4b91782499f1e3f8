//! The version of the formats of the commit log and of checkpoints.
//!
//! | version | what it added |
//! |---|---|
//! | 2 | records of the log have a [`FlushMark`](crate::record::FlushMark); a segment may end in zeros |

/// The version that is written, and the highest that is read.
pub(crate) const VERSION: u32 = 2;
/// The lowest version that is read.
pub(crate) const OLDEST_VERSION: u32 = 1;
