//! The request before it is carried out.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence};

/// A step of the preparation of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestStep {
    /// The text is parsed.
    Parsing {
        /// The text of the statement, where the server prints it.
        statement: Option<String>,
    },
    /// The statement is prepared.
    Preparing,
    /// The statement is carried out (`ScyllaDB`).
    Processing,
    /// The result is put together (`ScyllaDB`).
    Answering,
    /// A user-defined function or aggregate was called.
    FunctionCalled {
        /// Its name.
        name: String,
    },
}

impl RequestStep {
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::FunctionCalled { .. } => Mark::End,
            _ => Mark::Start,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<RequestStep> {
    if is_sentence("Parsing a statement", sentence) {
        return Some(RequestStep::Parsing { statement: None });
    }
    if is_sentence("Preparing statement", sentence) {
        return Some(RequestStep::Preparing);
    }
    if is_sentence("Processing a statement", sentence)
        || fields::<1>("Processing a statement for authenticated user: {}", sentence).is_some()
    {
        return Some(RequestStep::Processing);
    }
    if is_sentence("Done processing - preparing a result", sentence) {
        return Some(RequestStep::Answering);
    }
    if let Some([statement]) = fields("Parsing {}", sentence) {
        return Some(RequestStep::Parsing { statement: Some(statement.to_owned()) });
    }
    if let Some([name, _]) = fields("Executed UDF {} in {}\u{3bc}s", sentence) {
        return Some(RequestStep::FunctionCalled { name: name.to_owned() });
    }
    let aggregate = "Executed UDA {}: {} call(s) to state function {} in {}\u{3bc}s";
    let [name, _, _, _] = fields(aggregate, sentence)?;
    Some(RequestStep::FunctionCalled { name: name.to_owned() })
}
