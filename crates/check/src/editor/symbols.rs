//! The outline of a text: what it creates, and its named statements.

use cql::{Span, StatementKind};

use crate::Project;

/// Something that a text creates or names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole statement.
    pub span: Span,
    /// Its name within the statement.
    pub selection: Span,
    /// The columns of a table.
    pub children: Vec<Symbol>,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the variants say it")]
pub enum SymbolKind {
    Keyspace,
    Table,
    View,
    Index,
    Type,
    Function,
    Column,
    Statement,
}

/// The outline of a text.
pub fn symbols(project: &Project<'_>, text: usize) -> Vec<Symbol> {
    let statements = project.statements.iter().filter(|statement| statement.place.text == text);
    statements
        .filter_map(|replayed| {
            let statement = project.syntax(replayed)?;
            let symbol = |name: &cql::QualifiedName, kind| {
                Some((name.name.text.to_string(), kind, name.name.span))
            };
            let (name, kind, selection) = match &statement.kind {
                StatementKind::CreateKeyspace(create) => {
                    Some((create.name.text.to_string(), SymbolKind::Keyspace, create.name.span))
                }
                StatementKind::CreateTable(create) => symbol(&create.name, SymbolKind::Table),
                StatementKind::CreateView(create) => symbol(&create.name, SymbolKind::View),
                StatementKind::CreateType(create) => symbol(&create.name, SymbolKind::Type),
                StatementKind::CreateFunction(create) => symbol(&create.name, SymbolKind::Function),
                StatementKind::CreateIndex(create) => create
                    .name
                    .as_ref()
                    .map(|name| (name.text.to_string(), SymbolKind::Index, name.span)),
                _ => {
                    let name = replayed.annotations.name.as_ref();
                    name.map(|name| (name.to_string(), SymbolKind::Statement, statement.span))
                }
            }?;
            let children = match &statement.kind {
                StatementKind::CreateTable(create) => create
                    .columns
                    .iter()
                    .map(|column| Symbol {
                        name: column.name.text.to_string(),
                        kind: SymbolKind::Column,
                        span: column.span,
                        selection: column.name.span,
                        children: Vec::new(),
                    })
                    .collect(),
                _ => Vec::new(),
            };
            Some(Symbol { name, kind, span: statement.span, selection, children })
        })
        .collect()
}
