//! How identifiers are written.

use crate::keyword::is_reserved;

/// An identifier as it must be written: quoted unless it is a plain lower-case word that is not reserved.
pub fn identifier(name: &str) -> String {
    if is_quoting_needed(name) { quote(name) } else { name.to_owned() }
}

/// Whether an identifier is anything but a plain lower-case word that is not reserved.
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
