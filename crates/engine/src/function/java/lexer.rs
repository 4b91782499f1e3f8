//! The tokens of a function body.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JavaToken {
    Name(Box<str>),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Text(Box<str>),
    Char(char),
    /// An operator or bracket.
    Sign(&'static str),
}

/// The operators and brackets; longer ones come first.
const SIGNS: [&str; 45] = [
    ">>>=", "<<=", ">>=", ">>>", "...", "==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "->", "(", ")", "{", "}", "[", "]", ";", ",",
    ".", "=", "<", ">", "!", "~", "?", ":", "+", "-", "*", "/", "%",
];
const BIT_SIGNS: [&str; 3] = ["&", "|", "^"];

/// The tokens of a text; `None` if it has others.
pub(super) fn tokenize(text: &str) -> Option<Vec<JavaToken>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = skip_blank(rest)?;
        let Some(first) = rest.chars().next() else { return Some(tokens) };
        let (token, tail) = match first {
            '"' => read_text(rest)?,
            '\'' => read_char(rest)?,
            '0'..='9' => read_number(rest)?,
            '_' | '$' => read_name(rest),
            first if first.is_alphabetic() => read_name(rest),
            _ => {
                let sign = SIGNS.iter().chain(&BIT_SIGNS).find(|sign| rest.starts_with(**sign))?;
                (JavaToken::Sign(sign), rest.get(sign.len()..)?)
            }
        };
        tokens.push(token);
        rest = tail;
    }
}

fn skip_blank(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        if let Some(line) = rest.strip_prefix("//") {
            rest = line.split_once('\n').map_or("", |(_, tail)| tail);
        } else if let Some(block) = rest.strip_prefix("/*") {
            rest = block.split_once("*/")?.1;
        } else {
            return Some(rest);
        }
        rest = rest.trim_start();
    }
}

fn read_name(text: &str) -> (JavaToken, &str) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    (JavaToken::Name(name.into()), rest)
}

fn read_number(text: &str) -> Option<(JavaToken, &str)> {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let mut end = digits(text);
    let mut is_whole = true;
    let tail = text.get(end..)?;
    if let Some(fraction) =
        tail.strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        is_whole = false;
        end += 1 + digits(fraction);
    }
    let tail = text.get(end..)?;
    if let Some(exponent) = tail.strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let length = digits(exponent.get(sign..)?);
        if length == 0 {
            return None;
        }
        is_whole = false;
        end += 1 + sign + length;
    }
    let (number, rest) = text.split_at(end);
    let suffix = rest.chars().next().map(|c| c.to_ascii_lowercase());
    let token = match suffix {
        Some('l') if is_whole => JavaToken::Long(number.parse().ok()?),
        Some('f') => JavaToken::Float(number.parse().ok()?),
        Some('d') => JavaToken::Double(number.parse().ok()?),
        Some(c) if c.is_alphanumeric() || c == '_' => return None,
        // Octal numbers.
        _ if is_whole && number.len() > 1 && number.starts_with('0') => return None,
        _ if is_whole => JavaToken::Int(number.parse().ok()?),
        _ => JavaToken::Double(number.parse().ok()?),
    };
    let has_suffix = matches!(suffix, Some('l' | 'f' | 'd'));
    Some((token, rest.get(usize::from(has_suffix)..)?))
}

/// One character, which may be escaped, and the text after it.
fn read_escaped(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let character = match chars.next()? {
        '\\' => match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            other @ ('"' | '\'' | '\\') => other,
            _ => return None,
        },
        '\n' => return None,
        other => other,
    };
    Some((character, chars.as_str()))
}

fn read_text(text: &str) -> Option<(JavaToken, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut found = String::new();
    loop {
        if let Some(tail) = rest.strip_prefix('"') {
            return Some((JavaToken::Text(found.into()), tail));
        }
        let (character, tail) = read_escaped(rest)?;
        found.push(character);
        rest = tail;
    }
}

fn read_char(text: &str) -> Option<(JavaToken, &str)> {
    let (character, rest) = read_escaped(text.strip_prefix('\'')?)?;
    Some((JavaToken::Char(character), rest.strip_prefix('\'')?))
}
