//! What comments say of statements: `-- name: LatestVideos :many`, `-- @rate 3k/s @consistency quorum`.

use cql::Comment;
use model::directive::{self, DirectiveKind};

use super::SourceText;

/// What comments say of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StatementAnnotations {
    /// Its name.
    pub(crate) name: Option<Box<str>>,
    /// How often it runs, per second.
    pub(crate) rate: Option<f64>,
    /// The names of the statements that it follows.
    pub(crate) after: Vec<Box<str>>,
    /// The consistency it runs with, in CQL's spelling.
    pub(crate) consistency: Option<Box<str>>,
}

/// What the comments between the statements of a text say of each: those after the statement before, and those within it.
pub(super) fn collect(text: &SourceText<'_>) -> Vec<StatementAnnotations> {
    let mut comments = text.parsed.comments.iter().peekable();
    let statements = text.parsed.statements.iter();
    statements
        .map(|statement| {
            let mut said = StatementAnnotations::default();
            while let Some(comment) = comments.next_if(|one| one.span.end <= statement.span.end) {
                said.read_comment(text.text, comment);
            }
            said
        })
        .collect()
}

impl StatementAnnotations {
    /// What a message calls the statement.
    pub(crate) fn display_name(&self) -> String {
        self.name.as_ref().map_or_else(|| "a statement".to_owned(), |name| format!("`{name}`"))
    }

    fn read_comment(&mut self, text: &str, comment: &Comment) {
        let words = comment.span.text(text);
        if let Some(name) = statement_name(words) {
            self.name = Some(name.into());
        }
        if !words.contains('@') {
            return;
        }
        let (directives, _) = directive::parse(words, comment.span.start);
        for directive in directives {
            match directive.kind {
                DirectiveKind::Rate(rate) => self.rate = Some(rate),
                DirectiveKind::After(names) => {
                    self.after.extend(names.into_iter().map(|(name, _)| name.into()));
                }
                DirectiveKind::Consistency(level) => self.consistency = Some(level.into()),
                _ => {}
            }
        }
    }
}

/// The name in `-- name: X :many`.
fn statement_name(comment: &str) -> Option<&str> {
    let rest = comment.trim_start_matches(['-', '/', '*', ' ']).strip_prefix("name:")?;
    rest.split_whitespace().next()
}
