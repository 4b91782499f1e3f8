//! The tables in which roles and permissions are kept, read and written by statements, as the server does.

use crate::error::Result;
use crate::node::Node;
use crate::result::{ResultMessage, ResultSet};
use crate::session::run_internal;

/// Runs a statement of the server's own.
pub(super) fn run(node: &Node, text: &str) -> Result<()> {
    run_internal(node, text).map(drop)
}

/// The rows that a statement of the server's own gives.
pub(super) fn query_rows(node: &Node, text: &str) -> Result<ResultSet> {
    Ok(match run_internal(node, text)? {
        ResultMessage::Rows(rows) => rows,
        _ => ResultSet::default(),
    })
}

/// A text as a literal.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The text in a value; what is null or no text is empty.
pub(super) fn decode_text(value: Option<&&[u8]>) -> Box<str> {
    let bytes = value.copied().unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default().into()
}

/// The texts in the value of a set.
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
