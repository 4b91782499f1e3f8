//! What of a dump does not become part of a model.

use std::collections::HashSet;

use super::super::scan::RawStatement;
use super::dump_schema::DumpStatement;

/// The first words of statements that are left out, and what they are counted as.
const KINDS: &[(&[&str], &str)] = &[
    (&["create", "index"], "index"),
    (&["create", "sequence"], "sequence"),
    (&["alter", "sequence"], "sequence"),
    (&["create", "extension"], "extension"),
    (&["create", "schema"], "schema"),
    (&["create", "aggregate"], "function"),
    (&["create", "procedure"], "function"),
    (&["comment"], "comment"),
    (&["grant"], "grant"),
    (&["revoke"], "grant"),
];

/// Objects whose absence may matter, with what to do about it.
const NAMED: &[(&[&str], &str)] = &[
    (
        &["create", "foreign", "table"],
        "a table of another server; create it here if it is stored in Cassandra",
    ),
    (&["create", "policy"], "row-level security; add its condition to the statements"),
];

/// What a skipped statement is counted as, or a note about it.
pub(super) fn find_omitted_kind(
    text: &str,
    piece: &RawStatement,
) -> (&'static str, Option<String>) {
    let words: Vec<String> =
        piece.words.iter().map(|word| word.text(text).to_lowercase()).collect();
    let starts = |prefix: &[&str]| {
        words.iter().map(String::as_str).take(prefix.len()).eq(prefix.iter().copied())
    };
    if let Some((prefix, what)) = NAMED.iter().find(|(prefix, _)| starts(prefix)) {
        let name = object_name(text, piece, prefix.last().copied().unwrap_or_default());
        let kind = prefix.get(1..).unwrap_or_default().join(" ");
        return ("", Some(format!("{kind} {name}: {what}")));
    }
    let known = KINDS.iter().find(|(prefix, _)| starts(prefix));
    (known.map_or("setting", |(_, kind)| kind), None)
}

/// The name of the object that a CREATE makes: the last word of the name behind the type.
pub(super) fn object_name<'a>(text: &'a str, piece: &RawStatement, object: &str) -> &'a str {
    let skipped = ["if", "not", "exists"];
    let is = |word: &str, other: &str| word.eq_ignore_ascii_case(other);
    let words = piece.words.iter().map(|word| (word, word.text(text)));
    let mut behind = words.skip_while(|(_, word)| !is(word, object)).skip(1);
    let Some((mut span, mut name)) =
        behind.by_ref().find(|(_, word)| !skipped.iter().any(|it| is(word, it)))
    else {
        return "";
    };
    for (next, word) in behind {
        let between = text.get(span.end as usize..next.start as usize).unwrap_or_default();
        if between.trim_matches(['"', '`']) != "." {
            break;
        }
        (span, name) = (next, word);
    }
    name
}

/// The functions that a trigger among these statements calls, and how many others there are.
pub(super) fn list_functions(
    functions: Vec<(String, DumpStatement)>,
    statements: &[DumpStatement],
) -> (Vec<DumpStatement>, usize) {
    let all = functions.len();
    let words = statements.iter().flat_map(|statement| {
        statement.text.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
    });
    let words: HashSet<String> = words.map(str::to_lowercase).collect();
    let is_called = |name: &str| !name.is_empty() && words.contains(&name.to_lowercase());
    let used: Vec<DumpStatement> =
        functions.into_iter().filter(|(name, _)| is_called(name)).map(|(_, it)| it).collect();
    let unused = all - used.len();
    (used, unused)
}
