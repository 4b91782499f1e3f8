//! Lines of CQL with their indentation.

use std::fmt::Write;

/// Text in the making: what follows a new line is indented.
#[derive(Default)]
pub(super) struct CqlBuilder {
    out: String,
    indent: usize,
    is_new_line: bool,
}

impl CqlBuilder {
    /// Adds some.
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

    /// Lines that follow are indented more.
    pub(super) fn indent(&mut self) -> &mut Self {
        self.indent += 1;
        self
    }

    /// Lines that follow are indented less.
    pub(super) fn outdent(&mut self) -> &mut Self {
        self.indent = self.indent.saturating_sub(1);
        self
    }

    /// Adds names or the like with commas between them.
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

    /// All of it.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

/// A text between quotes.
pub(super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// What names are compared by where case does not matter, as Java folds it.
pub(super) fn fold_case(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}
