//! The words of a command of the shell.

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// As written, without quotes.
    Bare(String),
    /// `'...'`, without the quotes.
    Text(String),
    /// `"..."`, without the quotes.
    Name(String),
    /// Anything else.
    Mark(char),
}

impl Word {
    /// Whether it is this word, in any case.
    pub(crate) fn is(&self, expected: &str) -> bool {
        matches!(self, Self::Bare(word) if word.eq_ignore_ascii_case(expected))
    }

    /// The name of something in the schema.
    pub(crate) fn as_name(&self) -> Option<String> {
        match self {
            Self::Bare(word) => Some(word.to_lowercase()),
            Self::Name(name) => Some(name.clone()),
            Self::Text(_) | Self::Mark(_) => None,
        }
    }
}

/// The words of a text; none if a quote is left open.
pub(crate) fn words(text: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+');
        let length = match first {
            '\'' | '"' => {
                let (quoted, length) = unquoted(rest, first)?;
                words.push(if first == '"' { Word::Name(quoted) } else { Word::Text(quoted) });
                length
            }
            _ if is_bare(first) => {
                let word: String = rest.chars().take_while(|c| is_bare(*c)).collect();
                let length = word.len();
                words.push(Word::Bare(word));
                length
            }
            _ => {
                words.push(Word::Mark(first));
                first.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Some(words)
}

/// What stands between quotes at the start of a text, and how far it reaches. A quote twice is a quote.
fn unquoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut out = String::new();
    let mut characters = text.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        if character != quote {
            out.push(character);
        } else if characters.next_if(|(_, next)| *next == quote).is_some() {
            out.push(quote);
        } else {
            return Some((out, at + quote.len_utf8()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_word_by_word() {
        let found = words(r#"ks."T" (a) TO 'it''s.csv' WITH x=-5"#).unwrap();
        let bare = |word: &str| Word::Bare(word.to_owned());
        let expected = [
            bare("ks"),
            Word::Mark('.'),
            Word::Name("T".to_owned()),
            Word::Mark('('),
            bare("a"),
            Word::Mark(')'),
            bare("TO"),
            Word::Text("it's.csv".to_owned()),
            bare("WITH"),
            bare("x"),
            Word::Mark('='),
            bare("-5"),
        ];
        assert_eq!(found, expected);
        assert_eq!(words("'open"), None);
        assert_eq!(words(" "), Some(Vec::new()));
    }
}
