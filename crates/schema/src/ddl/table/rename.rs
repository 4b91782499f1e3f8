//! ALTER TABLE ... RENAME: key columns only, in the table and in its views.

use std::sync::Arc;

use cql::Name;
use cql::relation::{Relation, RelationKind};

use super::super::CatalogChange;
use super::alter::AlterTarget;
use crate::Result;
use crate::catalog::{Table, View};
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{ColumnReason, NameReason, refuse};

/// Renames columns. The server keeps the pairs in a hash map: the last pair of a name counts.
pub(super) fn rename(target: &AlterTarget<'_>, pairs: &[(Name, Name)]) -> Result<CatalogChange> {
    let mut distinct: Vec<&(Name, Name)> = Vec::new();
    for pair in pairs {
        distinct.retain(|earlier| earlier.0 != pair.0);
        distinct.push(pair);
    }
    let pairs = sort_by_hash(distinct, |pair| identifier_hash(&pair.0.text));
    for (old, new) in pairs.iter().copied() {
        check(target, old, new)?;
    }
    for (at, pair) in pairs.iter().enumerate() {
        if pairs.iter().take(at).any(|earlier| earlier.1 == pair.1) {
            return refuse(ColumnReason::RenameEmpty, pair.1.span);
        }
    }
    let mut table = Table::clone(target.table);
    rename_columns(&mut table, &pairs);
    Ok(target.with_views(table, |view| rename_in_view(view, &pairs)))
}

fn check(target: &AlterTarget<'_>, old: &Name, new: &Name) -> Result<()> {
    let table = target.table.qualified_name();
    let Some(column) = target.table.column(&old.text) else {
        let name = cql::printer::identifier(&old.text);
        return refuse(NameReason::UndefinedRenamed { column: name, table }, old.span);
    };
    let (old_text, new_text) = (&old.text, &new.text);
    if !column.is_primary_key() {
        return refuse(ColumnReason::RenameRegular { column: old_text.to_string() }, old.span);
    }
    let taken = target.table.hidden.iter().any(|column| column.name == *new_text);
    if taken || target.table.column(new_text).is_some() {
        return refuse(
            ColumnReason::RenameTaken {
                old: old_text.to_string(),
                new: new_text.to_string(),
                table,
            },
            new.span,
        );
    }
    let dependents: Vec<_> = target.indexes_on(old_text).collect();
    if !dependents.is_empty() {
        return refuse(
            ColumnReason::RenameIndexed {
                column: old_text.to_string(),
                indexes: dependents.join(", "),
            },
            old.span,
        );
    }
    Ok(())
}

fn rename_columns(table: &mut Table, pairs: &[&(Name, Name)]) {
    let mut columns = table.columns().to_vec();
    for column in &mut columns {
        if let Some((_, new)) = pairs.iter().find(|(old, _)| old.text == column.name) {
            column.name.clone_from(&new.text);
        }
    }
    table.set_columns(columns);
}

fn rename_in_view(view: &mut View, pairs: &[&(Name, Name)]) {
    rename_columns(Arc::make_mut(&mut view.table), pairs);
    for relation in &mut view.relations {
        for name in columns_mut(relation) {
            if let Some((_, new)) = pairs.iter().find(|(old, _)| *old == *name) {
                name.text.clone_from(&new.text);
            }
        }
    }
}

fn columns_mut(relation: &mut Relation) -> &mut [Name] {
    match &mut relation.kind {
        RelationKind::Column(name, ..)
        | RelationKind::In { column: name, .. }
        | RelationKind::IsNotNull(name)
        | RelationKind::Element(name, ..)
        | RelationKind::Between(name, _) => std::slice::from_mut(name),
        RelationKind::Token(names, ..)
        | RelationKind::Tuple(names, ..)
        | RelationKind::TupleIn(names, _) => names,
        RelationKind::CustomIndex(..) => &mut [],
    }
}
