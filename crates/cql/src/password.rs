//! Passwords in the text of statements, which must not reach logs and traces.

use std::borrow::Cow;

/// What replaces a password.
const OBFUSCATION: &str = " *******";

/// The text of a statement for logs and traces. Where it sets the password of a role, everything
/// after the word PASSWORD is replaced, as in Cassandra's audit log. The text need not be valid.
pub fn obfuscate_password(text: &str) -> Cow<'_, str> {
    const WORD: &[u8] = b"password";
    let (first, rest) = take_word(text);
    let (second, _) = take_word(rest);
    let is_one_of =
        |word: &str, words: [&str; 2]| words.iter().any(|own| word.eq_ignore_ascii_case(own));
    if !is_one_of(first, ["CREATE", "ALTER"]) || !is_one_of(second, ["ROLE", "USER"]) {
        return Cow::Borrowed(text);
    }
    let found =
        text.as_bytes().windows(WORD.len()).position(|part| part.eq_ignore_ascii_case(WORD));
    let kept = found.and_then(|start| text.get(..start + WORD.len()));
    kept.map_or(Cow::Borrowed(text), |kept| Cow::Owned([kept, OBFUSCATION].concat()))
}

/// The first word of a text, and what follows it; white space and comments before it are skipped.
fn take_word(text: &str) -> (&str, &str) {
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("--") || rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with("/*") {
            rest.find("*/").map(|end| end + 1)
        } else {
            break;
        };
        rest = end.and_then(|end| rest.get(end + 1..)).unwrap_or_default().trim_start();
    }
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    rest.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::obfuscate_password;

    #[test]
    fn passwords_of_roles_are_replaced() {
        for (text, expected) in [
            (
                "CREATE ROLE a WITH PASSWORD = 'x' AND LOGIN = true",
                "CREATE ROLE a WITH PASSWORD *******",
            ),
            ("alter user a with password 'x'", "alter user a with password *******"),
            (
                "-- a\n/* b */ CREATE /**/ USER a WITH HASHED PASSWORD 'x'",
                "-- a\n/* b */ CREATE /**/ USER a WITH HASHED PASSWORD *******",
            ),
            // Not valid, but a secret nevertheless.
            ("CREATE ROLE a WITH PASSWORD 'x", "CREATE ROLE a WITH PASSWORD *******"),
        ] {
            assert_eq!(obfuscate_password(text), expected);
        }
        for text in [
            "CREATE TABLE users (password text PRIMARY KEY)",
            "CREATE ROLE a",
            "",
            "/*",
            "é password",
        ] {
            assert_eq!(obfuscate_password(text), text);
        }
    }
}
