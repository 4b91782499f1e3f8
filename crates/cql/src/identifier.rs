//! The quoting of identifiers.

use crate::keyword::is_reserved;

/// An identifier in CQL: quoted unless it is a plain lower-case word that is not reserved.
pub fn identifier(name: &str) -> String {
    if is_quoting_needed(name) { quote(name) } else { name.to_owned() }
}

/// Whether an identifier must be quoted: it is not a plain lower-case word, or reserved.
pub fn is_quoting_needed(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_plain = bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    !is_plain || is_reserved(name)
}

/// An identifier in quotes.
pub(crate) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
