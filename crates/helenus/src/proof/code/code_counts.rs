//! What a proof through code has looked at besides results and copies.

/// How often a proof looked at what only generated code has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeCounts {
    /// Results that were also read page by page, in more than one page.
    pub(crate) paged_results: usize,
    /// Writes with a null that only insert, and wrote no tombstone.
    pub(crate) clean_inserts: usize,
    /// Writes that failed in the middle, or whose program was killed, and were repeated.
    pub(crate) interruptions: usize,
}
