//! [`Span`]: positions in source text.

use std::fmt;

/// A half-open range of bytes in the source.
///
/// All spans compare equal, so that two trees are equal if they differ only in their positions.
/// Compare positions with [`Span::is_same_place`].
#[derive(Clone, Copy, Default, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether both are the same range.
    pub fn is_same_place(self, other: Self) -> bool {
        self.start == other.start && self.end == other.end
    }

    /// The text of the range; empty if it is not within `source`.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::hash::Hash for Span {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
