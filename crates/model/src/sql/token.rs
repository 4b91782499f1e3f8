//! Tokenizing and parsing of one statement with sqlparser, with limits against deep recursion.

use std::collections::BTreeSet;

use cql::{Diagnostic, Span};
use sqlparser::ast::Statement;
use sqlparser::dialect::{Dialect, PostgreSqlDialect};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::scan::SqlComment;
use crate::diagnostics::error;

/// Longer statements are rejected.
const STATEMENT_BYTES_MAX: usize = 256 * 1024;

/// Parentheses nested deeper are rejected: the parser recurses, and backtracks, at each.
const NESTING_MAX: usize = 16;

/// More joins before an ON are rejected: each is nested in the one before.
const PENDING_JOINS_MAX: usize = 8;

/// More tokens between two commas of the same parentheses are rejected: each operator may deepen
/// the tree by one level.
const TOKENS_MAX: usize = 1_000;

/// The lexical rules of `PostgreSQL`, with `?` as a parameter.
///
/// sqlparser's own dialect reads `?` as an operator on JSON. Only the tokenizer uses this; the
/// grammar is `PostgreSQL`'s.
#[derive(Debug)]
struct QuestionMarkDialect;

impl Dialect for QuestionMarkDialect {
    fn dialect(&self) -> std::any::TypeId {
        PostgreSqlDialect {}.dialect()
    }

    fn is_delimited_identifier_start(&self, ch: char) -> bool {
        PostgreSqlDialect {}.is_delimited_identifier_start(ch)
    }

    fn is_identifier_start(&self, ch: char) -> bool {
        PostgreSqlDialect {}.is_identifier_start(ch)
    }

    fn is_identifier_part(&self, ch: char) -> bool {
        PostgreSqlDialect {}.is_identifier_part(ch)
    }

    fn is_custom_operator_part(&self, ch: char) -> bool {
        ch != '?' && PostgreSqlDialect {}.is_custom_operator_part(ch)
    }

    fn supports_unicode_string_literal(&self) -> bool {
        true
    }

    fn supports_string_escape_constant(&self) -> bool {
        true
    }

    fn supports_numeric_literal_underscores(&self) -> bool {
        true
    }
}

/// The tokens of the statement at `span`, by the rules of `PostgreSQL`.
pub(super) fn tokenize(
    file: &str,
    span: Span,
    comments: &[SqlComment],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let mut tokens = tokenize_by(&QuestionMarkDialect, file, span, comments)?;
    store_generated(&mut tokens);
    strengthen_locks(&mut tokens);
    Ok(tokens)
}

/// The tokens of the statement at `span`, without white space and comments; their columns are byte
/// offsets of the file, plus one, on one long line.
pub(super) fn tokenize_by(
    lexicon: &dyn Dialect,
    file: &str,
    span: Span,
    comments: &[SqlComment],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let text = blank_comments(file, span, comments);
    if text.len() > STATEMENT_BYTES_MAX {
        let message = format!("this statement is larger than {} KB", STATEMENT_BYTES_MAX / 1024);
        let place = Cursor::new(&text, span.start).char_span();
        return Err(error("MF007", place, message, "split the statement"));
    }
    let mut cursor = Cursor::new(&text, span.start);
    let mut tokens = Vec::new();
    let mut tokenizer = Tokenizer::new(lexicon, &text);
    let read = tokenizer.tokenize_with_location_into_buf_with_mapper(&mut tokens, |token| {
        let start = cursor.location();
        cursor.advance(token.span.end);
        TokenWithSpan::at(token.token, start, cursor.location())
    });
    if let Err(wrong) = read {
        cursor.advance(wrong.location);
        let message = format!("invalid SQL: {}", lower_first(&wrong.message));
        return Err(error("MF008", cursor.char_span(), message, SYNTAX_HELP));
    }
    tokens.retain(|token| !matches!(token.token, Token::Whitespace(_)));
    Ok(tokens)
}

