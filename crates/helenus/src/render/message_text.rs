//! A message about a text, in the style of rustc: title, excerpt, notes, help. Diagnostics and
//! findings are both written with it.

use annotate_snippets::{Group, Level, normalize_untrusted_str};
use cql::Span;

use super::excerpt::Excerpt;
use crate::source::Source;

/// The parts of a message.
pub(crate) struct MessageText<'a> {
    /// Its level, under the name that is printed.
    pub(crate) level: Level<'a>,
    /// The code of its rule.
    pub(crate) code: &'a str,
    /// One sentence.
    pub(crate) message: &'a str,
    /// The text and the span to show.
    pub(crate) place: Option<(&'a Source, Span)>,
    /// The evidence.
    pub(crate) notes: Vec<&'a str>,
    /// What to do.
    pub(crate) help: Option<&'a str>,
}

impl<'a> MessageText<'a> {
    /// The message, for `annotate_snippets` to render.
    pub(crate) fn group(self) -> Group<'a> {
        let mut group = Group::with_title(self.level.primary_title(self.message).id(self.code));
        if let Some((source, span)) = self.place {
            group = group.elements(Excerpt::new(source, span).annotate(span));
        }
        for note in self.notes {
            group = group.element(Level::NOTE.message(normalize_untrusted_str(note)));
        }
        if let Some(help) = self.help {
            group = group.element(Level::HELP.message(normalize_untrusted_str(help)));
        }
        group
    }
}
