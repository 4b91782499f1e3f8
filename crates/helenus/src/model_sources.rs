//! The texts of a model, which may be written in several files: a dump, its queries, its volumes.

use cql::{Diagnostic, Span};
use model::measurement::Measurements;

use crate::source::Source;
use crate::source_diagnostic::SourceDiagnostic;

/// The files of a model.
///
/// The model is read from one text, in which the files follow one another, and its places are
/// offsets of that text; [`Self::locate`] finds them in the files.
pub(crate) struct ModelSources {
    /// The name of the model, which names its keyspace.
    pub(crate) name: String,
    /// The texts of all files.
    pub(crate) text: String,
    /// Where each of them begins.
    pub(crate) starts: Vec<usize>,
    /// What was measured in a database, for what the files do not state.
    pub(crate) measured: Measurements,
    files: Vec<Source>,
}

impl ModelSources {
    /// A model of that name, without files.
    pub(crate) fn new(name: String) -> Self {
        let (text, starts, files) = (String::new(), Vec::new(), Vec::new());
        Self { name, text, starts, measured: Measurements::default(), files }
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, source: Source) {
        self.starts.push(self.text.len());
        self.text.push_str(&source.text);
        self.files.push(source);
    }

    /// Replaces a text that occurs exactly once; else returns how often it occurs.
    pub(crate) fn replace_once(&mut self, old: &str, new: &str) -> Result<(), usize> {
        let counts = self.files.iter().map(|file| file.text.matches(old).count());
        let counts: Vec<usize> = counts.collect();
        let (1, Some(position)) = (counts.iter().sum(), counts.iter().position(|it| *it == 1))
        else {
            return Err(counts.iter().sum());
        };
        let files = std::mem::take(&mut self.files);
        (self.text, self.starts) = (String::new(), Vec::new());
        for (at, file) in files.into_iter().enumerate() {
            let is_edited = at == position;
            self.add(if is_edited {
                Source::new(file.name, file.text.replacen(old, new, 1))
            } else {
                file
            });
        }
        Ok(())
    }

    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// The file of a place, and the place in it.
    pub(crate) fn locate(&self, span: Span) -> Option<(&Source, Span)> {
        let offset = span.start as usize;
        let position = self.starts.partition_point(|start| *start <= offset).checked_sub(1)?;
        let start = u32::try_from(*self.starts.get(position)?).ok()?;
        let source = self.files.get(position)?;
        Some((source, Span::new(span.start - start, span.end.saturating_sub(start))))
    }

    /// Diagnostics of the model, each with its file.
    pub(crate) fn locate_diagnostics(
        &self,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
    ) -> Vec<SourceDiagnostic<'_>> {
        let located = diagnostics.into_iter().filter_map(|mut diagnostic| {
            let (source, span) = self.locate(diagnostic.span)?;
            diagnostic.span = span;
            Some(SourceDiagnostic { source, diagnostic })
        });
        located.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_belong_to_their_files() {
        let mut sources = ModelSources::new("a".to_owned());
        sources.add(Source::new("a.sql", "abc".to_owned()));
        sources.add(Source::new("empty.sql", String::new()));
        sources.add(Source::new("b.sql", "\nxyz".to_owned()));
        let place = |start, end| {
            let (source, span) = sources.locate(Span::new(start, end)).unwrap();
            (source.name.as_str(), span.text(&source.text).to_owned())
        };
        assert_eq!(place(1, 2), ("a.sql", "b".to_owned()));
        assert_eq!(place(4, 6), ("b.sql", "xy".to_owned()));
    }
}
