//! The words of a comment, with their places.

use cql::Span;

/// A word, or a comma.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// The words of `text`, which stands at `offset`. A comma at the end of a word (or alone) is a
/// separate word.
pub(crate) fn words(text: &str, offset: u32) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for (start, word) in pieces(text) {
        let word_end = word.trim_end_matches(',').len();
        for (from, to) in [(0, word_end), (word_end, word.len())] {
            if from < to {
                let place = |at: usize| {
                    offset.saturating_add(u32::try_from(start + at).unwrap_or(u32::MAX))
                };
                let text = &word[from..to];
                words.push(Word { text, span: Span::new(place(from), place(to)) });
            }
        }
    }
    words
}

/// Splits at white space, and after each comma: `Q1,Q2` is two words.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let start = at + rest.find(|c: char| !c.is_whitespace())?;
        let word = &text[start..];
        // Not beyond the piece: a line of commas would be searched to its end for each of them.
        let end = word.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(word.len());
        let length = end + usize::from(word[end..].starts_with(','));
        at = start + length;
        Some((start, &word[..length]))
    })
}

impl Word<'_> {
    /// `@rows`, and not the `@` of an address or one that stands alone.
    pub(crate) fn is_directive(&self) -> bool {
        self.text.strip_prefix('@').is_some_and(|name| name.starts_with(char::is_alphabetic))
    }

    pub(crate) fn is_comma(&self) -> bool {
        self.text.starts_with(',')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_places() {
        let text = " ask a@b.c:  @after Q1,Q2 , Q3";
        let found = words(text, 0);
        let texts: Vec<_> = found.iter().map(|word| word.text).collect();
        assert_eq!(texts, ["ask", "a@b.c:", "@after", "Q1", ",", "Q2", ",", "Q3"]);
        assert!(found.iter().all(|word| word.span.text(text) == word.text));
        let directives: Vec<_> = found.iter().filter(|word| word.is_directive()).collect();
        assert_eq!(directives.len(), 1);
    }
}
