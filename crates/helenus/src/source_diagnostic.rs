//! A diagnostic with its source file.

use cql::Diagnostic;

use crate::source::Source;

/// A diagnostic in one of the sources of a command.
pub(crate) struct SourceDiagnostic<'a> {
    pub(crate) source: &'a Source,
    pub(crate) diagnostic: Diagnostic,
}

impl<'a> SourceDiagnostic<'a> {
    /// The diagnostics of one source.
    pub(crate) fn list(
        source: &'a Source,
        diagnostics: impl IntoIterator<Item = impl Into<Diagnostic>>,
    ) -> Vec<Self> {
        let with_source =
            |diagnostic: _| Self { source, diagnostic: Into::<Diagnostic>::into(diagnostic) };
        diagnostics.into_iter().map(with_source).collect()
    }
}
