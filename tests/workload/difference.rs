//! Whether two answers are the same, and how a difference is shown.

use std::fmt::Write;

use super::side::{RawRow, Reply};

/// Seconds by which two TTLs may differ: the sides are written to and asked one after the other.
const TTL_SLACK: i64 = 60;

/// Whether two answers agree: in everything but the seconds left to live.
pub(super) fn is_same_reply(ours: &Reply, theirs: &Reply) -> bool {
    match (ours, theirs) {
        (Reply::Rows { columns, pages }, Reply::Rows { columns: their_columns, pages: theirs }) => {
            let seconds: Vec<_> = columns.iter().map(|one| one.starts_with("ttl(")).collect();
            columns == their_columns
                && pages.len() == theirs.len()
                && pages.iter().zip(theirs).all(|(ours, theirs)| {
                    ours.len() == theirs.len()
                        && ours.iter().zip(theirs).all(|(a, b)| is_same_row(a, b, &seconds))
                })
        }
        _ => ours == theirs,
    }
}

fn is_same_row(ours: &RawRow, theirs: &RawRow, seconds: &[bool]) -> bool {
    ours.len() == theirs.len()
        && ours.iter().zip(theirs).enumerate().all(|(at, pair)| match pair {
            (Some(a), Some(b)) if seconds.get(at) == Some(&true) => is_same_ttl(a, b),
            (a, b) => a == b,
        })
}

/// A TTL, or a list of them: four bytes each, as are the lengths between them.
fn is_same_ttl(ours: &[u8], theirs: &[u8]) -> bool {
    let numbers = |bytes: &[u8]| -> Vec<i64> {
        let chunks = bytes.chunks_exact(4);
        chunks
            .map(|four| i64::from(i32::from_be_bytes([four[0], four[1], four[2], four[3]])))
            .collect()
    };
    ours.len() == theirs.len()
        && numbers(ours).iter().zip(numbers(theirs)).all(|(a, b)| (a - b).abs() <= TTL_SLACK)
}

/// An answer in lines.
pub(super) fn render_reply(reply: &Reply) -> String {
    match reply {
        Reply::Done => "done".to_owned(),
        Reply::Refused { code, text } => format!("{code:#06x} {text}"),
        Reply::Rows { columns, pages } => {
            let mut text = columns.join(", ");
            for (number, page) in pages.iter().enumerate() {
                if number > 0 {
                    text += "\n--- next page";
                }
                for row in page {
                    let values: Vec<_> =
                        row.iter().map(|value| spell_value(value.as_ref())).collect();
                    let _ = write!(text, "\n{}", values.join(" | "));
                }
            }
            text
        }
    }
}

fn spell_value(value: Option<&Vec<u8>>) -> String {
    match value {
        None => "null".to_owned(),
        Some(bytes) => bytes.iter().fold("0x".to_owned(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        }),
    }
}
