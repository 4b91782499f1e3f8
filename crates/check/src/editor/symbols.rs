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
    /// Its name in it.
    pub selection: Span,
    /// What is within it: columns, fields.
    pub children: Vec<Symbol>,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
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
    let here = project.statements.iter().filter(|seen| seen.place.text == text);
    here.filter_map(|seen| {
        let statement = project.syntax(seen)?;
        let made = |name: &cql::QualifiedName, kind| {
            Some((name.name.text.to_string(), kind, name.name.span))
        };
        let (name, kind, selection) = match &statement.kind {
            StatementKind::CreateKeyspace(create) => {
                Some((create.name.text.to_string(), SymbolKind::Keyspace, create.name.span))
            }
            StatementKind::CreateTable(create) => made(&create.name, SymbolKind::Table),
            StatementKind::CreateView(create) => made(&create.name, SymbolKind::View),
            StatementKind::CreateType(create) => made(&create.name, SymbolKind::Type),
            StatementKind::CreateFunction(create) => made(&create.name, SymbolKind::Function),
            StatementKind::CreateIndex(create) => create
                .name
                .as_ref()
                .map(|name| (name.text.to_string(), SymbolKind::Index, name.span)),
            _ => {
                let name = seen.annotations.name.as_ref();
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
