//! QP015: the same statement with other literals.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, TextKind};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp015_literal_statement.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut shapes: HashMap<String, (&ReplayedStatement, bool)> = HashMap::new();
    for seen in project.statements.iter().filter(|seen| seen.plan().is_some()) {
        // Scripts that load data are not programs.
        let kind = project.texts.get(seen.place.text).map(|text| text.kind);
        if kind != Some(TextKind::Program) && seen.annotations.name.is_none() {
            continue;
        }
        let written = project.text_at(seen.place);
        let Some(shape) = statement_shape(written) else { continue };
        match shapes.entry(shape) {
            Entry::Vacant(entry) => {
                entry.insert((seen, false));
            }
            Entry::Occupied(mut entry) => {
                let (first, told) = entry.get_mut();
                if !*told && project.text_at(first.place) != written {
                    *told = true;
                    reporter
                        .report(seen.place, "Statements with literals are parsed at each execution and cannot be routed by token.")
                        .with_related(first.place, "the same statement with different literals")
                        .help("use ? for each literal, prepare the statement once, and bind the values");
                }
            }
        }
    }
}

/// The statement with `?` for each literal; `None` if it has none.
fn statement_shape(text: &str) -> Option<String> {
    if !can_have_literals(text) {
        return None;
    }
    let mut shape = String::with_capacity(text.len());
    let mut has_literals = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => 1 + rest[1..].find('\'').map_or(rest.len() - 1, |end| end + 1),
            _ if first.is_alphanumeric() || first == '_' => word_length(rest),
            _ => first.len_utf8(),
        };
        let (piece, tail) = rest.split_at(length);
        rest = tail;
        if first == '\'' || first.is_ascii_digit() || is_uuid(piece) {
            has_literals = true;
            shape.push('?');
        } else if first.is_whitespace() {
            if !shape.ends_with(' ') {
                shape.push(' ');
            }
        } else {
            shape.push_str(piece);
        }
    }
    has_literals.then_some(shape)
}

/// Whether there is a quote, a number that is no part of a word, or the dash of a UUID.
fn can_have_literals(text: &str) -> bool {
    let mut before = b' ';
    text.bytes().any(|byte| {
        let starts = !before.is_ascii_alphanumeric() && before != b'_';
        before = byte;
        matches!(byte, b'\'' | b'-') || starts && byte.is_ascii_digit()
    })
}

/// The length of a name, a number or a UUID.
fn word_length(text: &str) -> usize {
    if text.get(..36).is_some_and(is_uuid) {
        return 36;
    }
    text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len())
}

fn is_uuid(text: &str) -> bool {
    let is_part = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(is_part)
}
