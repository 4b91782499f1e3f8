//! `ALTER TYPE` and `ALTER DOMAIN`: labels are added to an enum, and other changes are rejected.
//! `CREATE COLLATION`, as far as it says which texts are equal.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::draft::ModelDraft;
use super::table::{has_prefix, is_keyword, parse_name, tokens_span};

/// Changes that do not affect the values of a type.
const HARMLESS_CHANGES: &[&[&str]] =
    &[&["owner"], &["set", "schema"], &["validate"], &["rename", "constraint"]];

/// The place of a new label among those of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabelPosition<'a> {
    /// Behind all others.
    Last,
    /// Before this one.
    Before(&'a str),
    /// Behind this one.
    After(&'a str),
}

/// Reads an ALTER TYPE or ALTER DOMAIN.
pub(super) fn read_alter_type(draft: &mut ModelDraft, tokens: &[TokenWithSpan]) {
    let Some((name, change)) = parse_name(tokens.get(2..).unwrap_or_default()) else { return };
    if HARMLESS_CHANGES.iter().any(|harmless| has_prefix(change, harmless)) {
        return;
    }
    if let Some((label, position)) = parse_label(change)
        && draft.types.add_label(&name.text, label, position)
    {
        return;
    }
    let object = if is_keyword(&tokens[1], "domain") { "DOMAIN" } else { "TYPE" };
    let message = format!("ALTER {object} {} changes what is declared elsewhere", name.text);
    let help = format!("change CREATE {object} {} instead", name.text);
    draft.report("MF211", tokens_span(tokens), message, help);
}

/// The label of `ADD VALUE [IF NOT EXISTS] 'label' [BEFORE | AFTER 'other']`, and its place.
fn parse_label(change: &[TokenWithSpan]) -> Option<(&str, LabelPosition<'_>)> {
    let mut rest = has_prefix(change, &["add", "value"]).then(|| &change[2..])?;
    if has_prefix(rest, &["if", "not", "exists"]) {
        rest = &rest[3..];
    }
    match rest {
        [label] => Some((label_text(label)?, LabelPosition::Last)),
        [label, before, other] if is_keyword(before, "before") => {
            Some((label_text(label)?, LabelPosition::Before(label_text(other)?)))
        }
        [label, after, other] if is_keyword(after, "after") => {
            Some((label_text(label)?, LabelPosition::After(label_text(other)?)))
        }
        _ => None,
    }
}

fn label_text(token: &TokenWithSpan) -> Option<&str> {
    match &token.token {
        Token::SingleQuotedString(text) => Some(text),
        _ => None,
    }
}

/// Reads a CREATE COLLATION.
pub(super) fn read_collation(draft: &mut ModelDraft, tokens: &[TokenWithSpan]) {
    let Some((name, options)) = parse_name(tokens.get(2..).unwrap_or_default()) else { return };
    let is_loose = |option: &[TokenWithSpan]| matches!(option, [name, _, value] if is_keyword(name, "deterministic") && is_keyword(value, "false"));
    if options.windows(3).any(is_loose) {
        draft.comparisons.add_nondeterministic(name.text);
    }
}
