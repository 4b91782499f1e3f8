//! Python text in the layout that `ruff format` has.
//!
//! An expression that does not fit its line is opened at its outermost bracket, with one part per
//! line and a comma after the last one: such a comma keeps the formatter from joining the parts.

/// The width of a line.
const WIDTH: usize = 88;

/// An expression, as far as its layout matters.
#[derive(Clone, Debug)]
pub(super) enum PythonExpression {
    /// A text that is never broken.
    Atom(String),
    /// A call: what is called, and its arguments.
    Call(String, Vec<Self>),
    /// `(a, b)`
    Tuple(Vec<Self>),
    /// `[a, b]`
    List(Vec<Self>),
    /// `{a, b}`
    Set(Vec<Self>),
    /// A text before an expression: `await `, `name=`.
    Prefixed(String, Box<Self>),
}

impl PythonExpression {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    /// A call of a function of the support file.
    pub(super) fn support(function: &str, arguments: Vec<Self>) -> Self {
        Self::Call(format!("support.{function}"), arguments)
    }

    /// A conversion of a value by a function, which may be the result of a call itself.
    pub(super) fn convert(function: &str, value: Self) -> Self {
        if function.ends_with(')') {
            Self::support("convert", vec![Self::parse(function), value])
        } else {
            Self::Call(function.to_owned(), vec![value])
        }
    }

    /// An expression of calls and names, without brackets in strings.
    pub(super) fn parse(text: &str) -> Self {
        let inner = text.strip_suffix(')').and_then(|inner| inner.split_once('('));
        let Some((head, inner)) = inner else { return Self::atom(text) };
        let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
        for (at, character) in inner.char_indices() {
            match character {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.extend(inner.get(start..at));
                    start = at + 1;
                }
                _ => {}
            }
        }
        parts.extend(inner.get(start..));
        Self::Call(head.to_owned(), parts.iter().map(|part| Self::parse(part.trim())).collect())
    }

    pub(super) fn into_awaited(self) -> Self {
        Self::Prefixed("await ".to_owned(), Box::new(self))
    }

    pub(super) fn keyword(name: &str, value: Self) -> Self {
        Self::Prefixed(format!("{name}="), Box::new(value))
    }

    /// Whether it is the constant null.
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Self::Atom(text) if text == "None")
    }

    /// The expression in one line.
    pub(super) fn flat(&self) -> String {
        let join = |parts: &[Self]| parts.iter().map(Self::flat).collect::<Vec<_>>().join(", ");
        match self {
            Self::Atom(text) => text.clone(),
            Self::Call(head, arguments) => format!("{head}({})", join(arguments)),
            Self::Tuple(parts) if parts.len() == 1 => format!("({},)", join(parts)),
            Self::Tuple(parts) => format!("({})", join(parts)),
            Self::List(parts) => format!("[{}]", join(parts)),
            Self::Set(parts) if parts.is_empty() => "set()".to_owned(),
            Self::Set(parts) => format!("{{{}}}", join(parts)),
            Self::Prefixed(prefix, inner) => format!("{prefix}{}", inner.flat()),
        }
    }

    fn brackets(&self) -> Option<(String, &[Self], &'static str)> {
        match self {
            Self::Call(head, arguments) => Some((format!("{head}("), arguments, ")")),
            Self::Tuple(parts) => Some(("(".to_owned(), parts, ")")),
            Self::List(parts) => Some(("[".to_owned(), parts, "]")),
            Self::Set(parts) => Some(("{".to_owned(), parts, "}")),
            Self::Atom(_) | Self::Prefixed(..) => None,
        }
    }
}

impl<T: Into<String>> From<T> for PythonExpression {
    fn from(text: T) -> Self {
        Self::Atom(text.into())
    }
}

/// What was written last, which decides about empty lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastPart {
    /// The beginning of a file, a function or a class.
    Opening,
    /// The beginning of another block.
    Branching,
    /// A function or class.
    Definition,
    /// Any other line.
    Line,
}

