//! GRANT, REVOKE and LIST of permissions.

use super::cursor::{ParseResult, Parser};
use super::jmx;
use super::names::{is_function_name, is_name};
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::statement::StatementKind;
use crate::statement::role::{
    GrantPermission, GrantRole, ListPermissions, Permission, Permissions, Resource, ResourceKind,
};
use crate::syntax_error::{Expectation, SyntaxReason};

impl Parser<'_> {
    /// GRANT or REVOKE of permissions or of a role.
    pub(super) fn grant(&mut self) -> ParseResult<StatementKind> {
        let revoke = self.is_at_keyword(Keyword::Revoke);
        self.bump();
        let direction = if revoke { Keyword::From } else { Keyword::To };
        // ALL and UNMASK may also be roles; the following token decides.
        if permission(self.kind()).is_none() && !self.is_at_keyword(Keyword::All)
            || self.is_keyword_at(1, direction)
        {
            let role = self.role_name()?;
            self.expect_keyword(direction)?;
            let grantee = self.role_name()?;
            return Ok(StatementKind::GrantRole(GrantRole { revoke, role, grantee }));
        }
        let permissions = self.permissions()?;
        self.expect_keyword(Keyword::On)?;
        let resource = self.resource()?;
        self.expect_keyword(direction)?;
        let grantee = self.role_name()?;
        self.check_permissions(&permissions, &resource);
        Ok(StatementKind::GrantPermission(GrantPermission {
            revoke,
            permissions,
            resource,
            grantee,
        }))
    }

    /// The rest of LIST permissions.
    pub(super) fn list_permissions(&mut self) -> ParseResult<StatementKind> {
        let permissions = self.permissions()?;
        let resource = if self.eat_keyword(Keyword::On) { Some(self.resource()?) } else { None };
        let of = self.optional_role()?;
        let no_recursive = self.eat_keyword(Keyword::Norecursive);
        Ok(StatementKind::ListPermissions(ListPermissions {
            permissions,
            resource,
            of,
            no_recursive,
        }))
    }

    fn permissions(&mut self) -> ParseResult<Permissions> {
        if self.eat_keyword(Keyword::All) {
            self.eat_keyword(Keyword::Permissions);
            return Ok(Permissions::All);
        }
        let list = self.list(|parser| {
            let Some(permission) = permission(parser.kind()) else {
                return parser.fail(Expectation::Permission);
            };
            parser.bump();
            parser.eat_keyword(Keyword::Permission);
            Ok(permission)
        })?;
        Ok(Permissions::List(list))
    }

    fn resource(&mut self) -> ParseResult<Resource> {
        let start = self.next_span();
        let kind = match (self.kind(), self.kind_at(1)) {
            (TokenKind::Keyword(Keyword::All), TokenKind::Keyword(_)) => self.all_resources()?,
            (TokenKind::Keyword(Keyword::Keyspace), _) => {
                self.bump();
                ResourceKind::Keyspace(self.keyspace_name()?)
            }
            (TokenKind::Keyword(Keyword::Table), _) => {
                self.bump();
                ResourceKind::Table(self.table_name()?)
            }
            (TokenKind::Keyword(Keyword::Role), next)
                if is_name(next)
                    || matches!(
                        next,
                        TokenKind::String | TokenKind::DollarString | TokenKind::Question
                    ) =>
            {
                self.bump();
                ResourceKind::Role(self.role_name()?)
            }
            (TokenKind::Keyword(Keyword::Function), next)
                if is_function_name(next) || is_name(next) =>
            {
                self.bump();
                let name = self.function_name()?;
                ResourceKind::Function(name, self.argument_types()?)
            }
            (
                TokenKind::Keyword(Keyword::Mbean | Keyword::Mbeans),
                TokenKind::String | TokenKind::DollarString,
            ) => {
                let plural = self.is_at_keyword(Keyword::Mbeans);
                self.bump();
                self.mbean(plural)?
            }
            _ => ResourceKind::Table(self.table_name()?),
        };
        Ok(Resource { kind, span: self.span_since(start) })
    }

    fn all_resources(&mut self) -> ParseResult<ResourceKind> {
        let TokenKind::Keyword(next) = self.kind_at(1) else {
            return self.fail(Expectation::Resource);
        };
        let functions = next == Keyword::Functions;
        let kind = match next {
            Keyword::Keyspaces => ResourceKind::AllKeyspaces,
            Keyword::Roles => ResourceKind::AllRoles,
            Keyword::Mbeans => ResourceKind::AllMbeans,
            Keyword::Functions if !self.is_keyword_at(2, Keyword::In) => ResourceKind::AllFunctions,
            Keyword::Functions | Keyword::Tables => {
                self.bump();
                self.bump();
                self.expect_keywords(&[Keyword::In, Keyword::Keyspace])?;
                let keyspace = self.keyspace_name()?;
                return Ok(if functions {
                    ResourceKind::FunctionsIn(keyspace)
                } else {
                    ResourceKind::AllTables(keyspace)
                });
            }
            _ => return Ok(ResourceKind::Table(self.table_name()?)),
        };
        self.bump();
        self.bump();
        Ok(kind)
    }

    fn mbean(&mut self, plural: bool) -> ParseResult<ResourceKind> {
        let span = self.next_span();
        let name = self.string()?;
        if name.is_empty() {
            self.refuse(SyntaxReason::EmptyObjectName, span);
        }
        if &*name == "*:*" {
            self.refuse(SyntaxReason::AllObjectNames, span);
        }
        match jmx::parse_object_name(&name) {
            None => self.refuse(SyntaxReason::InvalidObjectName { name: name.clone() }, span),
            Some(false) if plural => {
                self.refuse(SyntaxReason::SingleObjectName { name: name.clone() }, span);
            }
            Some(_) => {}
        }
        Ok(if plural { ResourceKind::Mbeans(name) } else { ResourceKind::Mbean(name) })
    }

    /// Refuses permissions none of which applies to the resource. A single function is looked up in
    /// the schema and is not checked here.
    fn check_permissions(&mut self, permissions: &Permissions, resource: &Resource) {
        let Permissions::List(list) = permissions else { return };
        if matches!(resource.kind, ResourceKind::Function(..)) {
            return;
        }
        let (class, known) = resource.kind.applicable_permissions();
        if !list.iter().any(|permission| known.contains(permission)) {
            self.refuse(SyntaxReason::InapplicablePermissions { class }, resource.span);
        }
    }
}

fn permission(kind: TokenKind) -> Option<Permission> {
    let TokenKind::Keyword(keyword) = kind else { return None };
    Some(match keyword {
        Keyword::Create => Permission::Create,
        Keyword::Alter => Permission::Alter,
        Keyword::Drop => Permission::Drop,
        Keyword::Select => Permission::Select,
        Keyword::Modify => Permission::Modify,
        Keyword::Authorize => Permission::Authorize,
        Keyword::Describe => Permission::Describe,
        Keyword::Execute => Permission::Execute,
        Keyword::Unmask => Permission::Unmask,
        Keyword::SelectMasked => Permission::SelectMasked,
        _ => return None,
    })
}
