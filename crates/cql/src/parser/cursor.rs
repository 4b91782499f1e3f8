//! [`Parser`]: the tokens ahead, the errors so far, and the limits of nesting.

use super::{ParsedSource, advice};
use crate::keyword::Keyword;
use crate::lexer::{Lexer, Token, TokenKind};
use crate::parse_options::ParseOptions;
use crate::span::Span;
use crate::statement::Statement;
use crate::syntax_error::{Expectation, JavaException, SyntaxAdvice, SyntaxError, SyntaxReason};
use crate::term::Marker;

/// The maximum nesting of brackets.
pub(super) const NESTING_LIMIT: u32 = 200;

/// The maximum height of a term or selected expression; a chain of operators adds one for each.
pub(super) const HEIGHT_LIMIT: u32 = 500;

/// The statement cannot be parsed; an error was recorded.
pub(super) struct ParseFailure;

/// What the server's parser throws.
pub(super) enum Throwable {
    /// A syntax error.
    Error(SyntaxError),
    /// An unexpected exception, for which the server prints the whole statement.
    Exception(JavaException, Span),
}

/// The result of parsing a piece of syntax.
pub(super) type ParseResult<T> = Result<T, ParseFailure>;

/// The parser.
pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    pub(super) options: ParseOptions,
    pub(super) lexer: Lexer<'s>,
    /// The tokens of the current statement; the last is a semicolon or the end.
    pub(super) tokens: Vec<Token>,
    pub(super) position: usize,
    pub(super) statements: Vec<Statement>,
    pub(super) errors: Vec<SyntaxError>,
    /// The markers of the current statement.
    pub(super) markers: Vec<Marker>,
    /// What the server's parser throws instead of collecting it: it hides all other errors.
    pub(super) thrown: Option<Throwable>,
    pub(super) in_batch: bool,
    pub(super) nesting: u32,
    /// The height of the term or selectable that was parsed last.
    pub(super) height: u32,
    /// Whether the server, having refused a part of the type that was parsed last, has no type for
    /// it.
    pub(super) type_is_null: bool,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str, options: ParseOptions) -> Self {
        Self {
            source,
            options,
            lexer: Lexer::new(source, options.templates),
            tokens: Vec::new(),
            position: 0,
            statements: Vec::new(),
            errors: Vec::new(),
            markers: Vec::new(),
            thrown: None,
            in_batch: false,
            nesting: 0,
            height: 0,
            type_is_null: false,
        }
    }

    pub(super) fn finish(self) -> ParsedSource {
        ParsedSource {
            statements: self.statements,
            comments: self.lexer.comments,
            errors: self.errors,
        }
    }

    /// The token `ahead` of the position; the last one if there are fewer.
    #[inline]
    pub(super) fn token(&self, ahead: usize) -> Token {
        let token = self.tokens.get(self.position + ahead).or(self.tokens.last());
        token.copied().unwrap_or(Token { kind: TokenKind::End, span: Span::default() })
    }

    /// The kind of the token ahead; the end after the statement's last token.
    #[inline]
    pub(super) fn kind_at(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.position + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    #[inline]
    pub(super) fn kind(&self) -> TokenKind {
        self.kind_at(0)
    }

    #[inline]
    pub(super) fn is_at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    #[inline]
    pub(super) fn is_at_keyword(&self, keyword: Keyword) -> bool {
        self.is_at(TokenKind::Keyword(keyword))
    }

    #[inline]
    pub(super) fn is_keyword_at(&self, ahead: usize, keyword: Keyword) -> bool {
        self.kind_at(ahead) == TokenKind::Keyword(keyword)
    }

    /// The start of the next token.
    #[inline]
    pub(super) fn next_span(&self) -> Span {
        self.token(0).span
    }

    /// The span from `start` to the end of the last token taken.
    #[inline]
    pub(super) fn span_since(&self, start: Span) -> Span {
        let last = self.position.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.map_or(start, |last| Span::new(start.start, last.span.end.max(start.start)))
    }

    /// Takes a token. The last one, a semicolon or the end, is taken only by the code that reads
    /// more tokens.
    #[inline]
    pub(super) fn bump(&mut self) -> Token {
        let token = self.token(0);
        if self.position + 1 < self.tokens.len() {
            self.position += 1;
        }
        token
    }

    #[inline]
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is_at(kind);
        if found {
            self.bump();
        }
        found
    }

    #[inline]
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    /// Takes a required sign.
    pub(super) fn expect(&mut self, kind: TokenKind) -> ParseResult<Span> {
        if self.is_at(kind) {
            return Ok(self.bump().span);
        }
        let sign = kind.sign().unwrap_or("another token");
        self.fail(Expectation::Sign(sign))
    }

    /// Takes a required keyword.
    pub(super) fn expect_keyword(&mut self, keyword: Keyword) -> ParseResult<Span> {
        if self.is_at_keyword(keyword) {
            return Ok(self.bump().span);
        }
        self.fail(Expectation::Keyword(keyword))
    }

    /// Takes several required keywords.
    pub(super) fn expect_keywords(&mut self, keywords: &[Keyword]) -> ParseResult<()> {
        keywords.iter().try_for_each(|&keyword| self.expect_keyword(keyword).map(drop))
    }

    /// The text of a token.
    #[inline]
    pub(super) fn text(&self, token: Token) -> &'s str {
        token.span.text(self.source)
    }

    /// Takes `item {, item}`.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut items = Vec::with_capacity(4);
        items.push(item(self)?);
        while self.eat(TokenKind::Comma) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Takes `item {, item} close`, or just `close`.
    pub(super) fn list_until<T>(
        &mut self,
        close: TokenKind,
        item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.expect(close)?;
        Ok(items)
    }

    /// Parses the contents of brackets, within the limit of nesting.
    pub(super) fn with_nesting<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<T> {
        if self.nesting >= NESTING_LIMIT {
            return self.fail_too_deep(NESTING_LIMIT);
        }
        self.nesting += 1;
        let outcome = inside(self);
        self.nesting -= 1;
        outcome
    }

    /// Records the height of what was just built, and fails if it exceeds the limit.
    pub(super) fn record_height(&mut self, height: u32) -> ParseResult<()> {
        if height > HEIGHT_LIMIT {
            return self.fail_too_deep(HEIGHT_LIMIT);
        }
        self.height = height;
        Ok(())
    }

    #[cold]
    fn fail_too_deep<T>(&mut self, limit: u32) -> ParseResult<T> {
        let error = SyntaxError::new(SyntaxReason::TooDeep { limit }, self.next_span());
        self.errors.push(error.with_advice(SyntaxAdvice::SplitOrBind));
        Err(ParseFailure)
    }

    /// Gives up the statement: something else was expected here.
    #[cold]
    #[inline(never)]
    pub(super) fn fail<T>(&mut self, expected: Expectation) -> ParseResult<T> {
        let error = advice::build_error(self, expected);
        self.errors.push(error);
        Err(ParseFailure)
    }

    /// Records an error that the server's parser collects while it continues.
    #[cold]
    pub(super) fn refuse(&mut self, reason: SyntaxReason, span: Span) {
        self.errors.push(SyntaxError::new(reason, span));
    }

    /// Records a syntax error that the server's parser throws at once.
    #[cold]
    pub(super) fn throw(&mut self, reason: SyntaxReason, span: Span) {
        self.thrown.get_or_insert_with(|| Throwable::Error(SyntaxError::new(reason, span)));
    }

    /// Records an exception that ends the server's parser.
    #[cold]
    pub(super) fn crash(&mut self, exception: JavaException, span: Span) {
        self.thrown.get_or_insert(Throwable::Exception(exception, span));
    }
}
