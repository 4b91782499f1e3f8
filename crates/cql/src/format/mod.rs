//! The formatter: the canonical layout of a file, with all comments kept.
//!
//! Statements are printed from the tree. The comments inside one are inserted by matching the
//! tokens of the source with those of the printed text ([`align`]). The layout depends on the tree
//! alone, so formatting is idempotent. At most one empty line is kept between statements. A text
//! with syntax errors is not changed.

mod align;
mod comments;

use crate::lexer::{Comment, CommentKind, Lexer, Token, TokenKind};
use crate::parse_options::ParseOptions;
use crate::parser::parse_with;
use crate::printer;
use crate::span::Span;
use crate::statement::{Statement, StatementKind};
use crate::syntax_error::SyntaxError;

/// Formats a text.
pub fn format(source: &str) -> Result<String, Vec<SyntaxError>> {
    format_with(source, &ParseOptions::default())
}

/// Formats a text with options.
pub fn format_with(source: &str, options: &ParseOptions) -> Result<String, Vec<SyntaxError>> {
    let parsed = parse_with(source, options);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let tokens = all_tokens(source, *options);
    let mut formatter = Formatter { source, options, out: String::new(), last: 0, tokens: &tokens };
    let mut comments = parsed.comments.as_slice();
    for statement in &parsed.statements {
        comments = formatter.write_comments_before(comments, statement.span.start);
        let within = comments.partition_point(|comment| comment.span.start < statement.span.end);
        let (inside, behind) = comments.split_at(within);
        formatter.format_statement(statement, inside);
        comments = behind;
    }
    formatter.write_comments_before(comments, u32::MAX);
    if !formatter.out.is_empty() {
        formatter.out.push('\n');
    }
    Ok(formatter.out)
}

/// All tokens of the text except the end, in order.
fn all_tokens(source: &str, options: ParseOptions) -> Vec<Token> {
    let mut lexer = Lexer::new(source, options.templates);
    let mut tokens = Vec::new();
    while !lexer.is_at_end() {
        lexer.fill(&mut tokens, true);
        if tokens.last().is_some_and(|token| token.kind == TokenKind::End) {
            tokens.pop();
        }
    }
    tokens
}

struct Formatter<'a> {
    source: &'a str,
    options: &'a ParseOptions,
    out: String,
    /// The offset in the source up to which everything is written.
    last: u32,
    /// The tokens that are not written yet.
    tokens: &'a [Token],
}

impl<'a> Formatter<'a> {
    /// Writes the comments that start before `end` and returns the others.
    fn write_comments_before(&mut self, comments: &'a [Comment], end: u32) -> &'a [Comment] {
        let (before, behind) =
            comments.split_at(comments.partition_point(|comment| comment.span.start < end));
        for comment in before {
            let text = comment.span.text(self.source).trim_end();
            let same_line =
                !self.gap(comment.span.start).contains(['\n', '\r']) && !self.out.is_empty();
            if same_line {
                self.out.push(' ');
                self.out.push_str(text);
            } else {
                self.start_line(comment.span.start);
                self.out.push_str(text);
            }
            self.last = comment.span.end;
        }
        behind
    }

    /// The source between the last offset written and a position: semicolons and whitespace.
    fn gap(&self, start: u32) -> &'a str {
        Span::new(self.last, start).text(self.source)
    }

    /// Starts a line, after an empty one if the source has one.
    fn start_line(&mut self, start: u32) {
        if self.out.is_empty() {
            return;
        }
        self.out.push('\n');
        let gap = self.gap(start);
        let behind_semicolon = gap.rsplit(';').next().unwrap_or(gap);
        if behind_semicolon.matches('\n').count() > 1 {
            self.out.push('\n');
        }
    }

    fn format_statement(&mut self, statement: &Statement, comments: &[Comment]) {
        self.start_line(statement.span.start);
        self.tokens = skip_tokens(self.tokens, |token| token.span.start < statement.span.start);
        let behind = skip_tokens(self.tokens, |token| token.span.start < statement.span.end);
        let (own, _) = self.tokens.split_at(self.tokens.len() - behind.len());
        self.tokens = behind;
        self.last = statement.span.end;
        if let Some(semicolon) = behind.first().filter(|token| token.kind == TokenKind::Semicolon)
            && !self.has_comment_before(semicolon.span.start)
        {
            self.last = semicolon.span.end;
        }
        let text = self.print_statement(statement, own, comments);
        self.out.push_str(&text);
        if can_take_semicolon(statement) {
            self.out.push(';');
        }
    }

    /// Whether a comment is between the statement and its semicolon; then it is placed at the
    /// statement's end.
    fn has_comment_before(&self, semicolon: u32) -> bool {
        self.gap(semicolon).bytes().any(|byte| !byte.is_ascii_whitespace())
    }

    /// The formatted statement with its comments. If the result does not parse as the same
    /// statement, the source is kept.
    fn print_statement(
        &self,
        statement: &Statement,
        tokens: &[Token],
        comments: &[Comment],
    ) -> String {
        let printed = printer::pretty_print(statement, *self.options);
        let text =
            comments::insert_comments(&printed, self.source, tokens, comments, *self.options);
        let again = parse_with(&text, self.options);
        let same = again.errors.is_empty()
            && again.comments.len() == comments.len()
            && matches!(again.statements.as_slice(), [only] if only == statement);
        if same { text } else { statement.span.text(self.source).to_owned() }
    }
}

fn skip_tokens(tokens: &[Token], before: impl Fn(&Token) -> bool) -> &[Token] {
    tokens.split_at(tokens.partition_point(before)).1
}

/// Whether a semicolon can follow: within an open quote it would be part of a cqlsh command.
fn can_take_semicolon(statement: &Statement) -> bool {
    let StatementKind::Shell(command) = &statement.kind else { return true };
    let mut quote = None;
    for character in command.rest.chars() {
        match quote {
            None if matches!(character, '\'' | '"') => quote = Some(character),
            Some(open) if open == character => quote = None,
            _ => {}
        }
    }
    quote.is_none()
}

/// Whether a comment takes the rest of its line.
fn is_line_comment(comment: &Comment) -> bool {
    comment.kind != CommentKind::Block
}
