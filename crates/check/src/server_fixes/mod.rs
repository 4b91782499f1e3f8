//! What to change where the server refuses and only one text can be meant.

mod exists;
mod options;
mod order;
mod split;
mod syntax;
mod types;

use cql::{Span, Statement, SyntaxError};
use schema::Reason;

use crate::fix::{Edit, Fix, FixKind};
use crate::place::Place;
use crate::project::{Project, Seen};
use crate::rule::Finding;

/// A refusal, and the statement that it stands in.
struct Refused<'p> {
    /// The text that holds the statement.
    source: &'p str,
    statement: &'p Statement,
    /// The statement before it.
    previous: Option<&'p Statement>,
    cause: RefusalCause<'p>,
    finding: &'p Finding,
}

/// Why the server refuses.
#[derive(Clone, Copy)]
pub(crate) enum RefusalCause<'p> {
    /// It cannot read the text.
    Syntax(&'p SyntaxError),
    /// It reads the statement and does not take it.
    Refusal(&'p Reason),
}

/// What changes of a text, without its position among the texts.
struct Change {
    title: &'static str,
    kind: FixKind,
    edits: Vec<(Span, String)>,
}

impl Change {
    fn safe(title: &'static str, edits: Vec<(Span, String)>) -> Option<Self> {
        (!edits.is_empty()).then_some(Self { title, kind: FixKind::Safe, edits })
    }

    fn doubtful(title: &'static str, edits: Vec<(Span, String)>) -> Option<Self> {
        (!edits.is_empty()).then_some(Self { title, kind: FixKind::Unsafe, edits })
    }
}

type Find = fn(&Refused<'_>) -> Option<Change>;

/// The fixes, by the code of the rule.
const FIXES: &[(&str, Find)] = &[
    ("SV003", types::freeze_key),
    ("SV005", types::remove_static),
    ("SV006", order::rewrite),
    ("SV007", split::counters),
    ("SV008", options::remove_ttl),
    ("SV009", types::freeze_inner),
    ("SV012", types::thaw),
    ("SV014", options::remove_compact_storage),
    ("SV016", options::remove_unknown),
    ("SV017", options::caching_map),
    ("SV018", options::compaction),
    ("SV019", options::compression_names),
    ("SV022", exists::if_not_exists),
    ("SV027", exists::if_not_exists),
    ("SY001", syntax::token),
    ("SY002", syntax::between),
];

/// Gives a refusal its fix, if there is one.
pub(crate) fn add(
    project: &Project<'_>,
    seen: &Seen,
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
    let refused = Refused { source: text.text, statement, previous, cause, finding };
    let Some(change) = change(&refused) else { return };
    let text = finding.place.text;
    let edit = |(span, new)| Edit { place: Place { text, span }, text: new };
    let edits = change.edits.into_iter().map(edit).collect();
    finding.fix = Some(Fix { title: change.title.to_owned(), kind: change.kind, edits });
}

impl<'p> Refused<'p> {
    /// Why the server does not take the statement, where it can read it.
    fn reason(&self) -> Option<&'p Reason> {
        match self.cause {
            RefusalCause::Refusal(reason) => Some(reason),
            RefusalCause::Syntax(_) => None,
        }
    }

    fn span(&self) -> Span {
        self.finding.place.span
    }

    fn written(&self, span: Span) -> &'p str {
        span.text(self.source)
    }

    /// The text before a place.
    fn before(&self, at: u32) -> &'p str {
        self.source.get(..at as usize).unwrap_or_default()
    }

    /// The text from a place on.
    fn after(&self, at: u32) -> &'p str {
        self.source.get(at as usize..).unwrap_or_default()
    }
}

/// The text without the word at its end, in any case, and without blanks before it.
fn without_last_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let text = text.trim_end();
    let start = text.len().checked_sub(word.len())?;
    let last = text.get(start..)?;
    let kept = text.get(..start)?;
    let stands_alone = kept.ends_with(|before: char| before.is_whitespace() || before == ')');
    (last.eq_ignore_ascii_case(word) && stands_alone).then(|| kept.trim_end())
}

/// The length of a text as an offset.
fn offset(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}