/// Turns `VIRTUAL` generated columns (`PostgreSQL` 18), which the parser does not support, into
/// `STORED` ones: the model treats both alike.
fn store_generated(tokens: &mut [TokenWithSpan]) {
    for at in 1..tokens.len() {
        let is_virtual =
            matches!(&tokens[at].token, Token::Word(word) if word.keyword == Keyword::VIRTUAL);
        if is_virtual && tokens[at - 1].token == Token::RParen {
            tokens[at].token = Token::make_keyword("STORED");
        }
    }
}

/// Turns `FOR NO KEY UPDATE` and `FOR KEY SHARE`, which the parser does not support, into `FOR
/// UPDATE` and `FOR SHARE`: model files support none of them.
fn strengthen_locks(tokens: &mut Vec<TokenWithSpan>) {
    let keyword = |at: usize| match tokens.get(at).map(|token| &token.token) {
        Some(Token::Word(word)) => word.keyword,
        _ => Keyword::NoKeyword,
    };
    let mut weaker = Vec::new();
    for at in (0..tokens.len()).filter(|at| keyword(*at) == Keyword::FOR) {
        match [1, 2, 3].map(|next| keyword(at + next)) {
            [Keyword::NO, Keyword::KEY, Keyword::UPDATE] => weaker.extend([at + 1, at + 2]),
            [Keyword::KEY, Keyword::SHARE, _] => weaker.push(at + 1),
            _ => {}
        }
    }
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !weaker.contains(&(at - 1))
    });
}

/// The grammar of statements.
static GRAMMAR: PostgreSqlDialect = PostgreSqlDialect {};

const SYNTAX_HELP: &str = "write the statement in the syntax of PostgreSQL or MySQL";

/// The statement of these tokens.
pub(super) fn parse(tokens: Vec<TokenWithSpan>, whole: Span) -> Result<Statement, Diagnostic> {
    parse_all(tokens, whole, Parser::parse_statement)
}

