//! DESCRIBE.

use super::cursor::{ParseResult, Parser};
use super::names::is_name;
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::name::QualifiedName;
use crate::statement::StatementKind;
use crate::statement::describe::{Describe, DescribeTarget};
use crate::syntax_error::Expectation;

impl Parser<'_> {
    pub(super) fn describe(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        let target = self.describe_target()?;
        let with_internals = self.eat_keyword(Keyword::With);
        if with_internals {
            self.expect_keyword(Keyword::Internals)?;
        }
        Ok(StatementKind::Describe(Describe { target, with_internals }))
    }

    fn describe_target(&mut self) -> ParseResult<DescribeTarget> {
        let TokenKind::Keyword(keyword) = self.kind() else { return self.describe_anything() };
        let named = is_name(self.kind_at(1)) || self.kind_at(1) == TokenKind::Question;
        let target = match keyword {
            Keyword::Cluster => DescribeTarget::Cluster,
            Keyword::Keyspaces => DescribeTarget::Keyspaces,
            Keyword::Tables => DescribeTarget::Tables,
            Keyword::Types => DescribeTarget::Types,
            Keyword::Functions => DescribeTarget::Functions,
            Keyword::Aggregates => DescribeTarget::Aggregates,
            Keyword::Schema => DescribeTarget::Schema { full: false },
            Keyword::Full => {
                self.bump();
                if !self.is_at_keyword(Keyword::Schema) {
                    return self.fail(Expectation::Keyword(Keyword::Schema));
                }
                DescribeTarget::Schema { full: true }
            }
            Keyword::Only if self.is_keyword_at(1, Keyword::Keyspace) => {
                self.bump();
                return self.describe_keyspace(true);
            }
            Keyword::Keyspace => return self.describe_keyspace(false),
            Keyword::Table => return self.describe_object(Self::table_name, DescribeTarget::Table),
            Keyword::Index => return self.describe_object(Self::table_name, DescribeTarget::Index),
            Keyword::Materialized => {
                self.bump();
                if !self.is_at_keyword(Keyword::View) {
                    return self.fail(Expectation::Keyword(Keyword::View));
                }
                return self.describe_object(Self::table_name, DescribeTarget::View);
            }
            // These three words are also names.
            Keyword::Type if named => {
                return self.describe_object(Self::user_type_name, DescribeTarget::Type);
            }
            Keyword::Function if named || self.is_keyword_at(1, Keyword::Token) => {
                return self.describe_object(Self::function_name, DescribeTarget::Function);
            }
            Keyword::Aggregate if named || self.is_keyword_at(1, Keyword::Token) => {
                return self.describe_object(Self::function_name, DescribeTarget::Aggregate);
            }
            _ => return self.describe_anything(),
        };
        self.bump();
        Ok(target)
    }

    /// Takes the keyword and the following name.
    fn describe_object(
        &mut self,
        name: impl FnOnce(&mut Self) -> ParseResult<QualifiedName>,
        target: impl FnOnce(QualifiedName) -> DescribeTarget,
    ) -> ParseResult<DescribeTarget> {
        self.bump();
        Ok(target(name(self)?))
    }

    fn describe_keyspace(&mut self, only: bool) -> ParseResult<DescribeTarget> {
        self.bump();
        let named = is_name(self.kind()) || self.is_at(TokenKind::Question);
        let name = if named { Some(self.keyspace_name()?) } else { None };
        Ok(DescribeTarget::Keyspace { only, name })
    }

    fn describe_anything(&mut self) -> ParseResult<DescribeTarget> {
        if !is_name(self.kind()) {
            return self.fail(Expectation::DescribedObject);
        }
        self.table_name().map(DescribeTarget::Anything)
    }
}
