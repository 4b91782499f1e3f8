//! How names are compared with the lists of words: by patterns, or word for word.

use std::borrow::Cow;

/// The name in lower case, which most are written in.
pub(crate) fn lowercase(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
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
        [b'*', end @ ..] => name.last() == end.last() && name.ends_with(end),
        [start @ .., b'*'] => name.first() == start.first() && name.starts_with(start),
        _ => name.len() == word.len() && name.first() == word.first() && name == word,
    }
}

/// Whether one of the words of a name, between underscores, is one of these.
pub(crate) fn has_word(name: &str, words: &[&str]) -> bool {
    let name = lowercase(name);
    name.split('_').any(|word| words.contains(&word))
}
