//! Template placeholders in schema files: `${x}`, `{{x}}`, `$X$`, `@@x@@`, `%s`, `%d`, `{0}`,
//! also as parts of a name.

use super::{Lexer, Token, TokenKind};

impl Lexer<'_> {
    /// A placeholder at the position, with the name that contains it (`users_${env}`).
    pub(super) fn placeholder(&mut self) -> Option<Token> {
        let start = self.position;
        let length = self.source.get(start..).map_or(0, template_length);
        if length == 0 {
            return None;
        }
        self.position += length;
        Some(self.mark(TokenKind::Placeholder, start))
    }
}

/// Whether a name contains a template placeholder: it is printed as it is, and its value is
/// unknown.
pub fn is_template(name: &str) -> bool {
    let plain = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    !plain.is_empty() && template_length(plain) == plain.len()
}

/// The length of the word characters and placeholders at the start of `text`; 0 without a
/// placeholder.
fn template_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 0;
    let mut found = false;
    loop {
        let rest = bytes.get(length..).unwrap_or_default();
        let placeholder = placeholder_length(rest);
        if placeholder > 0 {
            found = true;
            length += placeholder;
        } else if rest.first().is_some_and(|&byte| is_word(byte)) {
            length += 1;
        } else {
            return if found { length } else { 0 };
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the placeholder at the start of `bytes`; 0 if there is none.
fn placeholder_length(bytes: &[u8]) -> usize {
    match bytes {
        [b'$', b'{', rest @ ..] => length_to_close(rest, b"}", 2),
        [b'@', b'@', rest @ ..] => length_to_close(rest, b"@@", 2),
        [b'{', b'{', rest @ ..] => length_to_close(rest, b"}}", 2),
        [b'{', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 && rest.get(digits) == Some(&b'}') { digits + 2 } else { 0 }
        }
        [b'$', rest @ ..] => {
            let word = rest.iter().take_while(|&&byte| is_word(byte)).count();
            if word > 0 && rest.get(word) == Some(&b'$') { word + 2 } else { 0 }
        }
        [b'%', b's' | b'd', rest @ ..] if !rest.first().is_some_and(u8::is_ascii_alphanumeric) => 2,
        _ => 0,
    }
}

/// The length of `word close`, plus `before`; the word must not be empty or contain characters that
/// CQL would have there.
fn length_to_close(rest: &[u8], close: &[u8], before: usize) -> usize {
    let allowed =
        |byte: u8| is_word(byte) || matches!(byte, b' ' | b'.' | b'-' | b'|' | b':' | b'$');
    let (word, rest) = rest.split_at(rest.iter().take_while(|&&byte| allowed(byte)).count());
    let named = word.iter().any(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    if named && rest.starts_with(close) { before + word.len() + close.len() } else { 0 }
}
