//! Code that is laid out as Prettier does it.

/// The longest line.
pub(super) const LINE_MAX: usize = 120;

/// Code whose parts go on lines of their own where it does not fit on one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypescriptCode {
    /// Text that stays on its line.
    Text(String),
    /// A call and its arguments.
    Call(String, Vec<Self>),
    /// An array.
    Array(Vec<Self>),
    /// A function of one expression.
    Arrow(String, Box<Self>),
}

impl TypescriptCode {
    /// Text that stays on its line.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A call.
    pub(super) fn call(name: impl Into<String>, arguments: Vec<Self>) -> Self {
        Self::Call(name.into(), arguments)
    }

    /// All on one line.
    pub(super) fn to_line(&self) -> String {
        let join = |parts: &[Self]| parts.iter().map(Self::to_line).collect::<Vec<_>>().join(", ");
        match self {
            Self::Text(text) => text.clone(),
            Self::Call(name, arguments) => format!("{name}({})", join(arguments)),
            Self::Array(elements) => format!("[{}]", join(elements)),
            Self::Arrow(head, body) => format!("{head} => {}", body.to_line()),
        }
    }

    /// Whether it is never on one line: calls with several functions are spread.
    fn is_spread(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Call(_, arguments) => {
                is_composition(arguments) || arguments.iter().any(Self::is_spread)
            }
            Self::Array(elements) => elements.iter().any(Self::is_spread),
            Self::Arrow(_, body) => body.is_spread(),
        }
    }

    /// The code at a depth, after so many characters of its line and before so many.
    fn lay_out(&self, depth: usize, before: usize, after: usize) -> String {
        let line = self.to_line();
        if before + line.chars().count() + after <= LINE_MAX && !self.is_spread() {
            return line;
        }
        let inside = indentation(depth + 1);
        let spread = |open: &str, parts: &[Self], close: &str| {
            let mut text = format!("{open}\n");
            for part in parts {
                let part = part.lay_out(depth + 1, inside.len(), 1);
                text.push_str(&format!("{inside}{part},\n"));
            }
            format!("{text}{}{close}", indentation(depth))
        };
        match self {
            Self::Text(_) => line,
            Self::Call(_, arguments) if arguments.is_empty() => line,
            Self::Call(name, arguments) => spread(&format!("{name}("), arguments, ")"),
            Self::Array(elements) => spread("[", elements, "]"),
            Self::Arrow(head, body) if matches!(**body, Self::Array(_)) => {
                let before = before + head.chars().count() + 4;
                format!("{head} => {}", body.lay_out(depth, before, after))
            }
            Self::Arrow(head, body) => {
                let body = body.lay_out(depth + 1, inside.len(), after);
                format!("{head} =>\n{inside}{body}")
            }
        }
    }
}

/// Whether arguments are functions that are composed: two of them, or a call that has one.
fn is_composition(arguments: &[TypescriptCode]) -> bool {
    let is_arrow = |code: &TypescriptCode| matches!(code, TypescriptCode::Arrow(..));
    let has_arrow = |code: &TypescriptCode| matches!(code, TypescriptCode::Call(_, parts) if parts.iter().any(is_arrow));
    arguments.len() > 1
        && (arguments.iter().filter(|it| is_arrow(it)).count() > 1
            || arguments.iter().any(has_arrow))
}

fn indentation(depth: usize) -> String {
    "  ".repeat(depth)
}

/// A text of TypeScript that is written line by line.
#[derive(Debug, Default)]
pub(super) struct TypescriptWriter {
    text: String,
    depth: usize,
}

