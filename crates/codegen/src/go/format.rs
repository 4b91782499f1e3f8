//! The layout of Go code, as `gofmt` has it.

use std::collections::BTreeSet;

/// Lines of code without indentation; [`GoLines::finish`] indents them by their brackets.
#[derive(Clone, Debug, Default)]
pub(super) struct GoLines {
    lines: Vec<String>,
}

impl GoLines {
    /// Adds a line, or several.
    pub(super) fn add(&mut self, line: impl Into<String>) -> &mut Self {
        self.lines.extend(line.into().split('\n').map(str::to_owned));
        self
    }

    /// Adds the lines of another text.
    pub(super) fn append(&mut self, other: Self) -> &mut Self {
        self.lines.extend(other.lines);
        self
    }

    /// Adds a comment.
    pub(super) fn comment(&mut self, text: &str) -> &mut Self {
        for line in text.lines() {
            self.add(format!("// {}", line.trim()).trim_end());
        }
        self
    }

    /// Adds a line, other lines and a last line.
    pub(super) fn block(
        &mut self,
        first: impl Into<String>,
        inside: Self,
        last: impl Into<String>,
    ) -> &mut Self {
        self.add(first).append(inside).add(last)
    }

    /// Whether an identifier occurs in the code.
    pub(super) fn has_use(&self, identifier: &str) -> bool {
        // Few lines have the text at all: the others are not divided.
        let mut lines = self.lines.iter().filter(|line| line.contains(identifier));
        lines.any(|line| list_identifiers(line).contains(identifier))
    }

    /// Whether there is no line.
    pub(super) const fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines with blanks and comments, indented.
    pub(super) fn finish(&self) -> String {
        let mut text = String::new();
        let mut depth = 0_usize;
        for line in &self.lines {
            let closes = line.starts_with(['}', ')']) || is_label(line);
            let own = if closes { depth.saturating_sub(1) } else { depth };
            if !line.is_empty() {
                text.push_str(&"\t".repeat(own));
                text.push_str(line);
            }
            text.push('\n');
            if line.starts_with("//") {
                continue;
            }
            if closes {
                depth = own;
            }
            if line.ends_with(['{', '(']) || is_label(line) {
                depth += 1;
            }
        }
        text
    }
}

fn is_label(line: &str) -> bool {
    line == "default:" || line.starts_with("case ") && line.ends_with(':')
}

/// The fields of a struct, whose types and tags stand below each other.
pub(super) fn align_fields(fields: &[(String, String, String)]) -> GoLines {
    let width = |of: &dyn Fn(&(String, String, String)) -> usize| {
        fields.iter().map(of).max().unwrap_or_default()
    };
    let names = width(&|field| field.0.chars().count());
    let types = width(&|field| field.1.chars().count());
    let has_tags = fields.iter().any(|field| !field.2.is_empty());
    let mut lines = GoLines::default();
    for (name, ty, tag) in fields {
        let line = if has_tags {
            format!("{name:names$} {ty:types$} {tag}")
        } else {
            format!("{name:names$} {ty}")
        };
        lines.add(line.trim_end());
    }
    lines
}

/// The comment of a declaration: paragraphs, and indented lines as `gofmt` writes them.
pub(super) fn write_documentation(first: &str, lines: &[String]) -> GoLines {
    let mut text = GoLines::default();
    text.comment(first);
    let mut is_code = false;
    let mut is_open = true;
    for line in lines {
        if line.trim().is_empty() {
            is_open = false;
            continue;
        }
        let is_indented = line.starts_with("  ");
        if !is_open || is_indented != is_code || !is_indented {
            text.add("//");
        }
        if is_indented {
            text.add(format!("//\t{}", escape_list(line.get(2..).unwrap_or_default().trim_end())));
        } else {
            text.comment(line);
        }
        (is_code, is_open) = (is_indented, true);
    }
    text
}

/// A line of SQL that begins like an item of a list would be taken for one.
fn escape_list(line: &str) -> String {
    let trimmed = line.trim_start();
    let digits = trimmed.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_number = digits.len() < trimmed.len() && digits.starts_with(['.', ')']);
    let is_item = trimmed.starts_with(['-', '*', '+', '•']) && !trimmed.starts_with("--");
    if is_number || is_item { format!("| {line}") } else { line.to_owned() }
}

