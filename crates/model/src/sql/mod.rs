//! The model file: SQL tables and queries with volumes in comments, read into a concept and a workload.
//!
//! Reading never stops at the first mistake: everything that is wrong is reported, each with its place and what to write
//! instead.

mod query;
mod source;

use cql::{Diagnostic, Severity, Span};

use crate::concept::Concept;
use crate::workload::Workload;

/// What a model file says.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// What is stored.
    pub concept: Concept,
    /// What is asked and done.
    pub workload: Workload,
    /// What was assumed because the file does not say it, with the place where it could.
    pub assumptions: Vec<Assumption>,
    /// What is understood and still worth a warning.
    pub warnings: Vec<Diagnostic>,
}

/// Something that was assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// One sentence.
    pub message: String,
    /// Where the file could say it.
    pub span: Span,
    /// What to write there.
    pub help: String,
}

/// Something wrong in a model file.
pub(crate) fn complaint(
    rule: &'static str,
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Diagnostic {
        rule,
        severity: Severity::Error,
        error: None,
        message: message.into(),
        span,
        help: Some(help.into()),
    }
}

/// Reads a model file; `name` (the file's, without its ending) names the keyspace where the file does not.
///
/// Everything that is wrong is reported.
pub fn read(text: &str, name: &str) -> Result<ModelFile, Vec<Diagnostic>> {
    let mut complaints = Vec::new();
    let mut assumptions = Vec::new();
    let mut concept = Concept {
        keyspace: name.to_owned(),
        replication: vec![("datacenter1".to_owned(), 3)],
        nodes: 6,
        tenant: None,
        entities: Vec::new(),
        types: Vec::new(),
    };
    let places = source::Places::new(text);
    let mut warnings = Vec::new();
    let workload = query::resolve(
        &mut concept,
        &[],
        &places,
        &mut complaints,
        &mut assumptions,
        &mut warnings,
    );
    if complaints.is_empty() {
        return Ok(ModelFile { concept, workload, assumptions, warnings });
    }
    Err(complaints)
}
