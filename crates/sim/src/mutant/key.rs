//! Mutants of keys: the last clustering column of a table becomes a regular column.
//!
//! It is left alone where the rest of the key determines it (no two rows would ever collide), where
//! statics would be left without a clustering column, in counter tables (which have no columns of
//! another kind), and in tables that have views.

use model::id::{IdList, TableId};
use model::plan::{ColumnRole, Modification, PlannedColumn, PlannedTable, Relation, Select};

use super::statement::{table_reads_mut, table_writes_mut};
use super::{Mutant, OriginalDesign, demote_column, determinant};

const KIND: &str = "a key column dropped";

pub(super) fn drop_key_columns(of: OriginalDesign<'_>) -> Vec<Mutant> {
    let tables = of.design.tables.enumerate_ids();
    tables
        .filter_map(|(at, table)| {
            let column = find_completion(of, at, table)?.name.clone();
            let what = format!("{} is not a key column of {}", column, table.name);
            of.build_mutant(KIND, what, |design| {
                demote_column(design, at, &column)?;
                for step in table_reads_mut(design, at) {
                    filter_column(&mut step.select, &column)?;
                }
                for statement in table_writes_mut(design, at) {
                    unrestrict(&mut statement.modification, &column);
                }
                Some(())
            })
        })
        .collect()
}

/// The last clustering column, if rows differ in it alone.
fn find_completion<'a>(
    of: OriginalDesign<'a>,
    at: TableId,
    table: &'a PlannedTable,
) -> Option<&'a PlannedColumn> {
    let has_views = of.design.tables.iter().any(|other| other.view_of == Some(at));
    let has_statics = table.columns.iter().any(|column| column.role == ColumnRole::Static);
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
    let rest: Vec<_> = rest.filter_map(determinant).collect();
    let dependencies = of.dependencies(table);
    (!dependencies.closure(&rest).contains(determinant(last)?)).then_some(last)
}

/// Removes the restriction of a column.
fn unrestrict(modification: &mut Modification, column: &str) {
    let relations = match modification {
        Modification::Insert(_) => return,
        Modification::Update(update) => &mut update.relations,
        Modification::Delete(delete) => &mut delete.relations,
    };
    relations.retain(|relation| !relation.has_column(column));
}

/// Makes a SELECT filter by the column instead of finding rows by it.
fn filter_column(select: &mut Select, column: &str) -> Option<()> {
    if !select.group_by.is_empty() {
        return None;
    }
    select.order_by.retain(|(name, _)| name != column);
    for mut relation in std::mem::take(&mut select.relations) {
        match &mut relation {
            Relation::Column { column: name, .. } if name == column => {
                select.allow_filtering = true;
            }
            Relation::Row { columns, operator, values } => {
                if let Some(at) = columns.iter().position(|name| name == column) {
                    columns.remove(at);
                    (at < values.len()).then(|| values.remove(at))?;
                }
                if let ([name], [value]) = (columns.as_slice(), values.as_slice()) {
                    let (column, operator, value) = (name.clone(), *operator, value.clone());
                    relation = Relation::Column { column, operator, value };
                }
            }
            other if other.has_column(column) => continue,
            _ => {}
        }
        select.relations.push(relation);
    }
    Some(())
}
