//! Indented text.

use std::fmt;

/// A text that is written line by line.
#[derive(Debug)]
pub(crate) struct CodeWriter {
    text: String,
    indent: &'static str,
    depth: usize,
}

impl CodeWriter {
    /// An empty text with this indentation.
    pub(crate) const fn new(indent: &'static str) -> Self {
        Self { text: String::new(), indent, depth: 0 }
    }

    /// Adds a line; an empty one has no indentation.
    pub(crate) fn line(&mut self, line: impl fmt::Display) -> &mut Self {
        for part in line.to_string().split('\n') {
            if !part.is_empty() {
                for _ in 0..self.depth {
                    self.text.push_str(self.indent);
                }
                self.text.push_str(part);
            }
            self.text.push('\n');
        }
        self
    }

    /// An empty line.
    pub(crate) fn blank(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// Lines that are one level deeper.
    pub(crate) fn indent(&mut self, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.depth += 1;
        write(self);
        self.depth -= 1;
        self
    }

    /// A line, deeper lines, and a last line.
    pub(crate) fn block(
        &mut self,
        first: impl fmt::Display,
        last: impl fmt::Display,
        write: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.line(first).indent(write).line(last)
    }

    /// The text.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}