/// A Python file that is written from its beginning.
#[derive(Debug)]
pub(super) struct PythonWriter {
    text: String,
    depth: usize,
    last: LastPart,
}

impl PythonWriter {
    /// An empty text at this depth.
    pub(super) const fn new(depth: usize) -> Self {
        Self { text: String::new(), depth, last: LastPart::Opening }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) -> &mut Self {
        if self.last == LastPart::Definition {
            self.separate();
        }
        self.push(line.as_ref());
        self.last = LastPart::Line;
        self
    }

    /// An empty line.
    pub(super) fn blank(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// Adds an expression between a prefix (`x = `, `return `) and a suffix.
    pub(super) fn statement(
        &mut self,
        prefix: &str,
        expression: impl Into<PythonExpression>,
    ) -> &mut Self {
        if self.last == LastPart::Definition {
            self.separate();
        }
        self.layout(prefix, &expression.into(), "", false);
        self.last = LastPart::Line;
        self
    }

    /// The same, opened even where it would fit its line.
    pub(super) fn open_statement(
        &mut self,
        prefix: &str,
        expression: &PythonExpression,
    ) -> &mut Self {
        if self.last == LastPart::Definition {
            self.separate();
        }
        self.layout(prefix, expression, "", true);
        self.last = LastPart::Line;
        self
    }

    /// Returns a list of what is made of each row.
    pub(super) fn return_list(&mut self, made: &str, rows: &str) {
        let each = format!("for row_ in {rows}");
        let flat = format!("return [{made} {each}]");
        if self.can_fit(&flat) {
            self.line(flat);
            return;
        }
        self.line("return [");
        self.depth += 1;
        let inner = format!("{made} {each}");
        if self.can_fit(&inner) {
            self.push(&inner);
        } else {
            self.layout("", &PythonExpression::parse(made), "", false);
            self.push(&each);
        }
        self.depth -= 1;
        self.push("]");
    }

    /// The block in which a function does its work.
    pub(super) fn call_block(&mut self, name: &str, write: impl FnOnce(&mut Self)) -> &mut Self {
        let (head, name) = ("with self._client.call(", quote(name));
        let flat = format!("{head}{name}) as call_:");
        if self.can_fit(&flat) {
            return self.block(&flat, write);
        }
        self.block(&format!("{head}\n    {name}\n) as call_:"), write)
    }

    /// A block that is no definition: `if`, `for`, `with`.
    pub(super) fn block(&mut self, head: &str, write: impl FnOnce(&mut Self)) -> &mut Self {
        self.line(head);
        self.indent(LastPart::Branching, write);
        if self.last != LastPart::Definition {
            self.last = LastPart::Line;
        }
        self
    }

    /// A function or class.
    pub(super) fn definition(&mut self, head: &str, write: impl FnOnce(&mut Self)) -> &mut Self {
        if self.last != LastPart::Opening {
            self.separate();
        }
        self.push(head);
        self.indent(LastPart::Opening, write);
        self.last = LastPart::Definition;
        self
    }

    /// A function: `head` is all before its parameters, `result` the type of its result.
    pub(super) fn function(
        &mut self,
        head: &str,
        parameters: &[String],
        result: &str,
        write: impl FnOnce(&mut Self),
    ) -> &mut Self {
        let flat = format!("{head}({}) -> {result}:", parameters.join(", "));
        // A decorator is in a line of its own.
        if self.can_fit(flat.lines().last().unwrap_or_default()) || parameters.is_empty() {
            return self.definition(&flat, write);
        }
        if self.last != LastPart::Opening {
            self.separate();
        }
        self.push(&format!("{head}("));
        self.depth += 1;
        for parameter in parameters {
            self.push(&format!("{parameter},"));
        }
        self.depth -= 1;
        self.push_result(result);
        self.indent(LastPart::Opening, write);
        self.last = LastPart::Definition;
        self
    }

    /// The line after the parameters of a function, which is opened where it does not fit.
    fn push_result(&mut self, result: &str) {
        let flat = format!(") -> {result}:");
        if self.can_fit(&flat) {
            return self.push(&flat);
        }
        if !result.contains([' ', '[']) {
            return self.push(&flat);
        }
        if let Some((head, inner)) = result.strip_suffix(']').and_then(|it| it.split_once('[')) {
            return self.push(&format!(") -> {head}[\n    {inner}\n]:"));
        }
        self.depth += 1;
        let inner = if self.can_fit(result) {
            result.to_owned()
        } else {
            result.replace(" | ", "\n    | ")
        };
        self.depth -= 1;
        self.push(&format!(") -> (\n    {inner}\n):"));
    }

    /// The text of a function that says what it does.
    pub(super) fn docstring(&mut self, lines: &[String]) -> &mut Self {
        let mut lines: Vec<String> = lines.iter().map(|line| escape_docstring(line)).collect();
        if let [_, rest @ ..] = &mut lines[..] {
            remove_indentation(rest);
        }
        match &lines[..] {
            [] => {}
            [only] if !only.ends_with(['"', '\\']) => {
                self.push(&format!("\"\"\"{only}\"\"\""));
            }
            [first, rest @ ..] => {
                self.push(&format!("\"\"\"{first}"));
                for line in rest {
                    self.push(line);
                }
                self.push("\"\"\"");
            }
        }
        self.last = LastPart::Line;
        self
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn indent(&mut self, last: LastPart, write: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.last = last;
        write(self);
        self.depth -= 1;
    }

    fn separate(&mut self) {
        self.text.push_str(if self.depth == 0 { "\n\n" } else { "\n" });
    }

    fn push(&mut self, line: &str) {
        for line in line.split('\n') {
            if !line.is_empty() {
                self.text.push_str(&"    ".repeat(self.depth));
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    fn can_fit(&self, line: &str) -> bool {
        self.depth * 4 + width(line) <= WIDTH
    }

    fn layout(&mut self, prefix: &str, expression: &PythonExpression, end: &str, opens: bool) {
        let flat = format!("{prefix}{}{end}", expression.flat());
        if self.can_fit(&flat) && !opens {
            return self.push(&flat);
        }
        if let PythonExpression::Prefixed(more, inner) = expression {
            return self.layout(&format!("{prefix}{more}"), inner, end, opens);
        }
        let Some((open, parts, close)) = expression.brackets().filter(|it| !it.1.is_empty()) else {
            return self.push(&flat);
        };
        self.push(&format!("{prefix}{open}"));
        self.depth += 1;
        for part in parts {
            self.layout("", part, ",", false);
        }
        self.depth -= 1;
        self.push(&format!("{close}{end}"));
    }
}

/// Whether a line fits at the beginning of a line.
pub(super) fn can_fit(line: &str) -> bool {
    width(line) <= WIDTH
}

/// The columns that a line takes: characters of East Asia take two.
fn width(line: &str) -> usize {
    let wide = |character: char| {
        matches!(u32::from(character), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3
            | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6
            | 0x1f300..=0x1f64f | 0x1f900..=0x1f9ff | 0x20000..=0x3fffd)
    };
    line.chars().map(|character| if wide(character) { 2 } else { 1 }).sum()
}

/// A string, in the quotes that need fewer escapes.
pub(super) fn quote(text: &str) -> String {
    let count = |quote: char| text.chars().filter(|character| *character == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut quoted = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other == quote => {
                quoted.push('\\');
                quoted.push(other);
            }
            other if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}') => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(other)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push(quote);
    quoted
}

/// Removes the spaces with which all lines begin, as the formatter does.
fn remove_indentation(lines: &mut [String]) {
    let spaces = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(spaces).min().unwrap_or_default();
    for line in lines {
        line.drain(..common.min(line.len()));
    }
}

fn escape_docstring(line: &str) -> String {
    let line = line.replace('\t', "    ").replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"");
    line.chars().filter(|character| !character.is_control()).collect::<String>().trim_end().into()
}