/// Parses all of these tokens with `read`; `whole` is their place.
pub(super) fn parse_all<T>(
    tokens: Vec<TokenWithSpan>,
    whole: Span,
    read: impl FnOnce(&mut Parser<'static>) -> Result<T, ParserError>,
) -> Result<T, Diagnostic> {
    parse_prefix(tokens, whole, |parser| {
        let parsed = read(parser)?;
        match parser.peek_token() {
            TokenWithSpan { token: Token::EOF, .. } => Ok(parsed),
            more => parser.expected("end of input", more),
        }
    })
}

/// Parses a prefix of these tokens with `read`.
pub(super) fn parse_prefix<T>(
    tokens: Vec<TokenWithSpan>,
    whole: Span,
    read: impl FnOnce(&mut Parser<'static>) -> Result<T, ParserError>,
) -> Result<T, Diagnostic> {
    check_depth(&tokens, whole)?;
    let places: Vec<Span> = tokens.iter().filter_map(|token| byte_span(token.span)).collect();
    let mut parser = Parser::new(&GRAMMAR).with_tokens_with_locations(tokens);
    read(&mut parser).map_err(|error| match error {
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            syntax_error(&message, &places, whole)
        }
        ParserError::RecursionLimitExceeded => {
            nesting_error(places.first().copied().unwrap_or(whole))
        }
    })
}

/// Rejects tokens that are nested too deeply for functions that call themselves.
pub(super) fn check_depth(tokens: &[TokenWithSpan], whole: Span) -> Result<(), Diagnostic> {
    match find_too_deep(tokens) {
        Some(deep) => Err(nesting_error(byte_span(deep.span).unwrap_or(whole))),
        None => Ok(()),
    }
}

fn nesting_error(place: Span) -> Diagnostic {
    error("MF007", place, "this statement is nested too deeply", "simplify the statement")
}

/// The parser's message at the token that it refers to, or at the last one.
fn syntax_error(message: &str, places: &[Span], whole: Span) -> Diagnostic {
    let (message, column) = match message.rsplit_once(" at Line: 1, Column: ") {
        Some((message, column)) => (message, column.parse::<u32>().ok()),
        None => (message, None),
    };
    let message =
        match message.strip_prefix("Expected: ").map(|found| found.split_once(", found: ")) {
            Some(Some((expected, "EOF"))) => format!("expected {expected}, but the statement ends"),
            Some(Some((expected, found))) => format!("expected {expected}, found {found}"),
            _ => lower_first(message),
        };
    let place = match column {
        Some(column) => places.iter().find(|place| place.start.saturating_add(1) >= column),
        None => places.last(),
    };
    error("MF008", place.copied().unwrap_or(whole), message, SYNTAX_HELP)
}

/// A span of the tokens as a place of the file; nothing for the parser's empty span.
pub(super) fn byte_span(span: sqlparser::tokenizer::Span) -> Option<Span> {
    let offset = |column: u64| u32::try_from(column.checked_sub(1)?).ok();
    let (start, end) = (offset(span.start.column)?, offset(span.end.column)?);
    (start <= end).then_some(Span::new(start, end))
}

/// The text with spaces in place of comments, so that offsets stay valid.
fn blank_comments(file: &str, span: Span, comments: &[SqlComment]) -> String {
    let mut text = String::with_capacity(span.text(file).len());
    let mut at = span.start;
    for comment in comments.iter().filter(|comment| comment.whole.end <= span.end) {
        text.push_str(Span::new(at, comment.whole.start).text(file));
        text.extend(comment.whole.text(file).bytes().map(|_| ' '));
        at = comment.whole.end;
    }
    text.push_str(Span::new(at, span.end).text(file));
    text
}

/// The first token that makes the tree deeper than it may be.
fn find_too_deep(tokens: &[TokenWithSpan]) -> Option<&TokenWithSpan> {
    // The tokens since the last comma, for each open parenthesis, and the joins without their ON so
    // far.
    let (mut counts, mut joins) = (vec![0_usize], 0_usize);
    tokens.iter().find(|token| {
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => counts.push(0),
            Token::RParen | Token::RBracket | Token::RBrace if counts.len() > 1 => {
                counts.pop();
            }
            Token::Word(word) if word.keyword == Keyword::JOIN => joins += 1,
            Token::Word(word) if matches!(word.keyword, Keyword::ON | Keyword::USING) => {
                joins = joins.saturating_sub(1);
            }
            _ => {}
        }
        let count = counts.last_mut().map_or(0, |count| {
            *count = if token.token == Token::Comma { 0 } else { *count + 1 };
            *count
        });
        count > TOKENS_MAX || counts.len() > NESTING_MAX || joins > PENDING_JOINS_MAX
    })
}

/// The number of different parameters: each `?`, and each `$1` and `:name` once.
pub(super) fn count_placeholders(tokens: &[TokenWithSpan]) -> usize {
    let (mut marks, mut names) = (0, BTreeSet::new());
    for (at, token) in tokens.iter().enumerate() {
        match (&token.token, tokens.get(at + 1).map(|next| &next.token)) {
            (Token::Placeholder(name), _) if name == "?" => marks += 1,
            (Token::Placeholder(name), _) => {
                names.insert(name.clone());
            }
            (Token::Colon, Some(Token::Word(word))) => {
                names.insert(format!(":{}", word.value));
            }
            _ => {}
        }
    }
    marks + names.len()
}

fn lower_first(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// A position in a text as line and column (as the tokenizer counts them) and as byte offset.
struct Cursor<'a> {
    chars: std::str::Chars<'a>,
    line: u64,
    column: u64,
    byte: u32,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str, byte: u32) -> Self {
        Self { chars: text.chars(), line: 1, column: 1, byte }
    }

    fn advance(&mut self, to: Location) {
        while (self.line, self.column) < (to.line, to.column)
            && let Some(next) = self.chars.next()
        {
            self.byte += u32::try_from(next.len_utf8()).unwrap_or(0);
            (self.line, self.column) = match next {
                '\n' => (self.line + 1, 1),
                _ => (self.line, self.column + 1),
            };
        }
    }

    fn location(&self) -> Location {
        Location::new(1, u64::from(self.byte) + 1)
    }

    fn char_span(&self) -> Span {
        let length = self.chars.clone().next().map_or(0, char::len_utf8);
        Span::new(self.byte, self.byte + u32::try_from(length).unwrap_or(0))
    }
}
