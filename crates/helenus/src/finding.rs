//! A diagnostic with the file it speaks of.

use cql::Diagnostic;

use crate::source::{Place, Source};

/// A diagnostic in one of the sources of a command.
pub(crate) struct Finding<'a> {
    pub(crate) source: &'a Source,
    pub(crate) diagnostic: Diagnostic,
}

impl Finding<'_> {
    /// Where it starts.
    pub(crate) fn start(&self) -> Place {
        self.source.place(self.diagnostic.span.start as usize)
    }

    /// Where it ends.
    pub(crate) fn end(&self) -> Place {
        self.source.place(self.diagnostic.span.end as usize)
    }
}
