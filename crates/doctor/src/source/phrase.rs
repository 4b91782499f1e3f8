//! A cursor over a sentence whose wording is known.

/// The part of a sentence that was not read yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Phrase<'a> {
    rest: &'a str,
}

impl<'a> Phrase<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// What was not read.
    pub(super) fn rest(self) -> &'a str {
        self.rest
    }

    /// Skips words that must come next.
    pub(super) fn skip(&mut self, words: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(words)?;
        Some(())
    }

    /// The text up to words that must come, which are skipped.
    pub(super) fn take_until(&mut self, words: &str) -> Option<&'a str> {
        let at = memchr::memmem::find(self.rest.as_bytes(), words.as_bytes())?;
        let (before, after) = self.rest.split_at_checked(at)?;
        self.rest = after.strip_prefix(words)?;
        Some(before)
    }

    /// The text up to the last occurrence of words that must come, which are skipped.
    pub(super) fn take_until_last(&mut self, words: &str) -> Option<&'a str> {
        let at = memchr::memmem::rfind(self.rest.as_bytes(), words.as_bytes())?;
        let (before, after) = self.rest.split_at_checked(at)?;
        self.rest = after.strip_prefix(words)?;
        Some(before)
    }

    /// The digits that come next.
    pub(super) fn take_count(&mut self) -> Option<u64> {
        let end = self.rest.bytes().position(|byte| !byte.is_ascii_digit() && byte != b',');
        let (digits, after) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let count = super::quantity::parse_count(digits.trim_end_matches(','))?;
        self.rest = after;
        Some(count)
    }
}

/// What follows words at the start of a text.
pub(super) fn rest_after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let mut phrase = Phrase::new(text);
    phrase.skip(words)?;
    Some(phrase.rest())
}

/// Whether a text contains words.
pub(super) fn has_words(text: &str, words: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), words.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_taken_apart() {
        let mut phrase = Phrase::new("Read 12 live rows and 3,400 tombstone cells; token 1; end");
        assert_eq!(phrase.skip("Read "), Some(()));
        assert_eq!(phrase.take_count(), Some(12));
        assert_eq!(phrase.take_until(" and "), Some(" live rows"));
        assert_eq!(phrase.take_count(), Some(3400));
        assert_eq!(phrase.take_until_last("; "), Some(" tombstone cells; token 1"));
        assert_eq!(phrase.rest(), "end");
        assert_eq!(phrase.skip("x"), None);
        assert_eq!(phrase.take_count(), None);
    }
}
