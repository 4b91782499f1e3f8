//! Changes to texts that a finding offers.

use crate::location::Location;

/// A change of texts that ends a finding.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// Whether it may be applied unseen.
    pub kind: FixKind,
    /// The changes of texts.
    pub edits: Vec<Edit>,
}

/// Whether a fix may be applied unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FixKind {
    /// It changes the text and nothing else.
    Safe,
    /// It changes what the statement does.
    Unsafe,
    /// Several steps over time: its edits are shown, never applied.
    Plan,
}

/// A place of a text and what is to stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What goes.
    pub place: Location,
    /// What comes.
    pub text: String,
}
