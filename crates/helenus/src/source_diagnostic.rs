//! A diagnostic with its source file.

use cql::Diagnostic;

use crate::source::{LineColumn, Source};

/// A diagnostic in one of the sources of a command.
pub(crate) struct SourceDiagnostic<'a> {
    pub(crate) source: &'a Source,
    pub(crate) diagnostic: Diagnostic,
}

impl SourceDiagnostic<'_> {
    /// The start of its span.
    pub(crate) fn start(&self) -> LineColumn {
        self.source.line_column(self.diagnostic.span.start as usize)
    }

    /// The end of its span.
    pub(crate) fn end(&self) -> LineColumn {
        self.source.line_column(self.diagnostic.span.end as usize)
    }
}
