//! A question to both sides, and the answers.

use super::schema::Effect;

/// A statement that is put to both.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) kind: &'static str,
    pub(super) text: String,
    /// Prepared only, not executed.
    pub(super) prepare: bool,
    /// Whether it changes the schema when accepted.
    pub(super) schema: bool,
    pub(super) effect: Effect,
    pub(super) slips: Vec<&'static str>,
}

/// What one side says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Fine; for prepared statements with the names and types of the markers.
    Accepted(Option<String>),
    /// Not fine.
    Refused { code: u32, text: String },
    /// No verdict: a timeout, or an error that comes from data rather than from the statement.
    Unjudged(String),
}

/// Either side.
pub(super) trait Respondent {
    /// What it says to a statement.
    fn ask(&mut self, ask: &Ask) -> Verdict;
    /// The node has accepted the statement: take the change over, or say why not.
    fn follow(&mut self, ask: &Ask) -> Result<(), String>;
    /// Forgets every schema whose keyspaces start so.
    fn forget(&mut self, prefix: &str);
}

impl Verdict {
    /// The text of a refusal.
    pub(super) fn refusal(&self) -> Option<(u32, &str)> {
        match self {
            Self::Refused { code, text } => Some((*code, text)),
            _ => None,
        }
    }
}
