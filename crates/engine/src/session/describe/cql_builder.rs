//! [`CqlBuilder`]: CQL text with indentation.

use std::fmt::Write;

/// Builds CQL text (Cassandra's `CqlBuilder`): what follows a new line is indented.
#[derive(Default)]
pub(super) struct CqlBuilder {
    out: String,
    indent: usize,
    is_new_line: bool,
}

impl CqlBuilder {
    /// Appends a value.
    pub(super) fn add(&mut self, text: impl std::fmt::Display) -> &mut Self {
        if std::mem::take(&mut self.is_new_line) {
            for _ in 0..self.indent {
                self.out.push_str("    ");
            }
        }
        let _ = write!(self.out, "{text}");
        self
    }

    /// Ends a line.
    pub(super) fn new_line(&mut self) -> &mut Self {
        self.out.push('\n');
        self.is_new_line = true;
        self
    }

    /// Increases the indentation.
    pub(super) fn indent(&mut self) -> &mut Self {
        self.indent += 1;
        self
    }

    /// Decreases the indentation.
    pub(super) fn outdent(&mut self) -> &mut Self {
        self.indent = self.indent.saturating_sub(1);
        self
    }

    /// Appends values separated by commas.
    pub(super) fn list<T: std::fmt::Display>(
        &mut self,
        items: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.add(", ");
            }
            self.add(item);
        }
        self
    }

    /// The finished text.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

/// A text in single quotes.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The key of case-insensitive comparisons, folded as in Java.
pub(super) fn fold_case(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}
