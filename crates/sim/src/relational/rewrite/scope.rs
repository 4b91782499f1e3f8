//! The tables of a statement, and the resolution of column names.

use model::concept::{Attribute, Concept};
use model::id::{EntityId, IdList};
use sqlparser::ast::{Ident, ObjectName};

use crate::relational::sqlite_tables::quote_name;

/// The tables of a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct StatementScope {
    /// Their aliases and entities, in the order of the text.
    pub(super) tables: Vec<(String, EntityId)>,
    /// The positions of those joined by LEFT JOIN.
    pub(super) left: Vec<usize>,
    /// The columns merged by USING.
    pub(super) merged: Vec<String>,
    /// Columns are written without their tables: `SQLite` knows no alias in RETURNING.
    pub(super) bare: bool,
}

/// The column of a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResolvedColumn<'a> {
    /// The position of its table in the scope.
    pub(super) table: usize,
    pub(super) attribute: &'a Attribute,
}

impl StatementScope {
    /// The column of a name.
    pub(super) fn find<'c>(
        &self,
        concept: &'c Concept,
        names: &[Ident],
    ) -> Result<ResolvedColumn<'c>, String> {
        let (table, column) = match names {
            [column] => (None, fold_name(column)),
            [.., table, column] => (Some(fold_name(table)), fold_name(column)),
            [] => return Err("an identifier is empty".to_owned()),
        };
        let found = self.tables.iter().enumerate().find_map(|(position, (alias, entity))| {
            if table.as_ref().is_some_and(|table| table != alias) {
                return None;
            }
            let entity = concept.entities.member(*entity)?;
            let attribute = entity.attributes.iter().find(|attribute| attribute.name == column)?;
            Some(ResolvedColumn { table: position, attribute })
        });
        found.ok_or_else(|| format!("column {column} does not exist"))
    }

    /// Whether the column may be null in the result.
    pub(super) fn is_nullable(&self, found: &ResolvedColumn<'_>) -> bool {
        found.attribute.nullable || self.left.contains(&found.table)
    }

    /// A column with its table before it.
    pub(super) fn qualify_name(&self, found: &ResolvedColumn<'_>) -> String {
        let alias = self.tables.get(found.table).map_or("", |(alias, _)| alias);
        self.qualify_attribute(alias, found.attribute)
    }

    /// An attribute with the alias of its table before it.
    pub(super) fn qualify_attribute(&self, alias: &str, attribute: &Attribute) -> String {
        let name = quote_name(&attribute.name);
        if self.bare { name } else { format!("{}.{name}", quote_name(alias)) }
    }
}

/// A name as the database sees it: lower case unless it is quoted.
pub(in crate::relational) fn fold_name(name: &Ident) -> String {
    if name.quote_style.is_some() { name.value.clone() } else { name.value.to_lowercase() }
}

/// The last part of a name.
pub(in crate::relational) fn last_part(name: &ObjectName) -> Result<String, String> {
    let part = name.0.last().and_then(|part| part.as_ident());
    part.map(fold_name).ok_or_else(|| super::refusal_message(name))
}
