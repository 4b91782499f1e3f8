//! Names of columns, keyspaces, tables, functions and roles.

use super::cursor::{ParseResult, Parser};
use crate::keyword::{Keyword, KeywordClass};
use crate::lexer::{Token, TokenKind};
use crate::name::{Name, QualifiedName};
use crate::syntax_error::{Expectation, SyntaxReason};

/// Whether a token can be a name.
pub(super) fn is_name(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Identifier | TokenKind::QuotedName | TokenKind::Placeholder => true,
        TokenKind::Keyword(keyword) => keyword.is_name(),
        _ => false,
    }
}

/// Whether a token can name a function.
pub(super) fn is_function_name(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Identifier | TokenKind::QuotedName | TokenKind::Placeholder => true,
        TokenKind::Keyword(Keyword::Token | Keyword::Count) => true,
        TokenKind::Keyword(keyword) => {
            matches!(keyword.class(), KeywordClass::Unreserved | KeywordClass::NativeType)
        }
        _ => false,
    }
}

/// The kind of object that is named, and the server's word for it if there is a marker instead.
#[derive(Clone, Copy)]
pub(super) struct ObjectKind {
    expected: Expectation,
    object: &'static str,
}

pub(super) const KEYSPACE: ObjectKind =
    ObjectKind { expected: Expectation::KeyspaceName, object: "keyspace" };
pub(super) const TABLE: ObjectKind =
    ObjectKind { expected: Expectation::TableName, object: "table" };
pub(super) const INDEX: ObjectKind =
    ObjectKind { expected: Expectation::IndexName, object: "index" };
pub(super) const ROLE: ObjectKind = ObjectKind { expected: Expectation::RoleName, object: "role" };

