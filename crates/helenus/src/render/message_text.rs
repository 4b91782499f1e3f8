//! A message about a text, in the style of rustc: title, excerpt, notes, help. Diagnostics and
//! findings are both written with it.

use annotate_snippets::{Group, Level, normalize_untrusted_str};
use cql::Span;

use super::brief::shorten;
use super::excerpt::Excerpt;
use crate::source::Source;

/// A longer message is cut.
const MESSAGE_BYTES_MAX: usize = 2_000;

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
        // A name in a message may be as long as its file.
        let title = shorten(self.message, MESSAGE_BYTES_MAX);
        let mut group = Group::with_title(self.level.primary_title(title).id(self.code));
        if let Some((source, span)) = self.place {
            group = group.elements(Excerpt::new(source, span).annotate(span));
        }
        for note in self.notes {
            group = group.element(
                Level::NOTE.message(normalize_untrusted_str(&shorten(note, MESSAGE_BYTES_MAX))),
            );
        }
        if let Some(help) = self.help {
            group = group.element(
                Level::HELP.message(normalize_untrusted_str(&shorten(help, MESSAGE_BYTES_MAX))),
            );
        }
        group
    }
}
