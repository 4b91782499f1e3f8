//! Rust text as `rustfmt` formats it.

/// The longest line.
const WIDTH: usize = 100;

/// The longest argument that is short.
const SHORT: usize = 10;

/// Rust text, written line by line. With the `rustfmt.toml` of the generated package, a list stays
/// on one line if it fits, and is broken at every item if it does not.
#[derive(Debug, Default)]
pub(super) struct RustWriter {
    text: String,
    depth: usize,
}

/// The brackets around a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct RustBrackets {
    open: &'static str,
    close: &'static str,
    /// Whether there is a space inside them on one line.
    is_spaced: bool,
}

impl RustBrackets {
    /// Of a call.
    pub(super) const CALL: Self = Self { open: "(", close: ")", is_spaced: false };
    /// Of a structure.
    pub(super) const STRUCTURE: Self = Self { open: " {", close: "}", is_spaced: true };
}

impl RustWriter {
    /// An empty text that is indented so deep.
    pub(super) const fn new(depth: usize) -> Self {
        Self { text: String::new(), depth }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) -> &mut Self {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
        self
    }

    /// An empty line, unless there is one already or a block begins.
    pub(super) fn blank(&mut self) -> &mut Self {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") && !self.text.ends_with("{\n") {
            self.text.push('\n');
        }
        self
    }

    /// Adds a line, after which lines are deeper.
    pub(super) fn open(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.line(line);
        self.depth += 1;
        self
    }

    /// Adds a line that ends deeper lines.
    pub(super) fn close(&mut self, line: impl AsRef<str>) -> &mut Self {
        self.depth = self.depth.saturating_sub(1);
        self.line(line)
    }

    /// Makes the next lines deeper.
    pub(super) const fn deepen(&mut self) {
        self.depth += 1;
    }

    /// Whether a line fits.
    pub(super) fn can_fit(&self, line: &str) -> bool {
        self.depth * 4 + line.chars().count() <= WIDTH
    }

    /// Adds `let name = code;`, on two lines if it must be.
    pub(super) fn assign(&mut self, target: &str, code: &str) -> &mut Self {
        let line = format!("{target} = {code};");
        if self.can_fit(&line) {
            return self.line(line);
        }
        self.open(format!("{target} ="));
        self.line(format!("{code};"));
        self.depth -= 1;
        self
    }

    /// Adds a list after a head: on one line, else (where it is assigned) on the next line, else
    /// with an item on each line.
    pub(super) fn list(
        &mut self,
        head: &str,
        brackets: RustBrackets,
        items: &[String],
        tail: &str,
    ) -> &mut Self {
        let RustBrackets { open, close, is_spaced } = brackets;
        let space = if is_spaced && !items.is_empty() { " " } else { "" };
        let inside = items.join(", ");
        let whole = format!("{open}{space}{inside}{space}{close}{tail}");
        if self.can_fit(&format!("{head}{whole}")) || items.is_empty() {
            return self.line(format!("{head}{whole}"));
        }
        if let Some((target, name)) = head.split_once(" = ") {
            self.depth += 1;
            let is_next = self.can_fit(&format!("{name}{whole}"));
            self.depth -= 1;
            if is_next {
                self.open(format!("{target} ="));
                self.line(format!("{name}{whole}"));
                self.depth -= 1;
                return self;
            }
        }
        self.open(format!("{head}{open}"));
        // Short arguments are filled into lines, the parameters of a function are not.
        let is_short = items.iter().all(|item| item.chars().count() <= SHORT);
        let is_filled = is_short && !is_spaced && !head.contains("fn ");
        let mut line = String::new();
        for item in items {
            // The formatter reserves a column after each line of them.
            let is_joined = is_filled && self.can_fit(&format!("{line} {item},,"));
            if !(line.is_empty() || is_joined) {
                self.line(std::mem::take(&mut line));
            }
            let space = if line.is_empty() { "" } else { " " };
            line = format!("{line}{space}{item},");
        }
        self.line(line).close(format!("{close}{tail}"))
    }

    /// Adds a call.
    pub(super) fn call(&mut self, head: &str, arguments: &[String], tail: &str) -> &mut Self {
        self.list(head, RustBrackets::CALL, arguments, tail)
    }

    /// Adds a structure with its fields.
    pub(super) fn structure(&mut self, head: &str, fields: &[String], tail: &str) -> &mut Self {
        self.list(head, RustBrackets::STRUCTURE, fields, tail)
    }

    /// Adds the lines of a comment.
    pub(super) fn document(&mut self, lines: &[String]) -> &mut Self {
        for line in lines {
            self.line(format!("/// {line}").trim_end());
        }
        self
    }

    /// Adds text that is formatted already.
    pub(super) fn append(&mut self, other: &Self) -> &mut Self {
        self.text.push_str(&other.text);
        self
    }

    /// Adds text that is one level deeper, less deep, on the line of some other text.
    pub(super) fn append_after(&mut self, start: &str, other: &Self) -> &mut Self {
        let mut lines = other.text.lines();
        let indent = "    ".repeat(self.depth);
        let first = lines.next().unwrap_or_default().trim_start();
        self.text.push_str(&format!("{indent}{start}{first}\n"));
        for line in lines {
            self.text.push_str(line.strip_prefix("    ").unwrap_or(line));
            self.text.push('\n');
        }
        self
    }

    /// Adds to the end of the last line.
    pub(super) fn line_end(&mut self, end: &str) -> &mut Self {
        if self.text.ends_with('\n') {
            self.text.pop();
        }
        self.text.push_str(end);
        self.text.push('\n');
        self
    }

    /// The text without spaces around it.
    pub(super) fn trim(&self) -> &str {
        self.text.trim()
    }

    /// The depth of the next line.
    pub(super) const fn depth(&self) -> usize {
        self.depth
    }

    /// Whether it has this text.
    pub(super) fn contains(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// Whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}
