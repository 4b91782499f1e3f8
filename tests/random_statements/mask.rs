//! The shape of a message: what stays of it when names, numbers, types and values are masked.

use std::collections::HashSet;

use super::types::NATIVES;

/// Words that are names in some statements and English in some messages; masked everywhere, so that both look alike.
const NAMES: &[&str] = &[
    "id", "day", "name", "at", "kind", "score", "tags", "items", "attrs", "place", "note", "total",
    "rank", "flag", "body", "owner", "email", "ip", "ratio", "amount", "seq", "region", "bucket",
    "camel", "state", "order", "two", "words", "json", "street", "zip", "number", "city", "first",
    "points", "parts", "since", "counter", "list", "set", "map", "tuple", "frozen", "vector",
    "null", "true", "false",
];

/// The shape of a message about a statement.
///
/// Keywords are written in capitals by the generator, so every other word of the statement is a name, a type or a value.
pub(super) fn shape(message: &str, statement: &str) -> String {
    let mut words: HashSet<String> = NAMES.iter().chain(NATIVES).map(ToString::to_string).collect();
    for word in split(statement) {
        if word.chars().any(|c| c.is_ascii_lowercase()) {
            words.insert(word.to_lowercase());
        }
    }
    let mut out = String::new();
    let mut word = String::new();
    for c in message.chars().chain([' ']) {
        if is_word(c) {
            word.push(c);
            continue;
        }
        out.push_str(&mask_word(&word, &words));
        word.clear();
        if !matches!(c, '"' | '<' | '>' | '[' | ']' | '{' | '}') {
            out.push(c);
        }
    }
    collapse(out.trim())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

fn mask_word(word: &str, words: &HashSet<String>) -> String {
    let masked = word.chars().any(|c| c.is_ascii_digit() || !c.is_ascii())
        || words.contains(&word.to_lowercase());
    if masked { "@".to_owned() } else { word.to_owned() }
}

/// Makes one mask of several that only punctuation parts.
fn collapse(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, after) = rest.split_at(at);
        let parts = before.chars().all(|c| !is_word(c)) && out.ends_with('@');
        if !parts {
            out.push_str(before);
            out.push('@');
        }
        rest = &after[1..];
    }
    out.push_str(rest);
    out
}

#[test]
fn names_and_numbers_are_masked() {
    let statement = "INSERT INTO r1_2.users7 (idx, day) VALUES ('abc', 5)";
    assert_eq!(
        shape("Undefined column name idx in table r1_2.users7", statement),
        "Undefined column @ in table @"
    );
    assert_eq!(
        shape("Invalid STRING constant (abc) for \"day\" of type int", statement),
        "Invalid STRING constant (@) for @ of type @"
    );
}
