//! Comments inside a statement: attached to tokens, and inserted into the printed text.

use super::align::align;
use super::is_line_comment;
use crate::lexer::{Comment, Lexer, Token};
use crate::parse_options::ParseOptions;
use crate::span::Span;

/// The comments attached to a token of the printed text.
#[derive(Clone, Default)]
struct TokenComments<'a> {
    /// Comments on separate lines before it.
    before: Vec<&'a str>,
    /// Comments after it on its line, and whether each takes the rest of the line.
    after: Vec<(&'a str, bool)>,
}

/// Inserts the comments between the tokens of the source into the printed statement.
pub(super) fn insert_comments(
    printed: &str,
    source: &str,
    tokens: &[Token],
    comments: &[Comment],
    options: ParseOptions,
) -> String {
    if comments.is_empty() {
        return printed.to_owned();
    }
    let mut lexer = Lexer::new(printed, options.templates);
    let mut printed_tokens = Vec::new();
    while !lexer.is_at_end() {
        lexer.fill(&mut printed_tokens, false);
        if lexer.is_at_end() {
            break;
        }
    }
    printed_tokens.retain(|token| token.span.start < token.span.end);
    let attached = attach(source, tokens, comments, printed, &printed_tokens);
    write_comments(printed, &printed_tokens, attached)
}

/// Attaches each comment to the token before it on its line, otherwise to the next one.
fn attach<'a>(
    source: &'a str,
    tokens: &[Token],
    comments: &[Comment],
    printed: &str,
    printed_tokens: &[Token],
) -> Vec<TokenComments<'a>> {
    let matches = align(source, tokens, printed, printed_tokens);
    let mut attached = vec![TokenComments::default(); printed_tokens.len()];
    let mut end_of_last = 0;
    let mut last_trails = false;
    for comment in comments {
        let text = comment.span.text(source).trim_end();
        let next = tokens.partition_point(|token| token.span.start < comment.span.start);
        let previous_end = tokens.get(next.saturating_sub(1)).map_or(0, |token| token.span.end);
        let from = previous_end.max(end_of_last);
        let same_line = !Span::new(from, comment.span.start).text(source).contains(['\n', '\r']);
        let trails = same_line && (end_of_last <= previous_end || last_trails);
        if trails {
            let token = matches.iter().take(next).rev().find_map(|found| *found).unwrap_or(0);
            let token = move_behind_comma(token, printed, printed_tokens);
            if let Some(place) = attached.get_mut(token) {
                place.after.push((text, is_line_comment(comment)));
            }
        } else {
            let token = matches.iter().skip(next).find_map(|found| *found);
            let token = token.unwrap_or(printed_tokens.len().saturating_sub(1));
            if let Some(place) = attached.get_mut(token) {
                place.before.push(text);
            }
        }
        (end_of_last, last_trails) = (comment.span.end, trails);
    }
    attached
}

/// Moves a comment after a column behind the comma that ends its line.
fn move_behind_comma(token: usize, printed: &str, tokens: &[Token]) -> usize {
    let comma = tokens.get(token + 1).filter(|next| matches!(next.span.text(printed), "," | ";"));
    let ends_line = comma.is_some() && gap_after(token + 1, printed, tokens).contains(['\n', '\r']);
    if ends_line { token + 1 } else { token }
}

/// The whitespace between a token and the next.
fn gap_after<'p>(token: usize, printed: &'p str, tokens: &[Token]) -> &'p str {
    match (tokens.get(token), tokens.get(token + 1)) {
        (Some(left), Some(right)) => Span::new(left.span.end, right.span.start).text(printed),
        _ => "",
    }
}

fn write_comments(printed: &str, tokens: &[Token], attached: Vec<TokenComments<'_>>) -> String {
    let mut out = String::with_capacity(printed.len() * 2);
    let mut indent = 0;
    // Comments that cannot follow on the line of the last token, because another comment takes its
    // rest.
    let mut waiting = Vec::new();
    for (i, (token, comments)) in tokens.iter().zip(attached).enumerate() {
        let fresh = out.ends_with('\n');
        let gap = if i == 0 { "" } else { gap_after(i - 1, printed, tokens) };
        let line_end = gap.rfind(['\n', '\r']);
        if let Some(end) = line_end {
            indent = gap.len() - end - 1;
        }
        let continued = if line_end.is_some() || i == 0 { indent } else { indent + 2 };
        let text = token.span.text(printed);
        // The contents of brackets and batches are indented.
        let enclosed = if matches!(text, ")" | "APPLY") && line_end.is_some() { 2 } else { 0 };
        waiting.extend(comments.before);
        for comment in &waiting {
            new_line(&mut out, continued + enclosed);
            out.push_str(comment);
        }
        if !waiting.is_empty() || fresh {
            new_line(&mut out, continued);
        } else {
            out.push_str(gap);
        }
        waiting.clear();
        out.push_str(text);
        let mut taken = false;
        for (comment, takes_line) in comments.after {
            if taken {
                waiting.push(comment);
                continue;
            }
            out.push(' ');
            out.push_str(comment);
            taken = takes_line;
        }
        if taken {
            out.push('\n');
        }
    }
    out.trim_end().to_owned()
}

/// Starts an indented line, unless one was just started.
fn new_line(out: &mut String, indent: usize) {
    if !out.ends_with('\n') && !out.is_empty() {
        out.push('\n');
    }
    out.extend(std::iter::repeat_n(' ', indent));
}
