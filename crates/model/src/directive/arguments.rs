//! The words after a directive, consumed one by one.

use cql::{Diagnostic, Span};

use super::words::Word;
use super::{SpanWidth, quantity};
use crate::diagnostics::error;

/// The help for a number that cannot be read.
const NUMBER_HELP: &str = "write a number such as 1500, 1.5k, 2M, 3B or 1T";

/// The words after a directive that are not consumed yet.
pub(super) struct Arguments<'a, 'w> {
    /// The directive, with its `@`.
    pub directive: Word<'a>,
    words: &'w [Word<'a>],
    /// The end of the consumed words.
    end: u32,
}

pub(super) type ParseResult<T> = Result<T, Box<Diagnostic>>;

impl<'a, 'w> Arguments<'a, 'w> {
    pub(super) fn new(directive: Word<'a>, words: &'w [Word<'a>]) -> Self {
        Self { directive, words, end: directive.span.end }
    }

    /// The directive's name, without its `@`.
    pub(super) fn name(&self) -> &'a str {
        self.directive.text.trim_start_matches('@')
    }

    /// The directive with the consumed words.
    pub(super) fn span(&self) -> Span {
        Span::new(self.directive.span.start, self.end)
    }

    /// The next word, if it is not a comma.
    pub(super) fn next_word(&mut self) -> Option<Word<'a>> {
        let (&word, rest) = self.words.split_first()?;
        if word.is_comma() {
            return None;
        }
        (self.words, self.end) = (rest, word.span.end);
        Some(word)
    }

    /// Consumes the next word if it is this keyword.
    pub(super) fn take_keyword(&mut self, keyword: &str) -> bool {
        let next = self.words.first().is_some_and(|word| word.text == keyword);
        next && self.next_word().is_some()
    }

    /// Consumes the next word if it is like that.
    pub(super) fn take_word(&mut self, is_wanted: impl Fn(&str) -> bool) -> Option<Word<'a>> {
        self.words.first().filter(|word| is_wanted(word.text))?;
        self.next_word()
    }

    /// Consumes a comma.
    pub(super) fn take_comma(&mut self) -> bool {
        match self.words.split_first() {
            Some((comma, rest)) if comma.is_comma() => {
                (self.words, self.end) = (rest, comma.span.end);
                true
            }
            _ => false,
        }
    }

    /// Words separated by commas, each read by `read`.
    pub(super) fn parse_list<T>(
        &mut self,
        help: &str,
        read: impl Fn(Word<'a>) -> Option<T>,
    ) -> ParseResult<Vec<T>> {
        let mut list = Vec::new();
        loop {
            list.push(self.parse_next(help, &read)?);
            if !self.take_comma() {
                return Ok(list);
            }
        }
    }

    /// Whether a comma, a figure and this keyword come next.
    pub(super) fn is_followed_by(&self, keyword: &str) -> bool {
        matches!(self.words, [comma, _, word, ..] if comma.is_comma() && word.text == keyword)
    }

    /// The next word as `read` parses it.
    pub(super) fn parse_next<T>(
        &mut self,
        help: &str,
        read: impl Fn(Word<'a>) -> Option<T>,
    ) -> ParseResult<T> {
        let name = self.directive.text;
        let Some(word) = self.next_word() else {
            let message = format!("{name} has no value");
            return Err(Box::new(error("MF102", self.directive.span, message, help)));
        };
        read(word).ok_or_else(|| {
            let message = format!("{} is not a valid value for {name}", word.text);
            Box::new(error("MF102", word.span, message, help))
        })
    }

    /// A number above zero.
    pub(super) fn parse_number(&mut self) -> ParseResult<f64> {
        self.parse_next(NUMBER_HELP, |word| {
            quantity::parse_number(word.text).filter(|number| *number > 0.0)
        })
    }

    /// A whole number from 1.
    pub(super) fn parse_whole_number(&mut self) -> ParseResult<u32> {
        let read = |word: Word<'_>| word.text.parse().ok().filter(|number| *number > 0);
        self.parse_next("write a whole number of at least 1", read)
    }

    /// A number of bytes.
    pub(super) fn parse_size(&mut self) -> ParseResult<f64> {
        let help = "write a number of bytes such as 24 or 20KB";
        self.parse_next(help, |word| quantity::parse_size(word.text).filter(|number| *number > 0.0))
    }

    /// A number and a unit of time, in one word or in two; in seconds.
    pub(super) fn parse_duration(&mut self) -> ParseResult<f64> {
        let help = "write a duration such as 30s, 5min, 2h, 90 days, 3 months or 2 years";
        if let Some(seconds) = self.take_two_word_duration() {
            return Ok(seconds);
        }
        self.parse_next(help, |word| {
            quantity::parse_duration(word.text).filter(|seconds| *seconds > 0.0)
        })
    }

    /// `90 days`, in seconds.
    fn take_two_word_duration(&mut self) -> Option<f64> {
        let [count, unit, ..] = self.words else { return None };
        let count = quantity::parse_number(count.text).filter(|count| *count > 0.0)?;
        let seconds = count * quantity::unit_seconds(unit.text)?;
        let _ = (self.next_word(), self.next_word());
        Some(seconds)
    }

    /// The width of a range: a duration, or a number.
    pub(super) fn parse_span_width(&mut self) -> ParseResult<SpanWidth> {
        let help = "write a duration such as 6h or 90 days, or a number such as 1000";
        if let Some(seconds) = self.take_two_word_duration() {
            return Ok(SpanWidth::Seconds(seconds));
        }
        self.parse_next(help, |word| {
            let positive = |value: &f64| *value > 0.0;
            let seconds = quantity::parse_duration(word.text).filter(positive);
            let values = || quantity::parse_number(word.text).filter(positive);
            seconds.map(SpanWidth::Seconds).or_else(|| values().map(SpanWidth::Values))
        })
    }

    /// A rate: a count, and the seconds that it is per.
    pub(super) fn parse_rate(&mut self) -> ParseResult<(f64, f64)> {
        let help = "write a rate such as 800/s, 20/min or 3/day";
        self.parse_next(help, |word| {
            quantity::parse_rate(word.text).filter(|(count, _)| *count > 0.0)
        })
    }

    /// A number or a rate.
    pub(super) fn parse_figure(&mut self) -> ParseResult<(f64, Option<f64>)> {
        let help = "write a number such as 50 or 2k, or a rate such as 3/day";
        self.parse_next(help, |word| {
            let per =
                quantity::parse_rate(word.text).map(|(count, seconds)| (count, Some(seconds)));
            per.or_else(|| Some((quantity::parse_number(word.text)?, None)))
                .filter(|(count, _)| *count > 0.0)
        })
    }

    /// An error about words that are left over.
    pub(super) fn leftover_error(&self) -> Option<Diagnostic> {
        let (first, last) = (self.words.first()?, self.words.last()?);
        let message =
            format!("{} is followed by unexpected text: {}", self.directive.text, first.text);
        let help =
            format!("write other text before {}, or in a separate comment", self.directive.text);
        Some(error("MF103", first.span.union(last.span), message, help))
    }
}
