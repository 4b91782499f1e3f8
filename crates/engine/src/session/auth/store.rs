//! Access to the tables of roles and permissions by internal statements, as in the server.

use crate::error::Result;
use crate::node::Node;
use crate::result::{ResultMessage, ResultSet};
use crate::session::run_internal;

/// Executes an internal statement.
pub(super) fn run(node: &Node, text: &str) -> Result<()> {
    run_internal(node, text).map(drop)
}

/// The rows of an internal statement.
pub(super) fn query_rows(node: &Node, text: &str) -> Result<ResultSet> {
    Ok(match run_internal(node, text)? {
        ResultMessage::Rows(rows) => rows,
        _ => ResultSet::default(),
    })
}

/// A text as a CQL literal.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Decodes a text; null and invalid text are empty.
pub(super) fn decode_text(value: Option<&&[u8]>) -> Box<str> {
    let bytes = value.copied().unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default().into()
}

/// Decodes a set of texts.
pub(super) fn decode_texts(value: Option<&&[u8]>) -> Vec<Box<str>> {
    let mut rest = value.copied().unwrap_or_default();
    let Some(count) = take_length(&mut rest) else { return Vec::new() };
    let mut texts = Vec::new();
    for _ in 0..count {
        let Some((element, tail)) =
            take_length(&mut rest).and_then(|length| rest.split_at_checked(length))
        else {
            break;
        };
        rest = tail;
        texts.push(decode_text(Some(&element)));
    }
    texts
}

fn take_length(rest: &mut &[u8]) -> Option<usize> {
    let (length, tail) = rest.split_first_chunk()?;
    *rest = tail;
    usize::try_from(i32::from_be_bytes(*length)).ok()
}
