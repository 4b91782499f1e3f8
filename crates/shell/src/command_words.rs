//! Splits the arguments of a shell command into words.

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CommandWord {
    /// An unquoted word.
    Bare(String),
    /// `'...'`, without the quotes.
    Text(String),
    /// `"..."`, without the quotes.
    Name(String),
    /// A punctuation character.
    Mark(char),
}

impl CommandWord {
    /// Whether it is this keyword, ignoring case.
    pub(crate) fn is_keyword(&self, expected: &str) -> bool {
        matches!(self, Self::Bare(word) if word.eq_ignore_ascii_case(expected))
    }

    /// The word as an identifier: lower case unless quoted.
    pub(crate) fn as_name(&self) -> Option<String> {
        match self {
            Self::Bare(word) => Some(word.to_lowercase()),
            Self::Name(name) => Some(name.clone()),
            Self::Text(_) | Self::Mark(_) => None,
        }
    }
}

/// Splits a text into words; `None` if a quote is not closed.
pub(crate) fn split_words(text: &str) -> Option<Vec<CommandWord>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+');
        let length = match first {
            '\'' | '"' => {
                let (quoted, length) = read_quoted(rest, first)?;
                words.push(if first == '"' {
                    CommandWord::Name(quoted)
                } else {
                    CommandWord::Text(quoted)
                });
                length
            }
            _ if is_bare(first) => {
                let word: String = rest.chars().take_while(|c| is_bare(*c)).collect();
                let length = word.len();
                words.push(CommandWord::Bare(word));
                length
            }
            _ => {
                words.push(CommandWord::Mark(first));
                first.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    Some(words)
}

/// The quoted string at the start of a text, and its length. A doubled quote is a quote.
fn read_quoted(text: &str, quote: char) -> Option<(String, usize)> {
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
    fn commands_are_split_into_words() {
        let words = split_words(r#"ks."T" (a) TO 'it''s.csv' WITH x=-5"#).unwrap();
        let bare = |word: &str| CommandWord::Bare(word.to_owned());
        let expected = [
            bare("ks"),
            CommandWord::Mark('.'),
            CommandWord::Name("T".to_owned()),
            CommandWord::Mark('('),
            bare("a"),
            CommandWord::Mark(')'),
            bare("TO"),
            CommandWord::Text("it's.csv".to_owned()),
            bare("WITH"),
            bare("x"),
            CommandWord::Mark('='),
            bare("-5"),
        ];
        assert_eq!(words, expected);
        assert_eq!(split_words("'open"), None);
        assert_eq!(split_words(" "), Some(Vec::new()));
    }
}
