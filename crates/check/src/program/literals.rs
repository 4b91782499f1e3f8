//! String literals of a program, found without understanding the rest of it.

use super::Language;

/// A string literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StringLiteral {
    /// From its first quote or prefix.
    pub(super) start: usize,
    /// What stands between the quotes.
    pub(super) body: (usize, usize),
    /// Past its last quote.
    pub(super) end: usize,
    /// Whether `\` has no meaning in it.
    pub(super) raw: bool,
}

/// A way to write literals: how they open and close.
struct LiteralForm {
    open: &'static str,
    close: &'static str,
    raw: bool,
    /// It may go over lines.
    long: bool,
}

const fn form(open: &'static str, close: &'static str, raw: bool, long: bool) -> LiteralForm {
    LiteralForm { open, close, raw, long }
}

/// The longest word that C++ allows there.
const DELIMITER_MAX: usize = 16;

const PLAIN: LiteralForm = form("\"", "\"", false, false);
const SINGLE: LiteralForm = form("'", "'", false, false);
const TRIPLE: LiteralForm = form("\"\"\"", "\"\"\"", false, true);
const TRIPLE_RAW: LiteralForm = form("\"\"\"", "\"\"\"", true, true);
const TRIPLE_SINGLE: LiteralForm = form("'''", "'''", false, true);
const BACK_QUOTED: LiteralForm = form("`", "`", true, true);

/// The forms of a language, the longer ones first.
fn forms(language: Language) -> &'static [LiteralForm] {
    match language {
        Language::Java => &[TRIPLE, PLAIN],
        Language::Kotlin | Language::Scala => &[TRIPLE_RAW, PLAIN],
        Language::Go => &[BACK_QUOTED, PLAIN],
        Language::Python => &[TRIPLE, TRIPLE_SINGLE, PLAIN, SINGLE],
        Language::JavaScript => &[BACK_QUOTED, PLAIN, SINGLE],
        Language::Rust => &[
            const { form("r##\"", "\"##", true, true) },
            const { form("r#\"", "\"#", true, true) },
            const { form("r\"", "\"", true, true) },
            const { form("\"", "\"", false, true) },
        ],
        Language::CSharp => &[TRIPLE_RAW, const { form("@\"", "\"", true, true) }, PLAIN],
        Language::Cpp => &[PLAIN],
        Language::Haskell => &[
            const { form("[sql|", "|]", true, true) },
            const { form("[r|", "|]", true, true) },
            const { form("\"", "\"", false, true) },
        ],
        Language::Yaml | Language::Toml => &[
            TRIPLE,
            TRIPLE_SINGLE,
            const { form("\"", "\"", false, true) },
            const { form("'", "'", true, true) },
        ],
    }
}

/// Whether a quote may be that of a character or a lifetime instead of a string's.
const fn has_char_literals(language: Language) -> bool {
    use Language::{CSharp, Cpp, Go, Java, Kotlin, Rust, Scala};
    matches!(language, Java | Kotlin | Scala | Go | Rust | CSharp | Cpp)
}

/// The comments of a language: how a line of comment starts, and whether `/* */` is one.
const fn comment_syntax(language: Language) -> (&'static str, bool) {
    match language {
        Language::Python | Language::Yaml | Language::Toml => ("#", false),
        Language::Haskell => ("--", false),
        _ => ("//", true),
    }
}

/// All literals, in order; what is in comments is none.
pub(super) fn find_literals(text: &str, language: Language) -> Vec<StringLiteral> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match scan_next(text, at, language) {
            (end, Some(literal)) => {
                found.push(literal);
                at = end;
            }
            (end, None) => at = end,
        }
    }
    found
}

/// What begins at an offset: where it ends, and the literal that it is.
fn scan_next(text: &str, at: usize, language: Language) -> (usize, Option<StringLiteral>) {
    let bytes = text.as_bytes();
    let rest = &bytes[at..];
    let (line, blocks) = comment_syntax(language);
    if rest.starts_with(line.as_bytes()) && !is_within_word(text, at, language) {
        return (line_end(bytes, at), None);
    }
    if blocks && rest.starts_with(b"/*") {
        return (find_bytes(bytes, at + 2, b"*/").map_or(bytes.len(), |end| end + 2), None);
    }
    if language == Language::Cpp
        && let Some(literal) = scan_raw_cpp(bytes, at)
    {
        return (literal.end, Some(literal));
    }
    for form in forms(language) {
        if rest.starts_with(form.open.as_bytes())
            && let Some(literal) = scan_literal(bytes, at, form)
        {
            return (literal.end, Some(literal));
        }
    }
    // A name may end with a quote there: `foldl'`.
    if language == Language::Haskell && rest.starts_with(b"'\"'") {
        return (at + 3, None);
    }
    if has_char_literals(language) && rest.first() == Some(&b'\'') {
        return (skip_character(bytes, at), None);
    }
    (at + 1, None)
}

/// In YAML a `#` within a word is no comment.
fn is_within_word(text: &str, at: usize, language: Language) -> bool {
    let before = at.checked_sub(1).map(|before| text.as_bytes()[before]);
    language == Language::Yaml && before.is_some_and(|byte| !byte.is_ascii_whitespace())
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end)
}

fn find_bytes(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(wanted.len()).position(|window| window == wanted).map(|at| from + at)
}

/// The raw literal of C++ that opens at an offset: `R"(...)"`, or with a word of one's own, `R"cql(...)cql"`.
fn scan_raw_cpp(bytes: &[u8], start: usize) -> Option<StringLiteral> {
    let rest = bytes.get(start..)?.strip_prefix(b"R\"")?;
    let word = rest.iter().take(DELIMITER_MAX + 1).position(|byte| *byte == b'(')?;
    let close = [b")", rest.get(..word)?, b"\""].concat();
    let open = start + 2 + word + 1;
    let body = (open, find_bytes(bytes, open, &close)?);
    Some(StringLiteral { start, body, end: body.1 + close.len(), raw: true })
}

/// The literal of a form that opens at an offset; `None` where it does not close.
fn scan_literal(bytes: &[u8], start: usize, form: &LiteralForm) -> Option<StringLiteral> {
    let open = start + form.open.len();
    let close = form.close.as_bytes();
    let mut at = open;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if !form.raw && rest[0] == b'\\' {
            at += 2;
        } else if rest.starts_with(close) {
            let end = at + close.len();
            return Some(StringLiteral { start, body: (open, at), end, raw: form.raw });
        } else if rest[0] == b'\n' && !form.long {
            return None;
        } else {
            at += 1;
        }
    }
    None
}

/// Past a character such as `'"'`; past the quote alone where it is none.
fn skip_character(bytes: &[u8], at: usize) -> usize {
    let escaped = bytes.get(at + 1) == Some(&b'\\');
    let from = if escaped { at + 3 } else { at + 2 };
    let close = bytes.iter().enumerate().skip(from).take(8).find(|(_, byte)| **byte == b'\'');
    close.map_or(at + 1, |(end, _)| end + 1)
}
