//! The statements of a text in sequence, and the recovery after a broken one.

use super::cursor::{ParseFailure, ParseResult, Parser, Throwable};
use super::{ParsedSource, advice};
use crate::keyword::Keyword;
use crate::lexer::{TokenKind, shell_word};
use crate::span::Span;
use crate::statement::shell::ShellCommand;
use crate::statement::{Statement, StatementKind};
use crate::syntax_error::{Expectation, SyntaxAdvice, SyntaxError, SyntaxReason};

impl Parser<'_> {
    /// Parses the whole text.
    pub(super) fn run(mut self) -> ParsedSource {
        while !self.lexer.is_at_end() {
            self.tokens.clear();
            self.position = 0;
            self.lexer.fill(&mut self.tokens, true);
            while !matches!(self.kind(), TokenKind::Semicolon | TokenKind::End) {
                self.statement();
            }
        }
        self.finish()
    }

    fn statement(&mut self) {
        let start = self.next_span();
        let reported = self.errors.len();
        let first = self.position;
        (self.in_batch, self.nesting, self.thrown) = (false, 0, None);
        self.markers.clear();
        let outcome =
            self.statement_kind().and_then(|kind| self.end_of_statement(first).map(|()| kind));
        let kind = outcome.unwrap_or_else(|ParseFailure| {
            self.recover(first);
            StatementKind::Invalid
        });
        let span = self.span_since(start);
        if let Some(thrown) = self.thrown.take() {
            self.errors.truncate(reported);
            let error = match thrown {
                Throwable::Error(error) => error,
                Throwable::Exception(exception, place) => {
                    let statement = self.statement_text(span).into();
                    let reason = SyntaxReason::ParserException { statement, exception };
                    SyntaxError::new(reason, place)
                }
            };
            self.errors.push(error);
        }
        let markers = std::mem::take(&mut self.markers);
        self.statements.push(Statement { kind, markers, span });
    }

    /// The text of a statement as it is sent, with its semicolon.
    fn statement_text(&self, span: Span) -> &str {
        let end = if self.is_at(TokenKind::Semicolon) { self.next_span().end } else { span.end };
        Span::new(span.start, end).text(self.source)
    }

    fn statement_kind(&mut self) -> ParseResult<StatementKind> {
        let TokenKind::Keyword(keyword) = self.kind() else {
            if self.is_at(TokenKind::Shell) {
                return Ok(self.shell_command());
            }
            return self.fail(Expectation::Statement);
        };
        match keyword {
            Keyword::Select => Ok(StatementKind::Select(Box::new(self.select()?))),
            Keyword::Insert => Ok(StatementKind::Insert(Box::new(self.insert()?))),
            Keyword::Update => Ok(StatementKind::Update(Box::new(self.update()?))),
            Keyword::Delete => Ok(StatementKind::Delete(Box::new(self.delete()?))),
            Keyword::Begin => Ok(StatementKind::Batch(Box::new(self.batch()?))),
            Keyword::Use => self.use_keyspace(),
            Keyword::Truncate => self.truncate(),
            Keyword::Create => self.create(),
            Keyword::Alter => self.alter(),
            Keyword::Drop => self.drop_statement(),
            Keyword::Grant | Keyword::Revoke => self.grant(),
            Keyword::List => self.list_statement(),
            Keyword::Add => self.add_identity(),
            Keyword::Describe | Keyword::Desc => self.describe(),
            _ => self.fail(Expectation::Statement),
        }
    }

    fn shell_command(&mut self) -> StatementKind {
        let token = self.bump();
        let text = self.text(token);
        let length = if text.starts_with('?') {
            1
        } else {
            text.bytes().take_while(u8::is_ascii_alphabetic).count()
        };
        let (word, rest) = text.split_at(length);
        let word = shell_word(word).unwrap_or("HELP");
        StatementKind::Shell(ShellCommand { word, rest: rest.trim().into() })
    }

    /// Checks the end of a statement: a semicolon or the end. A statement that is followed by
    /// another one on a new line lacks its semicolon but is complete; cqlsh lets DESCRIBE end at
    /// the line end.
    fn end_of_statement(&mut self, first: usize) -> ParseResult<()> {
        if matches!(self.kind(), TokenKind::Semicolon | TokenKind::End) {
            return Ok(());
        }
        let first = self.tokens.get(first).map(|token| token.kind);
        let described =
            matches!(first, Some(TokenKind::Keyword(Keyword::Describe | Keyword::Desc)))
                && self.is_line_start();
        if described {
            return Ok(());
        }
        if self.is_statement_start() && self.is_line_start() {
            let end = self.span_since(self.next_span()).end;
            let found = advice::offending_token(self, self.token(0));
            let reason = SyntaxReason::MissingSemicolon { found };
            let error = SyntaxError::new(reason, Span::new(end, end));
            self.errors.push(error.with_advice(SyntaxAdvice::EndStatement));
            return Ok(());
        }
        self.fail(Expectation::StatementEnd)
    }

    /// Skips a broken statement whose first token is `first`.
    fn recover(&mut self, first: usize) {
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Semicolon if !self.in_batch => return,
                TokenKind::Semicolon => {
                    if !self.advance_past_semicolon() {
                        return;
                    }
                    continue;
                }
                TokenKind::Keyword(Keyword::Apply) if self.in_batch => {
                    self.bump();
                    self.eat_keyword(Keyword::Batch);
                    self.in_batch = false;
                    continue;
                }
                TokenKind::Keyword(keyword) if self.position > first => {
                    let inner = self.in_batch && is_write(keyword);
                    if !inner
                        && self.is_statement_start()
                        && self.is_line_start()
                        && !self.is_view_select(first, keyword)
                    {
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Takes a semicolon inside a batch and reads the following tokens; `false` at the end of the
    /// text.
    pub(super) fn advance_past_semicolon(&mut self) -> bool {
        if self.position + 1 == self.tokens.len() {
            if self.lexer.is_at_end() {
                let end = self.next_span().end;
                self.tokens
                    .push(crate::lexer::Token { kind: TokenKind::End, span: Span::new(end, end) });
            } else {
                self.lexer.fill(&mut self.tokens, false);
            }
        }
        self.position += 1;
        !self.is_at(TokenKind::End)
    }

    /// Whether SELECT at the start of a line belongs to a view.
    fn is_view_select(&self, first: usize, keyword: Keyword) -> bool {
        keyword == Keyword::Select
            && self
                .tokens
                .get(first + 1)
                .is_some_and(|token| token.kind == TokenKind::Keyword(Keyword::Materialized))
    }

    /// Whether the tokens ahead can only be the start of a statement.
    fn is_statement_start(&self) -> bool {
        let TokenKind::Keyword(keyword) = self.kind() else { return false };
        let TokenKind::Keyword(next) = self.kind_at(1) else {
            return matches!(
                keyword,
                Keyword::Select
                    | Keyword::Update
                    | Keyword::Delete
                    | Keyword::Use
                    | Keyword::Truncate
            );
        };
        match keyword {
            Keyword::Select
            | Keyword::Update
            | Keyword::Delete
            | Keyword::Use
            | Keyword::Truncate => true,
            Keyword::Insert => next == Keyword::Into,
            Keyword::Begin => matches!(next, Keyword::Batch | Keyword::Unlogged | Keyword::Counter),
            Keyword::Create | Keyword::Alter | Keyword::Drop => is_object(next),
            Keyword::Grant | Keyword::Revoke | Keyword::Describe => true,
            _ => false,
        }
    }

    /// Whether only whitespace precedes the next token on its line.
    fn is_line_start(&self) -> bool {
        let before =
            self.source.as_bytes().get(..self.next_span().start as usize).unwrap_or_default();
        let last = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        last.is_none_or(|&byte| byte == b'\n')
    }
}

fn is_write(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Insert | Keyword::Update | Keyword::Delete)
}

/// Whether a keyword can follow CREATE, ALTER or DROP.
fn is_object(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Keyspace
            | Keyword::Table
            | Keyword::Type
            | Keyword::Index
            | Keyword::Custom
            | Keyword::Materialized
            | Keyword::Function
            | Keyword::Aggregate
            | Keyword::Or
            | Keyword::Trigger
            | Keyword::Role
            | Keyword::User
            | Keyword::Identity
    )
}
