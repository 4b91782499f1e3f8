//! Excerpts of a source: the lines of a span, few and short enough to be shown.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Origin, Snippet};
use cql::Span;

use crate::source::Source;

/// The maximum number of lines shown.
const LINES_SHOWN: usize = 12;
/// A longer excerpt is cut to a window around the start of the span.
const LINE_BYTES: usize = 2_000;
/// The bytes of that window before the start of the span.
const BYTES_BEFORE: usize = 80;
/// The bytes of that window after the start of the span.
const BYTES_AFTER: usize = 200;

/// Consecutive lines of a source, or a part of a long line.
pub(crate) struct Excerpt<'a> {
    source: &'a Source,
    /// The text shown.
    pub(crate) text: &'a str,
    /// The number of the first line, from 1.
    pub(crate) first_line: usize,
    /// The offset of the text in the source.
    offset: usize,
    start: usize,
    is_cut: bool,
}

impl<'a> Excerpt<'a> {
    /// The lines of a span.
    pub(crate) fn new(source: &'a Source, span: Span) -> Self {
        let (start, end) = (span.start as usize, span.end as usize);
        let (offset, first_line, text) = source.lines(start, end, LINES_SHOWN);
        if text.len() <= LINE_BYTES {
            return Self { source, text, first_line, offset, start, is_cut: false };
        }
        let at = start.saturating_sub(offset);
        let from = floor_char_boundary(text, at.saturating_sub(BYTES_BEFORE));
        let to = floor_char_boundary(text, at + BYTES_AFTER);
        let window = text.get(from..to).unwrap_or_default();
        let line =
            window.get(floor_char_boundary(window, at - from)..).and_then(|rest| rest.find('\n'));
        let kept =
            line.map_or(window.len(), |length| floor_char_boundary(window, at - from) + length);
        let text = window.get(..kept).unwrap_or_default();
        Self { source, text, first_line, offset: offset + from, start, is_cut: true }
    }

    /// The range of a span within the excerpt.
    pub(crate) fn relative_range(&self, span: Span) -> Range<usize> {
        let at = |offset: u32| {
            floor_char_boundary(self.text, (offset as usize).saturating_sub(self.offset))
        };
        at(span.start)..at(span.end).max(at(span.start))
    }

    /// Whether a span lies within the excerpt.
    pub(crate) fn contains(&self, span: Span) -> bool {
        let (start, end) = (span.start as usize, span.end as usize);
        self.offset <= start && end <= self.offset + self.text.len()
    }

    /// The elements to render, with annotations.
    pub(crate) fn elements(
        &self,
        annotations: impl IntoIterator<Item = Annotation<'a>>,
    ) -> Vec<Element<'a>> {
        let snippet = Snippet::source(self.text).line_start(self.first_line);
        let name = self.source.name.as_str();
        if !self.is_cut {
            return vec![snippet.path(name).annotations(annotations).into()];
        }
        // The columns of a part are not those of the line: give the position explicitly.
        let place = self.source.line_column(self.start);
        let origin = Origin::path(name).line(place.line).char_column(place.column);
        vec![origin.into(), snippet.annotations(annotations).into()]
    }

    /// The elements to render, with the span marked.
    pub(crate) fn annotate(&self, span: Span) -> Vec<Element<'a>> {
        self.elements([AnnotationKind::Primary.span(self.relative_range(span))])
    }
}

/// The nearest character boundary at or before `at`.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let source = Source::new("a", format!("é\n{}here{}", "é".repeat(5_000), "x".repeat(5_000)));
        let span = Span::new(10_003, 10_007);
        let excerpt = Excerpt::new(&source, span);
        assert_eq!(excerpt.first_line, 2);
        assert!(excerpt.text.len() <= BYTES_BEFORE + BYTES_AFTER + 2, "{}", excerpt.text.len());
        assert_eq!(&excerpt.text[excerpt.relative_range(span)], "here");
        assert!(excerpt.contains(span) && !excerpt.contains(Span::new(0, 1)));
    }
}
