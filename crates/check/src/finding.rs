//! What a rule found.

use cql::{ErrorCode, Span};

use crate::{Confidence, Rule, Severity};

/// A place in one of the texts of a project.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Place {
    /// The position of the text in the project.
    pub text: usize,
    /// Where in it.
    pub span: Span,
}

/// What of a schema a finding concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The keyspace.
    pub keyspace: Option<Box<str>>,
    /// The table, view, index or type.
    pub table: Option<Box<str>>,
    /// The column.
    pub column: Option<Box<str>>,
}

/// What a rule found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad it is here, after what the configuration and the confidence say.
    pub severity: Severity,
    /// How sure it is.
    pub confidence: Confidence,
    /// Where.
    pub place: Place,
    /// What it concerns.
    pub subject: Subject,
    /// One sentence: the server's own text where the server refuses.
    pub message: String,
    /// The evidence: figures and what they rest on.
    pub notes: Vec<String>,
    /// Other places that belong to it, each with what is there.
    pub related: Vec<(Place, String)>,
    /// What to write instead.
    pub help: Option<String>,
    /// What `--fix` can do.
    pub fix: Option<Fix>,
    /// The server's error code, where it refuses.
    pub error: Option<ErrorCode>,
}

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
    pub place: Place,
    /// What comes.
    pub text: String,
}
