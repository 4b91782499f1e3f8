//! Literals that are one string: those that are put together by `+`, or that just follow one another.

use super::Language;
use super::literals::StringLiteral;

/// One string: its literals, and where something else is put in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LiteralGroup {
    pub(super) literals: Vec<StringLiteral>,
    /// For each literal but the first whether a value is put in before it.
    pub(super) joints: Vec<bool>,
}

/// The longest that a value between two literals may be written.
const VALUE_LENGTH_MAX: usize = 120;

/// All strings, in order.
pub(super) fn group_literals(
    text: &str,
    literals: &[StringLiteral],
    language: Language,
) -> Vec<LiteralGroup> {
    let mut groups: Vec<LiteralGroup> = Vec::new();
    for literal in literals {
        let joint = groups.last().and_then(|group| {
            let last = group.literals.last()?;
            classify_joint(text.get(last.end..literal.start)?, language)
        });
        match (joint, groups.last_mut()) {
            (Some(value), Some(group)) => {
                group.literals.push(*literal);
                group.joints.push(value);
            }
            _ => groups.push(LiteralGroup { literals: vec![*literal], joints: Vec::new() }),
        }
    }
    groups
}

/// Whether what stands between two literals makes them one string; and if so, whether it puts in a value.
fn classify_joint(between: &str, language: Language) -> Option<bool> {
    use Language::{Cpp, Haskell, Python, Toml, Yaml};
    let bare = between.trim_matches(|sign: char| sign.is_whitespace() || sign == '\\');
    if matches!(language, Yaml | Toml) {
        return None;
    }
    // The prefix of the literal behind belongs to it.
    let bare = bare.strip_suffix(['f', 'r', 'b', 'u', 's', '$']).map_or(bare, str::trim_end);
    match bare {
        "" if matches!(language, Python | Cpp) => Some(false),
        "+" => Some(false),
        "<>" | "++" if language == Haskell => Some(false),
        _ => {
            let value = bare.strip_prefix('+')?.strip_suffix('+')?.trim();
            let plain = |sign: char| {
                sign.is_alphanumeric()
                    || matches!(sign, '_' | '.' | '(' | ')' | '[' | ']' | ' ' | ',')
            };
            (value.len() <= VALUE_LENGTH_MAX && !value.is_empty() && value.chars().all(plain))
                .then_some(true)
        }
    }
}
