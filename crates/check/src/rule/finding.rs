//! What a rule found.

use cql::ErrorCode;

use super::Rule;
use crate::fix::Fix;
use crate::location::Location;
use crate::severity::{Confidence, Severity};

/// What of a schema a finding concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingSubject {
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
    pub place: Location,
    /// What it concerns.
    pub subject: FindingSubject,
    /// One sentence: the server's own text where the server refuses.
    pub message: String,
    /// The evidence: figures and what they rest on.
    pub notes: Vec<String>,
    /// Other places that belong to it, each with what is there.
    pub related: Vec<(Location, String)>,
    /// What to write instead.
    pub help: Option<String>,
    /// What `--fix` can do.
    pub fix: Option<Fix>,
    /// The server's error code, where it refuses.
    pub error: Option<ErrorCode>,
    /// The name of the guardrail whose violation it predicts.
    pub guardrail: Option<&'static str>,
}
