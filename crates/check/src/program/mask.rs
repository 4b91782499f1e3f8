//! The program with blanks wherever it is no CQL.

use super::Language;
use super::groups::LiteralGroup;
use super::literals::StringLiteral;

/// A text that is as long as the program.
pub(super) struct Mask<'t> {
    program: &'t [u8],
    language: Language,
    kept: Vec<u8>,
}

impl<'t> Mask<'t> {
    /// Blanks, with the line ends of the program.
    pub(super) fn new(text: &'t str, language: Language) -> Self {
        let blank = |byte: &u8| if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' };
        let program = text.as_bytes();
        Self { program, language, kept: program.iter().map(blank).collect() }
    }

    /// The string that a group is, as long as the group is in the program.
    pub(super) fn statement(&self, group: &LiteralGroup) -> String {
        let (Some(first), Some(last)) = (group.literals.first(), group.literals.last()) else {
            return String::new();
        };
        let mut bytes: Vec<u8> =
            self.program[first.start..last.end].iter().map(|byte| blank(*byte)).collect();
        for (at, literal) in group.literals.iter().enumerate() {
            let place = literal.body.0 - first.start;
            let body = self.body(literal);
            bytes[place..place + body.len()].copy_from_slice(&body);
            let before = at.checked_sub(1);
            if let Some(last) = before.filter(|at| group.joints.get(*at) == Some(&true)) {
                let from = group.literals[last].body.1 - first.start;
                // Line ends stay where they are.
                let between = &mut bytes[from..place];
                let line = between.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                // A clause that follows is no part of the value: `"SELECT " + COLUMNS + "FROM t"`.
                let apart = usize::from(is_clause_start(&body));
                let end = between.len().saturating_sub(apart).max(line);
                fill_placeholder(&mut between[line..end]);
            }
        }
        // Blanks took the place of parts of characters only where all of them went.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if text.len() == last.end - first.start { text } else { String::new() }
    }

    /// What a literal says, with blanks for the signs that only the language needs.
    fn body(&self, literal: &StringLiteral) -> Vec<u8> {
        let (from, to) = literal.body;
        let mut bytes = self.program[from..to].to_vec();
        if !literal.raw {
            unescape(&mut bytes, self.language);
        }
        replace_interpolations(&mut bytes, self.language);
        bytes
    }

    /// Keeps a group, and ends its statement where its last quote was.
    pub(super) fn keep(&mut self, group: &LiteralGroup, statement: &str) {
        let (Some(first), Some(last)) = (group.literals.first(), group.literals.last()) else {
            return;
        };
        self.kept[first.start..last.end].copy_from_slice(statement.as_bytes());
        if !statement.trim_end().ends_with(';') {
            // The quote, or what follows it where a marker stands there; behind a scalar of YAML the first sign of the next line.
            let is_taken = statement.ends_with('?');
            let mut behind =
                self.kept.iter_mut().skip(if is_taken { last.end } else { last.body.1 });
            if let Some(sign) = behind.find(|byte| !matches!(byte, b'\n' | b'\r')) {
                *sign = b';';
            }
        }
    }

    /// The text.
    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.kept).unwrap_or_default()
    }
}

const fn blank(byte: u8) -> u8 {
    if matches!(byte, b'\n' | b'\r') { byte } else { b' ' }
}

/// What stands for a value that is not known, as long as this: part of a name, perhaps.
fn fill_placeholder(bytes: &mut [u8]) {
    match bytes {
        [] => {}
        [one] => *one = b'x',
        [sign, verb] => (*sign, *verb) = (b'%', b's'),
        [open, digit, close] => (*open, *digit, *close) = (b'{', b'0', b'}'),
        [dollar, open, name @ .., close] => {
            (*dollar, *open, *close) = (b'$', b'{', b'}');
            name.fill(b'x');
        }
    }
}

/// Whether a text starts with a word that starts a clause.
fn is_clause_start(text: &[u8]) -> bool {
    const WORDS: &[&str] = &[
        "from", "where", "values", "set", "and", "limit", "using", "order", "allow", "if", "with",
    ];
    let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let word = &text[..length.count()];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
}

/// `\n` becomes two blanks, `\"` a blank and the quote.
fn unescape(bytes: &mut [u8], language: Language) {
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at] == b'\\' {
            bytes[at] = b' ';
            if language == Language::Haskell && bytes[at + 1].is_ascii_whitespace() {
                // What is blank up to the next `\` is no part of the string.
                let gap = bytes[at + 1..].iter().position(|byte| *byte == b'\\');
                at += gap.map_or(bytes.len(), |gap| gap + 1);
                if let Some(end) = bytes.get_mut(at) {
                    *end = b' ';
                }
                at += 1;
                continue;
            }
            if !matches!(bytes[at + 1], b'"' | b'\'' | b'`' | b'\n' | b'\r')
                && bytes[at + 1].is_ascii()
            {
                bytes[at + 1] = b' ';
            }
            at += 2;
        } else {
            at += 1;
        }
    }
}

/// What a language puts in for a value at a place becomes a placeholder of the same length: `%v`, `{}`, `{name}`, `$name`.
fn replace_interpolations(bytes: &mut [u8], language: Language) {
    use Language::{CSharp, JavaScript, Kotlin, Python, Rust, Scala};
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'%' => verb_length(rest),
            b'{' if matches!(language, Python | Rust | CSharp) => brace_length(rest),
            b'$' if rest.get(1) == Some(&b'{') => brace_length(&rest[1..]).map(|length| length + 1),
            b'$' if matches!(language, Kotlin | Scala | JavaScript) => dollar_length(rest),
            _ => None,
        };
        match length {
            Some(length) if length > 1 => {
                fill_placeholder(&mut bytes[at..at + length]);
                at += length;
            }
            _ => at += 1,
        }
    }
}

/// The length of `%s`, `%v`, `%d`, `%q`, `%[1]s`.
fn verb_length(rest: &[u8]) -> Option<usize> {
    let digits = rest[1..].iter().take_while(|byte| b"[]0123456789$".contains(byte)).count();
    let verb = rest.get(1 + digits)?;
    b"svdqx".contains(verb).then_some(digits + 2)
}

/// The length of `{}`, `{0}`, `{name}`, `{name.of()}`: not of a map or set of CQL.
fn brace_length(rest: &[u8]) -> Option<usize> {
    let end = rest.iter().take(80).position(|byte| *byte == b'}')?;
    let inside = &rest[1..end];
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.()[]!".contains(byte);
    inside.iter().all(plain).then_some(end + 1)
}

/// The length of `$name`.
fn dollar_length(rest: &[u8]) -> Option<usize> {
    let name = rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let length = name.count();
    (length > 0).then_some(length + 1)
}