impl TypescriptWriter {
    /// A line; an empty one has no indentation.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        for part in line.as_ref().split('\n') {
            if !part.is_empty() {
                self.text.push_str(&indentation(self.depth));
                self.text.push_str(part);
            }
            self.text.push('\n');
        }
    }

    /// An empty line.
    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Code between two texts of its first and last line.
    pub(super) fn code(&mut self, before: &str, code: &TypescriptCode, after: &str) {
        let start = self.depth * 2 + before.chars().count();
        let laid_out = code.lay_out(self.depth, start, after.chars().count());
        self.text.push_str(&indentation(self.depth));
        self.text.push_str(before);
        self.text.push_str(&laid_out);
        self.text.push_str(after);
        self.text.push('\n');
    }

    /// A property with a text, which goes on a line of its own where it is long.
    pub(super) fn text_property(&mut self, name: &str, value: &str) {
        let line = format!("{name}: {value},");
        // After a short name, a line of its own would gain nothing.
        if name.len() < 5 || self.depth * 2 + line.chars().count() <= LINE_MAX {
            self.line(line);
        } else {
            self.line(format!("{name}:"));
            self.line(format!("  {value},"));
        }
    }

    /// A line, deeper lines, and a last line.
    pub(super) fn block(&mut self, first: &str, last: &str, write: impl FnOnce(&mut Self)) {
        self.line(first);
        self.indent_lines(write);
        self.line(last);
    }

    /// Deeper lines.
    pub(super) fn indent_lines(&mut self, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// The head of a function, whose parameters go on lines of their own where it is long.
    pub(super) fn head(&mut self, name: &str, parameters: &[String], result: &str) {
        let line = format!("{name}({}): {result} {{", parameters.join(", "));
        if self.depth * 2 + line.chars().count() <= LINE_MAX {
            self.line(line);
            return;
        }
        self.line(format!("{name}("));
        for parameter in parameters {
            self.line(format!("  {parameter},"));
        }
        self.line(format!("): {result} {{"));
    }

    /// A statement that hands a function of one call to another.
    pub(super) fn hand_over(&mut self, first: &str, head: &str, body: &str, after: &str) {
        let line = format!("{first}{head} => {body}{after}");
        if self.depth * 2 + line.chars().count() <= LINE_MAX {
            self.line(line);
            return;
        }
        let line = format!("{first}{head} =>");
        if self.depth * 2 + line.chars().count() <= LINE_MAX {
            self.line(line);
            self.line(format!("  {body},"));
            self.line(after);
            return;
        }
        // Not even the other arguments fit their line.
        let (call, arguments) = first.split_once('(').unwrap_or((first, ""));
        let mut parts: Vec<TypescriptCode> =
            arguments.trim_end_matches(", ").split(", ").map(TypescriptCode::text).collect();
        parts.push(TypescriptCode::Arrow(head.to_owned(), Box::new(TypescriptCode::text(body))));
        self.code("", &TypescriptCode::call(call, parts), after.trim_start_matches(')'));
    }

    /// A documentation comment.
    pub(super) fn comment(&mut self, lines: &[String]) {
        let clean = |line: &String| line.replace("*/", "*\\/");
        if let [single] = lines {
            self.line(format!("/** {} */", clean(single)));
            return;
        }
        self.line("/**");
        for line in lines {
            self.line(format!(" * {}", clean(line)).trim_end());
        }
        self.line(" */");
    }

    /// A documentation comment of one line, deeper.
    pub(super) fn comment_at(&mut self, depth: usize, text: &str) {
        self.line(format!("{}/** {text} */", indentation(depth)));
    }

    /// Whether a word was written since a position.
    pub(super) fn has_word_since(&self, position: usize, word: &str) -> bool {
        let text = self.text.get(position..).unwrap_or_default();
        let is_part = |found: Option<char>| {
            found.is_some_and(|it| it.is_alphanumeric() || it == '_' || it == '$')
        };
        text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|it| it.chars().next());
            !is_part(before) && !is_part(after)
        })
    }

    /// The position after the last line.
    pub(super) const fn position(&self) -> usize {
        self.text.len()
    }

    /// Inserts a line of the current depth at a position.
    pub(super) fn insert(&mut self, position: usize, line: &str) {
        self.text.insert_str(position, &format!("{}{line}\n", indentation(self.depth)));
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// A text in quotes: those that need fewer escapes.
pub(super) fn quote(text: &str) -> String {
    let count = |quote: char| text.chars().filter(|it| *it == quote).count();
    let mark = if count('"') > count('\'') { '\'' } else { '"' };
    let mut quoted = String::from(mark);
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            it if it == mark => quoted.extend(['\\', it]),
            it if it.is_control() || matches!(it, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                quoted.push_str(&format!("\\u{{{:x}}}", u32::from(it)));
            }
            it => quoted.push(it),
        }
    }
    quoted.push(mark);
    quoted
}

#[cfg(test)]
mod tests {
    use super::{TypescriptCode, TypescriptWriter, quote};

    #[test]
    fn texts_are_quoted() {
        assert_eq!(quote("a'b"), "\"a'b\"");
        assert_eq!(quote("\"a\""), "'\"a\"'");
        assert_eq!(quote("\\\n\"'"), "\"\\\\\\n\\\"'\"");
    }

    #[test]
    fn long_calls_are_spread() {
        let name = "a".repeat(60);
        let part = TypescriptCode::text(name.clone());
        let code = TypescriptCode::call("f", vec![part.clone(), part]);
        let mut writer = TypescriptWriter::default();
        writer.code("const x = ", &code, ";");
        assert_eq!(writer.finish(), format!("const x = f(\n  {name},\n  {name},\n);\n"));
    }
}