impl Parser<'_> {
    /// The folded name of a token.
    pub(super) fn name_of(&self, token: Token) -> Name {
        let text = self.text(token);
        let text = match token.kind {
            TokenKind::QuotedName | TokenKind::EmptyQuotedName => self.unquote_name(text),
            TokenKind::Placeholder => text.into(),
            _ => fold_case(text),
        };
        Name { text, span: token.span }
    }

    /// The content of a quoted name. In lenient mode a name with a placeholder keeps its quotes, so
    /// that it is printed unchanged.
    fn unquote_name(&self, text: &str) -> Box<str> {
        if self.options.templates && crate::lexer::is_template(text) {
            return text.into();
        }
        unquote(text, '"')
    }

    /// A name.
    pub(super) fn name(&mut self, expected: Expectation) -> ParseResult<Name> {
        if !is_name(self.kind()) {
            return self.fail(expected);
        }
        let token = self.bump();
        Ok(self.name_of(token))
    }

    /// A column in a data statement, where the legacy empty name is allowed as well.
    pub(super) fn column(&mut self) -> ParseResult<Name> {
        if self.is_at(TokenKind::EmptyQuotedName) {
            let token = self.bump();
            return Ok(self.name_of(token));
        }
        self.name(Expectation::ColumnName)
    }

    /// A column in a schema statement.
    pub(super) fn schema_column(&mut self) -> ParseResult<Name> {
        self.name(Expectation::ColumnName)
    }

    /// A name that the server also parses as a marker, in order to refuse it.
    pub(super) fn object_name(&mut self, purpose: ObjectKind) -> ParseResult<Name> {
        if self.is_at(TokenKind::Question) {
            let span = self.bump().span;
            self.refuse(SyntaxReason::MarkerForName { object: purpose.object }, span);
            return Ok(Name { text: "?".into(), span });
        }
        self.name(purpose.expected)
    }

    pub(super) fn keyspace_name(&mut self) -> ParseResult<Name> {
        self.object_name(KEYSPACE)
    }

    /// `[keyspace.]name`
    pub(super) fn qualified_name(&mut self, purpose: ObjectKind) -> ParseResult<QualifiedName> {
        if self.kind_at(1) == TokenKind::Dot {
            let keyspace = self.keyspace_name()?;
            self.expect(TokenKind::Dot)?;
            return Ok(QualifiedName {
                keyspace: Some(keyspace),
                name: self.object_name(purpose)?,
            });
        }
        Ok(QualifiedName { keyspace: None, name: self.object_name(purpose)? })
    }

    pub(super) fn table_name(&mut self) -> ParseResult<QualifiedName> {
        self.qualified_name(TABLE)
    }

    /// `[keyspace.]function`
    pub(super) fn function_name(&mut self) -> ParseResult<QualifiedName> {
        if self.kind_at(1) == TokenKind::Dot {
            let keyspace = self.keyspace_name()?;
            self.expect(TokenKind::Dot)?;
            return Ok(QualifiedName {
                keyspace: Some(keyspace),
                name: self.local_function_name()?,
            });
        }
        Ok(QualifiedName { keyspace: None, name: self.local_function_name()? })
    }

    /// A function without its keyspace.
    pub(super) fn local_function_name(&mut self) -> ParseResult<Name> {
        if !is_function_name(self.kind()) {
            return self.fail(Expectation::FunctionName);
        }
        let token = self.bump();
        // The server folds identifiers and types here, but not keywords that are names.
        match token.kind {
            TokenKind::Keyword(keyword) if keyword.class() == KeywordClass::Unreserved => {
                Ok(Name { text: self.text(token).into(), span: token.span })
            }
            _ => Ok(self.name_of(token)),
        }
    }

    /// Whether a call `f(` or `k.f(` follows.
    pub(super) fn is_at_call(&self) -> bool {
        match self.kind_at(1) {
            TokenKind::OpenParen => is_function_name(self.kind()),
            TokenKind::Dot => {
                (is_name(self.kind()) || self.is_at(TokenKind::Question))
                    && is_function_name(self.kind_at(2))
                    && self.kind_at(3) == TokenKind::OpenParen
            }
            _ => false,
        }
    }

    /// The content of a required string.
    pub(super) fn string(&mut self) -> ParseResult<Box<str>> {
        if !matches!(
            self.kind(),
            TokenKind::String | TokenKind::DollarString | TokenKind::Placeholder
        ) {
            return self.fail(Expectation::StringLiteral);
        }
        let token = self.bump();
        Ok(self.string_text(token))
    }

    /// The content of a string token.
    pub(super) fn string_text(&self, token: Token) -> Box<str> {
        let text = self.text(token);
        match token.kind {
            TokenKind::String => unquote(text, '\''),
            TokenKind::DollarString => text.get(2..text.len() - 2).unwrap_or_default().into(),
            _ => text.into(),
        }
    }

    /// `IF NOT EXISTS`
    pub(super) fn if_not_exists(&mut self) -> ParseResult<bool> {
        let found = self.eat_keyword(Keyword::If);
        if found {
            self.expect_keywords(&[Keyword::Not, Keyword::Exists])?;
        }
        Ok(found)
    }

    /// `IF EXISTS`
    pub(super) fn if_exists(&mut self) -> ParseResult<bool> {
        let found = self.eat_keyword(Keyword::If);
        if found {
            self.expect_keyword(Keyword::Exists)?;
        }
        Ok(found)
    }
}

/// An unquoted name in lower case.
fn fold_case(text: &str) -> Box<str> {
    let mut folded: Box<str> = text.into();
    folded.make_ascii_lowercase();
    folded
}

/// The content of a quoted token, with doubled quotes replaced by single ones.
fn unquote(text: &str, quote: char) -> Box<str> {
    let content = text.get(1..text.len() - 1).unwrap_or_default();
    if !content.contains(quote) {
        return content.into();
    }
    let doubled: String = [quote, quote].iter().collect();
    content.replace(&doubled, quote.encode_utf8(&mut [0; 4])).into()
}
