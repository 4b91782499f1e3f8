//! A key column dropped: the last clustering column of a table becomes one without a mark.
//!
//! It is left alone where the rest of the key determines it (no two rows would ever meet), where statics would be left without
//! a clustering column, in counter tables (which have no columns of another kind), and in tables that have views.

use cql::StatementKind;
use cql::relation::{Relation, RelationKind};
use cql::statement::select::Select;
use cql::term::TermKind;
use model::id::{Numbered, TableId};
use model::plan::{PlannedColumn, PlannedTable, Role};

use super::statement::each_on;
use super::text::{edit, restricts};
use super::{Mutant, Original, known, unmark};

const KIND: &str = "a key column dropped";

pub(super) fn dropped(of: Original<'_>) -> Vec<Mutant> {
    let tables = of.design.tables.numbered();
    tables
        .filter_map(|(at, table)| {
            let column = completing(of, at, table)?.name.clone();
            let what = format!("{} is no key column of {}", column, table.name);
            of.mutant(KIND, what, |design| {
                unmark(design, at, &column)?;
                each_on(design, at, |cql, operands| {
                    edit(cql, operands, |kind| without(kind, &column))
                })
            })
        })
        .collect()
}

/// The last clustering column, if rows differ in it alone.
fn completing<'a>(
    of: Original<'a>,
    at: TableId,
    table: &'a PlannedTable,
) -> Option<&'a PlannedColumn> {
    let has_views = of.design.tables.iter().any(|other| other.view_of == Some(at));
    let has_statics = table.columns.iter().any(|column| column.role == Role::Static);
    let clustering: Vec<_> = table.clustering().collect();
    let least = if has_statics { 2 } else { 1 };
    if has_views
        || table.view_of.is_some()
        || table.remembers.is_some()
        || table.is_counter()
        || clustering.len() < least
    {
        return None;
    }
    let last = *clustering.last()?;
    let rest = table.columns.iter().filter(|column| column.is_key() && column.name != last.name);
    let rest: Vec<_> = rest.filter_map(known).collect();
    let dependencies = of.dependencies(table);
    (!dependencies.closure(&rest).has(known(last)?)).then_some(last)
}

/// A statement that no longer finds rows by a column.
fn without(kind: &mut StatementKind, column: &str) -> Option<()> {
    match kind {
        StatementKind::Select(select) => filter(select, column),
        StatementKind::Update(update) => {
            update.relations.retain(|relation| !restricts(&relation.kind, column));
            Some(())
        }
        StatementKind::Delete(delete) => {
            delete.relations.retain(|relation| !restricts(&relation.kind, column));
            Some(())
        }
        _ => Some(()),
    }
}

/// A SELECT that filters by the column what it found by it.
fn filter(select: &mut Select, column: &str) -> Option<()> {
    if !select.group_by.is_empty() {
        return None;
    }
    select.order_by.retain(|ordering| &*ordering.column.text != column);
    let before: Vec<Relation> = std::mem::take(&mut select.relations);
    for mut relation in before {
        match &mut relation.kind {
            RelationKind::Column(name, ..) if &*name.text == column => {
                select.allow_filtering = Some(relation.span);
            }
            RelationKind::Tuple(names, operator, term)
                if names.iter().any(|n| &*n.text == column) =>
            {
                let TermKind::Tuple(values) = &mut term.kind else { return None };
                let at = names.iter().position(|name| &*name.text == column)?;
                names.remove(at);
                (at < values.len()).then(|| values.remove(at))?;
                if let ([name], [value]) = (names.as_slice(), values.as_slice()) {
                    relation.kind = RelationKind::Column(name.clone(), *operator, value.clone());
                }
            }
            kind if restricts(kind, column) => continue,
            _ => {}
        }
        select.relations.push(relation);
    }
    Some(())
}
