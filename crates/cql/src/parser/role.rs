//! Roles, users and identities.

use super::cursor::{ParseResult, Parser};
use super::names::ROLE;
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::name::Name;
use crate::span::Span;
use crate::statement::StatementKind;
use crate::statement::role::{
    AddIdentity, DropIdentity, DropRole, ListRoles, RoleDefinition, RoleOption,
};
use crate::syntax_error::{Expectation, JavaException, SyntaxReason};

impl Parser<'_> {
    /// A role: a name, a string, or a marker, which is refused.
    pub(super) fn role_name(&mut self) -> ParseResult<Name> {
        if matches!(self.kind(), TokenKind::String | TokenKind::DollarString) {
            let span = self.next_span();
            return Ok(Name { text: self.string()?, span });
        }
        self.object_name(ROLE)
    }

    /// A user or an identity: a plain word, whose case is kept, or a string.
    fn plain_name(&mut self, expected: Expectation, quoted: SyntaxReason) -> ParseResult<Name> {
        let token = self.token(0);
        let text: Box<str> = match token.kind {
            TokenKind::Identifier | TokenKind::Placeholder => self.text(token).into(),
            TokenKind::String | TokenKind::DollarString => self.string_text(token),
            TokenKind::QuotedName => {
                self.refuse(quoted, token.span);
                self.name_of(token).text
            }
            _ => return self.fail(expected),
        };
        self.bump();
        Ok(Name { text, span: token.span })
    }

    fn user_name(&mut self) -> ParseResult<Name> {
        self.plain_name(Expectation::UserName, SyntaxReason::QuotedUserName)
    }

    fn identity(&mut self) -> ParseResult<Name> {
        self.plain_name(Expectation::Identity, SyntaxReason::QuotedIdentity)
    }

    fn role_condition(&mut self, alter: bool) -> ParseResult<bool> {
        if alter { self.if_exists() } else { self.if_not_exists() }
    }

    /// Parses the rest of CREATE ROLE or ALTER ROLE.
    pub(super) fn role(&mut self, alter: bool) -> ParseResult<StatementKind> {
        let if_clause = self.role_condition(alter)?;
        let name = self.role_name()?;
        let mut options = Vec::new();
        if self.eat_keyword(Keyword::With) {
            loop {
                let start = self.next_span();
                let option = self.role_option()?;
                self.check_role_option(&options, &option, self.span_since(start));
                options.push(option);
                if !self.eat_keyword(Keyword::And) {
                    break;
                }
            }
        }
        self.check_passwords(&options, name.span);
        Ok(StatementKind::Role(RoleDefinition { alter, user: false, if_clause, name, options }))
    }

    fn role_option(&mut self) -> ParseResult<RoleOption> {
        let TokenKind::Keyword(keyword) = self.kind() else { return self.fail_role_option() };
        match keyword {
            Keyword::Password => {
                self.bump();
                self.expect(TokenKind::Equal)?;
                Ok(RoleOption::Password(self.string()?))
            }
            Keyword::Hashed => {
                self.expect_keywords(&[Keyword::Hashed, Keyword::Password])?;
                self.expect(TokenKind::Equal)?;
                Ok(RoleOption::HashedPassword(self.string()?))
            }
            Keyword::Options => {
                self.bump();
                self.expect(TokenKind::Equal)?;
                let entries = self.map_literal()?;
                self.check_property_map(&entries);
                Ok(RoleOption::Options(entries))
            }
            Keyword::Superuser => Ok(RoleOption::Superuser(self.role_flag()?)),
            Keyword::Login => Ok(RoleOption::Login(self.role_flag()?)),
            Keyword::Access => self.access_option(),
            _ => self.fail_role_option(),
        }
    }

    fn fail_role_option<T>(&mut self) -> ParseResult<T> {
        self.fail(Expectation::RoleOption)
    }

    /// `word = true`
    fn role_flag(&mut self) -> ParseResult<bool> {
        self.bump();
        self.expect(TokenKind::Equal)?;
        if !self.is_at(TokenKind::Boolean) {
            return self.fail(Expectation::Boolean);
        }
        let token = self.bump();
        Ok(self.text(token).eq_ignore_ascii_case("true"))
    }

    fn access_option(&mut self) -> ParseResult<RoleOption> {
        self.bump();
        let datacenters = self.eat_keyword(Keyword::To);
        if !datacenters && !self.eat_keyword(Keyword::From) {
            return self.fail(Expectation::ToOrFrom);
        }
        let all = self.eat_keyword(Keyword::All);
        self.expect_keyword(if datacenters { Keyword::Datacenters } else { Keyword::Cidrs })?;
        if all {
            return Ok(if datacenters { RoleOption::AllDatacenters } else { RoleOption::AllCidrs });
        }
        self.expect(TokenKind::OpenBrace)?;
        let names = self.list(Self::string)?;
        self.expect(TokenKind::CloseBrace)?;
        Ok(if datacenters { RoleOption::Datacenters(names) } else { RoleOption::Cidrs(names) })
    }

    /// The server throws for a repeated option, and for ALL besides a list.
    fn check_role_option(&mut self, known: &[RoleOption], option: &RoleOption, span: Span) {
        let has = |wanted: fn(&RoleOption) -> bool| known.iter().any(wanted);
        let repeated = match option {
            RoleOption::Password(_) if has(|o| matches!(o, RoleOption::Password(_))) => "PASSWORD",
            RoleOption::HashedPassword(_)
                if has(|o| matches!(o, RoleOption::HashedPassword(_))) =>
            {
                "HASHED_PASSWORD"
            }
            RoleOption::Options(_) if has(|o| matches!(o, RoleOption::Options(_))) => "OPTIONS",
            RoleOption::Superuser(_) if has(|o| matches!(o, RoleOption::Superuser(_))) => {
                "SUPERUSER"
            }
            RoleOption::Login(_) if has(|o| matches!(o, RoleOption::Login(_))) => "LOGIN",
            _ => return self.check_access(known, option, span),
        };
        self.throw(SyntaxReason::RepeatedRoleOption { option: repeated }, span);
    }

    fn check_access(&mut self, known: &[RoleOption], option: &RoleOption, span: Span) {
        let has = |wanted: fn(&RoleOption) -> bool| known.iter().any(wanted);
        let exception = match option {
            RoleOption::Datacenters(_) if has(|o| matches!(o, RoleOption::AllDatacenters)) => {
                JavaException::EverythingAllowed
            }
            RoleOption::AllDatacenters if has(|o| matches!(o, RoleOption::Datacenters(_))) => {
                JavaException::DatacentersSet
            }
            RoleOption::Cidrs(_) if has(|o| matches!(o, RoleOption::AllCidrs)) => {
                JavaException::EverythingAllowed
            }
            RoleOption::AllCidrs if has(|o| matches!(o, RoleOption::Cidrs(_))) => {
                JavaException::CidrGroupsSet
            }
            _ => return,
        };
        self.crash(exception, span);
    }

    fn check_passwords(&mut self, options: &[RoleOption], span: Span) {
        let plain = options.iter().any(|option| matches!(option, RoleOption::Password(_)));
        let hashed = options.iter().any(|option| matches!(option, RoleOption::HashedPassword(_)));
        if plain && hashed {
            self.throw(SyntaxReason::BothPasswords, span);
        }
    }

    /// Parses the rest of CREATE USER or ALTER USER.
    pub(super) fn user(&mut self, alter: bool) -> ParseResult<StatementKind> {
        let if_clause = self.role_condition(alter)?;
        let name = self.user_name()?;
        let mut options = Vec::new();
        if self.eat_keyword(Keyword::With) {
            let hashed = self.eat_keyword(Keyword::Hashed);
            self.expect_keyword(Keyword::Password)?;
            let password = self.string()?;
            options.push(if hashed {
                RoleOption::HashedPassword(password)
            } else {
                RoleOption::Password(password)
            });
        }
        if self.eat_keyword(Keyword::Superuser) {
            options.push(RoleOption::Superuser(true));
        } else if self.eat_keyword(Keyword::Nosuperuser) {
            options.push(RoleOption::Superuser(false));
        }
        Ok(StatementKind::Role(RoleDefinition { alter, user: true, if_clause, name, options }))
    }

    /// Parses the rest of DROP ROLE or DROP USER.
    pub(super) fn drop_role(&mut self, user: bool) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        let name = if user { self.user_name()? } else { self.role_name()? };
        Ok(StatementKind::DropRole(DropRole { user, if_exists, name }))
    }

    pub(super) fn add_identity(&mut self) -> ParseResult<StatementKind> {
        self.expect_keywords(&[Keyword::Add, Keyword::Identity])?;
        let if_not_exists = self.if_not_exists()?;
        let identity = self.identity()?;
        self.expect_keywords(&[Keyword::To, Keyword::Role])?;
        let role = self.identity()?;
        Ok(StatementKind::AddIdentity(AddIdentity { if_not_exists, identity, role }))
    }

    /// Parses the rest of DROP IDENTITY.
    pub(super) fn drop_identity(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        Ok(StatementKind::DropIdentity(DropIdentity { if_exists, identity: self.identity()? }))
    }

    /// LIST ROLES, LIST USERS or LIST permissions.
    pub(super) fn list_statement(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        if self.eat_keyword(Keyword::Users) {
            return Ok(StatementKind::ListRoles(ListRoles {
                users: true,
                of: None,
                no_recursive: false,
            }));
        }
        if !self.eat_keyword(Keyword::Roles) {
            return self.list_permissions();
        }
        let of = self.optional_role()?;
        let no_recursive = self.eat_keyword(Keyword::Norecursive);
        Ok(StatementKind::ListRoles(ListRoles { users: false, of, no_recursive }))
    }

    /// `OF role`, or nothing.
    pub(super) fn optional_role(&mut self) -> ParseResult<Option<Name>> {
        if self.eat_keyword(Keyword::Of) { self.role_name().map(Some) } else { Ok(None) }
    }
}
