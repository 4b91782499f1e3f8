//! The syntax tree of statements, with a file for each family. Parsing is in `parser`, printing in
//! `printer`.

pub mod describe;
pub mod function;
pub mod index;
pub mod keyspace;
pub mod role;
pub mod select;
pub mod shell;
pub mod table;
pub mod user_type;
pub mod view;
pub mod write;

use crate::span::Span;
use crate::term::Marker;

/// A statement with its markers and position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The kind of statement, with its contents.
    pub kind: StatementKind,
    /// The bind markers, in order.
    pub markers: Vec<Marker>,
    /// Its position in the source, without the semicolon.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is documented by the struct it holds")]
pub enum StatementKind {
    Select(Box<select::Select>),
    Insert(Box<write::Insert>),
    Update(Box<write::Update>),
    Delete(Box<write::Delete>),
    Batch(Box<write::Batch>),
    Use(keyspace::Use),
    CreateKeyspace(keyspace::CreateKeyspace),
    AlterKeyspace(keyspace::AlterKeyspace),
    DropKeyspace(keyspace::DropKeyspace),
    CreateTable(Box<table::CreateTable>),
    AlterTable(Box<table::AlterTable>),
    DropTable(table::DropTable),
    Truncate(table::Truncate),
    CreateIndex(Box<index::CreateIndex>),
    DropIndex(index::DropIndex),
    CreateView(Box<view::CreateView>),
    AlterView(view::AlterView),
    DropView(view::DropView),
    CreateType(user_type::CreateType),
    AlterType(user_type::AlterType),
    DropType(user_type::DropType),
    CreateFunction(Box<function::CreateFunction>),
    CreateAggregate(Box<function::CreateAggregate>),
    DropFunction(function::DropFunction),
    CreateTrigger(function::CreateTrigger),
    DropTrigger(function::DropTrigger),
    Role(role::RoleDefinition),
    DropRole(role::DropRole),
    ListRoles(role::ListRoles),
    GrantRole(role::GrantRole),
    GrantPermission(role::GrantPermission),
    ListPermissions(role::ListPermissions),
    AddIdentity(role::AddIdentity),
    DropIdentity(role::DropIdentity),
    Describe(describe::Describe),
    Shell(shell::ShellCommand),
    /// Text that could not be parsed; the errors have the reason.
    Invalid,
}

impl StatementKind {
    /// Whether it reads or writes rows: SELECT, INSERT, UPDATE, DELETE or a batch.
    pub fn is_data_manipulation(&self) -> bool {
        matches!(
            self,
            Self::Select(_) | Self::Insert(_) | Self::Update(_) | Self::Delete(_) | Self::Batch(_)
        )
    }
}
