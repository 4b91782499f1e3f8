//! CREATE, ALTER and DROP: dispatch by object, and keyspaces, types, indexes, views and triggers.

use super::cursor::{ParseResult, Parser};
use super::names::INDEX;
use crate::keyword::Keyword;
use crate::lexer::TokenKind;
use crate::name::Name;
use crate::statement::StatementKind;
use crate::statement::function::{CreateTrigger, DropTrigger};
use crate::statement::index::{CreateIndex, DropIndex, IndexTarget, IndexTargetKind};
use crate::statement::keyspace::{AlterKeyspace, CreateKeyspace, DropKeyspace, Use};
use crate::statement::table::TableOptions;
use crate::statement::user_type::{AlterType, CreateType, DropType, TypeChange};
use crate::statement::view::{AlterView, CreateView, DropView};
use crate::syntax_error::Expectation;
use crate::type_name::TypeName;

impl Parser<'_> {
    pub(super) fn create(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        if self.is_at_keyword(Keyword::Or) {
            return self.create_or_replace();
        }
        match self.kind() {
            TokenKind::Keyword(Keyword::Table) => self.bump_then(Self::create_table),
            TokenKind::Keyword(Keyword::Keyspace) => self.bump_then(Self::create_keyspace),
            TokenKind::Keyword(Keyword::Type) => self.bump_then(Self::create_type),
            TokenKind::Keyword(Keyword::Index | Keyword::Custom) => self.create_index(),
            TokenKind::Keyword(Keyword::Materialized) => self.create_view(),
            TokenKind::Keyword(Keyword::Function) => {
                self.bump_then(|parser| parser.create_function(false))
            }
            TokenKind::Keyword(Keyword::Aggregate) => {
                self.bump_then(|parser| parser.create_aggregate(false))
            }
            TokenKind::Keyword(Keyword::Trigger) => self.bump_then(Self::create_trigger),
            TokenKind::Keyword(Keyword::Role) => self.bump_then(|parser| parser.role(false)),
            TokenKind::Keyword(Keyword::User) => self.bump_then(|parser| parser.user(false)),
            _ => self.fail(Expectation::CreatedObject),
        }
    }

    fn create_or_replace(&mut self) -> ParseResult<StatementKind> {
        self.expect_keywords(&[Keyword::Or, Keyword::Replace])?;
        match self.kind() {
            TokenKind::Keyword(Keyword::Function) => {
                self.bump_then(|parser| parser.create_function(true))
            }
            TokenKind::Keyword(Keyword::Aggregate) => {
                self.bump_then(|parser| parser.create_aggregate(true))
            }
            _ => self.fail(Expectation::FunctionOrAggregate),
        }
    }

    pub(super) fn alter(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        match self.kind() {
            TokenKind::Keyword(Keyword::Table) => self.bump_then(Self::alter_table),
            TokenKind::Keyword(Keyword::Keyspace) => self.bump_then(Self::alter_keyspace),
            TokenKind::Keyword(Keyword::Type) => self.bump_then(Self::alter_type),
            TokenKind::Keyword(Keyword::Materialized) => self.alter_view(),
            TokenKind::Keyword(Keyword::Role) => self.bump_then(|parser| parser.role(true)),
            TokenKind::Keyword(Keyword::User) => self.bump_then(|parser| parser.user(true)),
            _ => self.fail(Expectation::AlteredObject),
        }
    }

    pub(super) fn drop_statement(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        match self.kind() {
            TokenKind::Keyword(Keyword::Table) => self.bump_then(Self::drop_table),
            TokenKind::Keyword(Keyword::Keyspace) => self.bump_then(Self::drop_keyspace),
            TokenKind::Keyword(Keyword::Type) => self.bump_then(Self::drop_type),
            TokenKind::Keyword(Keyword::Index) => self.bump_then(Self::drop_index),
            TokenKind::Keyword(Keyword::Materialized) => self.drop_view(),
            TokenKind::Keyword(Keyword::Function) => {
                self.bump_then(|parser| parser.drop_function(false))
            }
            TokenKind::Keyword(Keyword::Aggregate) => {
                self.bump_then(|parser| parser.drop_function(true))
            }
            TokenKind::Keyword(Keyword::Trigger) => self.bump_then(Self::drop_trigger),
            TokenKind::Keyword(Keyword::Role) => self.bump_then(|parser| parser.drop_role(false)),
            TokenKind::Keyword(Keyword::User) => self.bump_then(|parser| parser.drop_role(true)),
            TokenKind::Keyword(Keyword::Identity) => self.bump_then(Self::drop_identity),
            _ => self.fail(Expectation::DroppedObject),
        }
    }

    /// Parses what follows the next keyword.
    fn bump_then(
        &mut self,
        read: impl FnOnce(&mut Self) -> ParseResult<StatementKind>,
    ) -> ParseResult<StatementKind> {
        self.bump();
        read(self)
    }

    fn create_keyspace(&mut self) -> ParseResult<StatementKind> {
        let if_not_exists = self.if_not_exists()?;
        let name = self.keyspace_name()?;
        self.expect_keyword(Keyword::With)?;
        let properties = self.properties()?;
        Ok(StatementKind::CreateKeyspace(CreateKeyspace { if_not_exists, name, properties }))
    }

    fn alter_keyspace(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        let name = self.keyspace_name()?;
        self.expect_keyword(Keyword::With)?;
        let properties = self.properties()?;
        Ok(StatementKind::AlterKeyspace(AlterKeyspace { if_exists, name, properties }))
    }

    fn drop_keyspace(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        Ok(StatementKind::DropKeyspace(DropKeyspace { if_exists, name: self.keyspace_name()? }))
    }

    pub(super) fn use_keyspace(&mut self) -> ParseResult<StatementKind> {
        self.bump();
        Ok(StatementKind::Use(Use { keyspace: self.keyspace_name()? }))
    }

    fn create_type(&mut self) -> ParseResult<StatementKind> {
        let if_not_exists = self.if_not_exists()?;
        let name = self.user_type_name()?;
        self.expect(TokenKind::OpenParen)?;
        let mut fields = vec![self.field_definition()?];
        // The server allows repeated commas.
        while self.eat(TokenKind::Comma) {
            if !matches!(self.kind(), TokenKind::Comma | TokenKind::CloseParen) {
                fields.push(self.field_definition()?);
            }
        }
        self.expect(TokenKind::CloseParen)?;
        Ok(StatementKind::CreateType(CreateType { if_not_exists, name, fields }))
    }

    fn field_definition(&mut self) -> ParseResult<(Name, TypeName)> {
        Ok((self.name(Expectation::FieldName)?, self.type_name()?))
    }

    fn alter_type(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        let name = self.user_type_name()?;
        let change = match self.kind() {
            TokenKind::Keyword(Keyword::Alter) => {
                self.bump();
                let field = self.name(Expectation::FieldName)?;
                self.expect_keyword(Keyword::Type)?;
                TypeChange::Alter(field, self.type_name()?)
            }
            TokenKind::Keyword(Keyword::Add) => {
                self.bump();
                let if_not_exists = self.if_not_exists()?;
                let (field, type_name) = self.field_definition()?;
                TypeChange::Add { if_not_exists, field, type_name }
            }
            TokenKind::Keyword(Keyword::Rename) => {
                let (if_exists, fields) = self.renames(Expectation::FieldName)?;
                TypeChange::Rename { if_exists, fields }
            }
            _ => return self.fail(Expectation::TypeChange),
        };
        Ok(StatementKind::AlterType(AlterType { if_exists, name, change }))
    }

    fn drop_type(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        Ok(StatementKind::DropType(DropType { if_exists, name: self.user_type_name()? }))
    }

    fn create_index(&mut self) -> ParseResult<StatementKind> {
        let custom = self.eat_keyword(Keyword::Custom);
        self.expect_keyword(Keyword::Index)?;
        let if_not_exists = self.if_not_exists()?;
        let name =
            if self.is_at_keyword(Keyword::On) { None } else { Some(self.object_name(INDEX)?) };
        self.expect_keyword(Keyword::On)?;
        let table = self.table_name()?;
        self.expect(TokenKind::OpenParen)?;
        let targets = self.list_until(TokenKind::CloseParen, Self::index_target)?;
        let class = if self.eat_keyword(Keyword::Using) { Some(self.string()?) } else { None };
        let properties =
            if self.eat_keyword(Keyword::With) { self.properties()? } else { Vec::new() };
        let index = CreateIndex { custom, if_not_exists, name, table, targets, class, properties };
        Ok(StatementKind::CreateIndex(Box::new(index)))
    }

    fn index_target(&mut self) -> ParseResult<IndexTarget> {
        let kind = match self.kind() {
            TokenKind::Keyword(Keyword::Values) => IndexTargetKind::Values,
            TokenKind::Keyword(Keyword::Keys) => IndexTargetKind::Keys,
            TokenKind::Keyword(Keyword::Entries) => IndexTargetKind::Entries,
            TokenKind::Keyword(Keyword::Full) => IndexTargetKind::Full,
            _ => IndexTargetKind::Simple,
        };
        if kind == IndexTargetKind::Simple || self.kind_at(1) != TokenKind::OpenParen {
            return Ok(IndexTarget { column: self.column()?, kind: IndexTargetKind::Simple });
        }
        self.bump();
        self.bump();
        let column = self.column()?;
        self.expect(TokenKind::CloseParen)?;
        Ok(IndexTarget { column, kind })
    }

    fn drop_index(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        Ok(StatementKind::DropIndex(DropIndex { if_exists, name: self.qualified_name(INDEX)? }))
    }

    fn create_view(&mut self) -> ParseResult<StatementKind> {
        self.expect_keywords(&[Keyword::Materialized, Keyword::View])?;
        let if_not_exists = self.if_not_exists()?;
        let name = self.table_name()?;
        self.expect_keywords(&[Keyword::As, Keyword::Select])?;
        let selectors = self.selectors()?;
        self.expect_keyword(Keyword::From)?;
        let table = self.table_name()?;
        let relations =
            if self.eat_keyword(Keyword::Where) { self.relations()? } else { Vec::new() };
        let primary_key = self.primary_key()?;
        let options = if self.eat_keyword(Keyword::With) {
            self.table_options(true)?
        } else {
            TableOptions::default()
        };
        let view =
            CreateView { if_not_exists, name, selectors, table, relations, primary_key, options };
        Ok(StatementKind::CreateView(Box::new(view)))
    }

    fn alter_view(&mut self) -> ParseResult<StatementKind> {
        self.expect_keywords(&[Keyword::Materialized, Keyword::View])?;
        let if_exists = self.if_exists()?;
        let name = self.table_name()?;
        self.expect_keyword(Keyword::With)?;
        let properties = self.properties()?;
        Ok(StatementKind::AlterView(AlterView { if_exists, name, properties }))
    }

    fn drop_view(&mut self) -> ParseResult<StatementKind> {
        self.expect_keywords(&[Keyword::Materialized, Keyword::View])?;
        let if_exists = self.if_exists()?;
        Ok(StatementKind::DropView(DropView { if_exists, name: self.table_name()? }))
    }

    fn create_trigger(&mut self) -> ParseResult<StatementKind> {
        let if_not_exists = self.if_not_exists()?;
        let name = self.name(Expectation::TriggerName)?;
        self.expect_keyword(Keyword::On)?;
        let table = self.table_name()?;
        self.expect_keyword(Keyword::Using)?;
        let class = self.string()?;
        Ok(StatementKind::CreateTrigger(CreateTrigger { if_not_exists, name, table, class }))
    }

    fn drop_trigger(&mut self) -> ParseResult<StatementKind> {
        let if_exists = self.if_exists()?;
        let name = self.name(Expectation::TriggerName)?;
        self.expect_keyword(Keyword::On)?;
        let table = self.table_name()?;
        Ok(StatementKind::DropTrigger(DropTrigger { if_exists, name, table }))
    }
}
