//! Functions and aggregates.

use super::cursor::{ParseResult, Parser};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::statement::StatementKind;
use crate::statement::function::{CreateAggregate, CreateFunction, DropFunction};
use crate::syntax_error::Expectation;
use crate::type_name::TypeName;

impl Parser<'_> {
    /// Parses the rest of CREATE FUNCTION.
    pub(super) fn create_function(&mut self, or_replace: bool) -> ParseResult<StatementKind> {
        let if_not_exists = self.if_not_exists()?;
        let name = self.function_name()?;
        self.expect(TokenKind::OpenParen)?;
        let arguments = self.list_until(TokenKind::CloseParen, |parser| {
            Ok((parser.name(Expectation::ArgumentName)?, parser.type_name()?))
        })?;
        let called_on_null_input = self.eat_keyword(Keyword::Called);
        if !called_on_null_input {
            if !self.is_at_keyword(Keyword::Returns) {
                return self.fail(Expectation::NullInput);
            }
            self.expect_keywords(&[Keyword::Returns, Keyword::Null])?;
        }
        self.expect_keywords(&[Keyword::On, Keyword::Null, Keyword::Input, Keyword::Returns])?;
        let returns = self.type_name()?;
        self.expect_keyword(Keyword::Language)?;
        if !matches!(self.kind(), TokenKind::Identifier | TokenKind::Placeholder) {
            return self.fail(Expectation::Language);
        }
        let language = self.name(Expectation::Language)?;
        self.expect_keyword(Keyword::As)?;
        let body = self.string()?;
        Ok(StatementKind::CreateFunction(Box::new(CreateFunction {
            or_replace,
            if_not_exists,
            name,
            arguments,
            called_on_null_input,
            returns,
            language,
            body,
        })))
    }

    /// Parses the rest of CREATE AGGREGATE.
    pub(super) fn create_aggregate(&mut self, or_replace: bool) -> ParseResult<StatementKind> {
        let if_not_exists = self.if_not_exists()?;
        let name = self.function_name()?;
        let arguments = self.argument_types()?;
        self.expect_keyword(Keyword::Sfunc)?;
        let state_function = self.local_function_name()?;
        self.expect_keyword(Keyword::Stype)?;
        let state_type = self.type_name()?;
        let final_function = if self.eat_keyword(Keyword::Finalfunc) {
            Some(self.local_function_name()?)
        } else {
            None
        };
        let initial = if self.eat_keyword(Keyword::Initcond) { Some(self.term()?) } else { None };
        Ok(StatementKind::CreateAggregate(Box::new(CreateAggregate {
            or_replace,
            if_not_exists,
            name,
            arguments,
            state_function,
            state_type,
            final_function,
            initial,
        })))
    }

    /// `(type, ...)`
    pub(super) fn argument_types(&mut self) -> ParseResult<Vec<TypeName>> {
        self.expect(TokenKind::OpenParen)?;
        self.list_until(TokenKind::CloseParen, Self::type_name)
    }

    /// Parses the rest of DROP FUNCTION or DROP AGGREGATE.
    pub(super) fn drop_function(&mut self, aggregate: bool) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        let name = self.function_name()?;
        let arguments =
            if self.is_at(TokenKind::OpenParen) { Some(self.argument_types()?) } else { None };
        Ok(StatementKind::DropFunction(DropFunction { aggregate, if_exists, name, arguments }))
    }
}
