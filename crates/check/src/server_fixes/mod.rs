//! Fixes for statements that the server rejects, where only one correction is possible.

mod clustering_order;
mod counter_split;
mod if_not_exists;
mod options;
mod syntax;
mod types;

use cql::{Span, Statement, SyntaxError};
use schema::Reason;

use crate::fix::{Edit, Fix, FixKind};
use crate::location::Location;
use crate::project::{Project, ReplayedStatement};
use crate::rule::Finding;

/// A refusal and its statement.
struct RefusalContext<'p> {
    /// The text that holds the statement.
    source: &'p str,
    statement: &'p Statement,
    /// The statement before it.
    previous: Option<&'p Statement>,
    cause: RefusalCause<'p>,
    finding: &'p Finding,
}

/// Why the server rejects the statement.
#[derive(Clone, Copy)]
pub(crate) enum RefusalCause<'p> {
    /// It cannot parse the text.
    Syntax(&'p SyntaxError),
    /// It parses the statement, but does not accept it.
    Refusal(&'p Reason),
}

/// The edits of a text, without its position among the texts.
struct TextChange {
    title: &'static str,
    kind: FixKind,
    edits: Vec<(Span, String)>,
}

impl TextChange {
    fn new_safe(title: &'static str, edits: Vec<(Span, String)>) -> Option<Self> {
        (!edits.is_empty()).then_some(Self { title, kind: FixKind::Safe, edits })
    }

    fn new_unsafe(title: &'static str, edits: Vec<(Span, String)>) -> Option<Self> {
        (!edits.is_empty()).then_some(Self { title, kind: FixKind::Unsafe, edits })
    }
}

type FixBuilder = fn(&RefusalContext<'_>) -> Option<TextChange>;

/// The fixes, by the code of the rule.
const FIXES: &[(&str, FixBuilder)] = &[
    ("SV003", types::freeze_key),
    ("SV005", types::remove_static),
    ("SV006", clustering_order::rewrite),
    ("SV007", counter_split::split_counters),
    ("SV008", options::remove_ttl),
    ("SV009", types::freeze_inner),
    ("SV012", types::remove_frozen),
    ("SV014", options::remove_compact_storage),
    ("SV016", options::remove_unknown),
    ("SV017", options::rewrite_caching),
    ("SV018", options::rewrite_compaction),
    ("SV019", options::rewrite_compression),
    ("SV022", if_not_exists::add_clause),
    ("SV027", if_not_exists::add_clause),
    ("SY001", syntax::correct_token),
    ("SY002", syntax::rewrite_between),
];

/// Adds the fix to a refusal, if there is one.
pub(crate) fn attach_fix(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    cause: RefusalCause<'_>,
    finding: &mut Finding,
) {
    let code = finding.rule.code;
    let Some((_, change)) = FIXES.iter().find(|(known, _)| *known == code) else { return };
    let (Some(text), Some(statement)) = (project.texts.get(seen.place.text), project.syntax(seen))
    else {
        return;
    };
    let previous = seen.at.checked_sub(1).and_then(|at| text.parsed.statements.get(at));
    let refused = RefusalContext { source: text.text, statement, previous, cause, finding };
    let Some(change) = change(&refused) else { return };
    let text = finding.place.text;
    let edit = |(span, new)| Edit { place: Location { text, span }, text: new };
    let edits = change.edits.into_iter().map(edit).collect();
    finding.fix = Some(Fix { title: change.title.to_owned(), kind: change.kind, edits });
}

impl<'p> RefusalContext<'p> {
    /// The reason for the rejection, if the statement can be parsed.
    fn reason(&self) -> Option<&'p Reason> {
        match self.cause {
            RefusalCause::Refusal(reason) => Some(reason),
            RefusalCause::Syntax(_) => None,
        }
    }

    fn span(&self) -> Span {
        self.finding.place.span
    }

    fn text(&self, span: Span) -> &'p str {
        span.text(self.source)
    }

    /// The text before a place.
    fn text_before(&self, at: u32) -> &'p str {
        self.source.get(..at as usize).unwrap_or_default()
    }

    /// The text from a place on.
    fn text_after(&self, at: u32) -> &'p str {
        self.source.get(at as usize..).unwrap_or_default()
    }
}

/// The text without the word at its end, in any case, and without blanks before it.
fn strip_last_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let text = text.trim_end();
    let start = text.len().checked_sub(word.len())?;
    let last = text.get(start..)?;
    let kept = text.get(..start)?;
    let stands_alone = kept.ends_with(|before: char| before.is_whitespace() || before == ')');
    (last.eq_ignore_ascii_case(word) && stands_alone).then(|| kept.trim_end())
}

/// The length of a text as an offset.
fn text_length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
