//! A diagnostic with the file it speaks of.

use cql::Diagnostic;

use crate::source::{LineColumn, Source};

/// A diagnostic in one of the sources of a command.
pub(crate) struct SourceDiagnostic<'a> {
    pub(crate) source: &'a Source,
    pub(crate) diagnostic: Diagnostic,
}

impl SourceDiagnostic<'_> {
    /// Where it starts.
    pub(crate) fn start(&self) -> LineColumn {
        self.source.line_column(self.diagnostic.span.start as usize)
    }

    /// Where it ends.
    pub(crate) fn end(&self) -> LineColumn {
        self.source.line_column(self.diagnostic.span.end as usize)
    }
}
