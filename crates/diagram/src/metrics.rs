//! The width of text.

use super::typeface;

/// A size and weight of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Font {
    pub(crate) size: f64,
    pub(crate) bold: bool,
}

impl Font {
    pub(crate) const fn regular(size: f64) -> Self {
        Self { size, bold: false }
    }

    pub(crate) const fn bold(size: f64) -> Self {
        Self { size, bold: true }
    }

    /// The width of a text.
    pub(crate) fn width(self, text: &str) -> f64 {
        text.chars().map(|c| self.advance(c)).sum()
    }

    /// The width of a character.
    pub(crate) fn advance(self, c: char) -> f64 {
        typeface::advance(self.bold, c) * self.size
    }

    /// The text in lines of at most this width, broken at blanks; a longer word gets a separate
    /// line.
    pub(crate) fn wrap(self, text: &str, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && self.width(&line) + self.width(" ") + self.width(word) > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines
    }

    /// The text, its end replaced by dots where it is wider than this.
    pub(crate) fn shorten(self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let room = width - self.width("…");
        let mut taken = 0.0;
        let kept = text.chars().take_while(|c| {
            taken += self.advance(*c);
            taken <= room
        });
        kept.chain(['…']).collect()
    }
}
