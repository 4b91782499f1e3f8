//! How names are compared with the lists of words: by patterns, or word for word.

use std::borrow::Cow;

use super::translation::to_english;

/// The name as the lists are written: in lower case, with underscores between its words, in English: `created_at` of `createdAt`,
/// `order_status` of `order_estado`.
pub(crate) fn lowercase(name: &str) -> Cow<'_, str> {
    let words = split_words(name);
    if words.split('_').all(|word| to_english(word).is_none()) {
        return words;
    }
    let english: Vec<&str> =
        words.split('_').map(|word| to_english(word).unwrap_or(word)).collect();
    Cow::Owned(english.join("_"))
}

/// The name in lower case, which most are written in, with underscores between its words.
fn split_words(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower {
        return Cow::Borrowed(name);
    }
    let mut words = String::with_capacity(name.len() + 4);
    let mut last = '_';
    for letter in name.chars() {
        if letter.is_uppercase() && last.is_lowercase() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
        last = letter;
    }
    Cow::Owned(words)
}

/// Whether a name is one of these words; `*` at either end of a word stands for anything.
pub(crate) fn matches_any(name: &str, words: &[&str]) -> bool {
    let name = lowercase(name);
    words.iter().any(|word| matches_pattern(name.as_bytes(), word.as_bytes()))
}

/// Whether a name is a word. Nearly all are told apart by their first or last letter, before any comparison.
fn matches_pattern(name: &[u8], word: &[u8]) -> bool {
    match word {
        [b'*', part @ .., b'*'] => name.windows(part.len().max(1)).any(|piece| piece == part),
        [b'*', end @ ..] => {
            name.last() == end.last() && (name.ends_with(end) || is_compound(name, end))
        }
        [start @ .., b'*'] => name.first() == start.first() && name.starts_with(start),
        _ => name.len() == word.len() && name.first() == word.first() && name == word,
    }
}

/// Whether a name ends with a word that is written together with what stands before it, since the server folds `orderDate` to
/// `orderdate`. Only words that are rarely the end of others are taken apart.
fn is_compound(name: &[u8], end: &[u8]) -> bool {
    const ENDS: &[&[u8]] = &[b"_date", b"_time", b"_timestamp", b"_datetime", b"_number"];
    const OTHERS: &[&[u8]] = &[
        b"update",
        b"candidate",
        b"mandate",
        b"validate",
        b"runtime",
        b"lifetime",
        b"uptime",
        b"downtime",
        b"realtime",
        b"overtime",
    ];
    if end == b"_at" {
        return name.ends_with(b"edat") && name.len() > 5;
    }
    ENDS.contains(&end)
        && end.get(1..).is_some_and(|word| name.len() > word.len() + 2 && name.ends_with(word))
        && !OTHERS.iter().any(|other| name.ends_with(other))
}

/// Whether one of the words of a name, between underscores, is one of these.
pub(crate) fn has_word(name: &str, words: &[&str]) -> bool {
    let name = lowercase(name);
    name.split('_').any(|word| words.contains(&word))
}
