//! Words and brackets of a statement's text, for the places that the parser does not keep.

/// The words of a text with their offsets, without those in quotes or comments.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() {
            let rest = &text[at..];
            let length = literal_length(rest);
            if length > 0 {
                at += length;
                continue;
            }
            let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            if word > 0 {
                at += word;
                return Some((at - word, &rest[..word]));
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
        None
    })
}

/// The unmatched brackets of a text: closing ones and opening ones.
pub(super) fn count_lone_brackets(text: &str) -> (usize, usize) {
    let (mut closing, mut opening) = (0, 0);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match rest.as_bytes().first() {
            Some(b'(' | b'[') => opening += 1,
            Some(b')' | b']') if opening > 0 => opening -= 1,
            Some(b')' | b']') => closing += 1,
            _ => {}
        }
        at += literal_length(rest).max(rest.chars().next().map_or(1, char::len_utf8));
    }
    (closing, opening)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of the string, quoted name or comment that a text begins with.
fn literal_length(text: &str) -> usize {
    let until = |from: usize, end: &str| {
        text.get(from..).and_then(|rest| rest.find(end)).map_or(text.len(), |at| from + at)
    };
    if text.starts_with('\'') {
        (until(1, "'") + 1).min(text.len())
    } else if text.starts_with('"') {
        (until(1, "\"") + 1).min(text.len())
    } else if text.starts_with("--") {
        until(2, "\n")
    } else if text.starts_with("/*") {
        (until(2, "*/") + 2).min(text.len())
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_comments_hold_no_words() {
        let text = "SELECT 'a OR b', \"OFFSET\" /* OR */ -- LIMIT\n OR x_1 = 'it''s' 'open";
        let found: Vec<&str> = words(text).map(|(_, word)| word).collect();
        assert_eq!(found, ["SELECT", "OR", "x_1"]);
        assert!(words(text).all(|(at, word)| text[at..].starts_with(word)));
    }

    #[test]
    fn brackets_without_partner() {
        assert_eq!(count_lone_brackets("lower(x"), (0, 1));
        assert_eq!(count_lone_brackets("a, b) < (?, ?"), (1, 1));
        assert_eq!(count_lone_brackets("f(a, ')')"), (0, 0));
    }
}