/// The identifiers of a line, without those in texts and comments; `time.Now` gives `time` and `Now`.
pub(super) fn list_identifiers(line: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        if let Some(open) = quote {
            if character == '\\' && open != '`' {
                characters.next();
            } else if character == open {
                quote = None;
            }
            continue;
        }
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        if !word.is_empty() {
            found.insert(std::mem::take(&mut word));
        }
        match character {
            '"' | '`' | '\'' => quote = Some(character),
            '/' if characters.peek() == Some(&'/') => return found,
            _ => {}
        }
    }
    if !word.is_empty() {
        found.insert(word);
    }
    found
}

/// A function in an expression that returns a value: on one line where `gofmt` leaves it there.
pub(super) fn write_literal(head: &str, value: &str) -> String {
    const SHORT: usize = 80;
    if head.len() + value.len() > SHORT || value.contains('\n') {
        return format!("{head} {{\nreturn {}\n}}", strip_brackets(value));
    }
    format!("{head} {{ return {} }}", strip_brackets(value))
}

/// A condition without the brackets around all of it, which `gofmt` removes after `if`.
pub(super) fn strip_brackets(condition: &str) -> &str {
    let Some(inside) = condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return condition;
    };
    let mut depth = 0_i32;
    for character in inside.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            // Brackets in texts cannot be told from others.
            '"' => return condition,
            _ => {}
        }
        if depth < 0 {
            return condition;
        }
    }
    inside
}

/// Arguments that follow others: each after a comma.
pub(super) fn follow(arguments: impl IntoIterator<Item = String>) -> String {
    arguments.into_iter().fold(String::new(), |all, argument| all + ", " + &argument)
}

/// A text as a Go literal.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other if other.is_control() || other == '\u{feff}' => {
                let code = format!("\\U{:08x}", u32::from(other));
                quoted.push_str(&code);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// The packages that code may use: the name by which it does, and the import.
const IMPORTS: [(&str, &str); 28] = [
    ("bufio", "\"bufio\""),
    ("bytes", "\"bytes\""),
    ("cmp", "\"cmp\""),
    ("context", "\"context\""),
    ("base64", "\"encoding/base64\""),
    ("binary", "\"encoding/binary\""),
    ("hex", "\"encoding/hex\""),
    ("json", "\"encoding/json\""),
    ("errors", "\"errors\""),
    ("fmt", "\"fmt\""),
    ("slog", "\"log/slog\""),
    ("math", "\"math\""),
    ("big", "\"math/big\""),
    ("bits", "\"math/bits\""),
    ("net", "\"net\""),
    ("os", "\"os\""),
    ("reflect", "\"reflect\""),
    ("slices", "\"slices\""),
    ("sort", "\"sort\""),
    ("strconv", "\"strconv\""),
    ("strings", "\"strings\""),
    ("sync", "\"sync\""),
    ("atomic", "\"sync/atomic\""),
    ("time", "\"time\""),
    ("unicode", "\"unicode\""),
    ("utf8", "\"unicode/utf8\""),
    ("gocql", "gocql \"github.com/apache/cassandra-gocql-driver/v2\""),
    ("inf", "\"gopkg.in/inf.v0\""),
];

/// The names by which code uses packages.
pub(super) fn list_packages() -> impl Iterator<Item = &'static str> {
    IMPORTS.iter().map(|(name, _)| *name)
}

/// The imports that code needs; `own` are those of the module itself.
pub(super) fn write_imports(code: &str, own: &[String]) -> String {
    let mut used = BTreeSet::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for name in list_packages() {
            if !used.contains(name) && has_package_use(line, name) {
                used.insert(name);
            }
        }
    }
    let lines = |is_foreign: bool| -> Vec<String> {
        let imports = IMPORTS.iter().filter(|(name, path)| {
            // Only paths outside of the standard library have a host.
            used.contains(name) && path.contains('.') == is_foreign
        });
        imports.map(|(_, path)| (*path).to_owned()).collect()
    };
    let groups = [lines(false), lines(true), own.to_vec()];
    let groups: Vec<String> = groups
        .iter()
        .filter(|group| !group.is_empty())
        .map(|group| group.iter().fold(String::new(), |all, line| all + "\t" + line + "\n"))
        .collect();
    if groups.is_empty() { String::new() } else { format!("import (\n{})\n\n", groups.join("\n")) }
}

fn has_package_use(line: &str, name: &str) -> bool {
    let wanted = format!("{name}.");
    if !line.contains(&wanted) || !list_identifiers(line).contains(name) {
        return false;
    }
    line.match_indices(&wanted).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        before.is_none_or(|it| !it.is_alphanumeric() && it != '_' && it != '.')
    })
}
