//! Scalars of YAML: those in quotes, blocks behind `|` and `>`, and plain ones.

use super::literals::StringLiteral;

/// All scalars, in order: those in quotes as they are, blocks, and plain ones that may go on over lines.
pub(super) fn find_scalars(text: &str, quoted: &[StringLiteral]) -> Vec<StringLiteral> {
    let mut found = Vec::new();
    let mut lines = lines_with_offsets(text).peekable();
    while let Some((start, line)) = lines.next() {
        let (depth, value) = (indentation(line), line_value(line));
        let first = value.trim();
        let is_block = first.starts_with(['|', '>']) && first.len() <= 3;
        if first.is_empty() || first.starts_with(['"', '\'', '#', '[', '{', '&', '*']) {
            continue;
        }
        let from = if is_block { start + line.len() } else { start + line.len() - value.len() };
        let mut end = start + line.trim_end().len();
        let goes_on = |next: &str| {
            let is_deeper = indentation(next) > depth;
            is_deeper && (is_block || line_value(next).trim() == next.trim())
        };
        while let Some((at, next)) =
            lines.next_if(|(_, next)| next.trim().is_empty() && is_block || goes_on(next))
        {
            if !next.trim().is_empty() {
                end = at + next.trim_end().len();
            }
        }
        if from < end {
            found.push(StringLiteral { start: from, body: (from, end), end, raw: true });
        }
    }
    let apart = |one: &StringLiteral, others: &[StringLiteral]| {
        let at = others.partition_point(|other| other.end <= one.start);
        others.get(at).is_none_or(|other| one.end <= other.start)
    };
    let own: Vec<StringLiteral> = quoted.iter().filter(|one| apart(one, &found)).copied().collect();
    found.extend(own);
    found.sort_by_key(|literal| literal.start);
    found
}

/// How far a line is set in.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// What stands behind `key: ` or `- `.
fn line_value(line: &str) -> &str {
    let bare = line.trim_start_matches([' ', '-']);
    match bare.split_once(": ") {
        Some((key, value)) if !key.trim_matches('"').contains(' ') => value,
        _ if bare.trim_end().ends_with(':') => "",
        _ => bare,
    }
}

/// The lines with their offsets, line ends included.
fn lines_with_offsets(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}
