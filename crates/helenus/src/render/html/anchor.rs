//! The ids of elements that links lead to.

use std::fmt::{self, Write};

/// The id of what has a name: letters, digits and `_` as they are, all else by its code, so that
/// different names have different ids, and links need no other spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Anchor(String);

impl Anchor {
    /// The id of a named thing of a kind.
    pub(crate) fn new(kind: &'static str, name: &str) -> Self {
        let mut id = format!("{kind}.");
        for c in name.chars() {
            if c.is_ascii_alphanumeric() || c == '_' {
                id.push(c);
            } else {
                // Writing to a string cannot fail.
                let _ = write!(id, "-{:x}-", u32::from(c));
            }
        }
        Self(id)
    }

    /// A link to it within the page.
    pub(crate) fn link(&self) -> String {
        format!("#{}", self.0)
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Anchor;

    #[test]
    fn names_have_ids() {
        let id = |name| Anchor::new("table", name).to_string();
        assert_eq!(id("users_by_email"), "table.users_by_email");
        assert_eq!(id("a b\"<é"), "table.a-20-b-22--3c--e9-");
        assert_ne!(id("a-20-b"), id("a b"));
        assert_eq!(Anchor::new("query", "Q1").link(), "#query.Q1");
    }
}
