//! Tables that are the same but for their names.

use std::collections::BTreeMap;

use model::catalog::{Column, ColumnKind, Table};

use crate::Project;

/// From so many tables on they are a family.
const FAMILY: usize = 5;

/// What makes two tables the same: keyspace, columns with their types and roles.
pub type Shape<'p> = (&'p str, Vec<(&'p str, (ColumnKind, usize, String))>);

/// The shape of a table.
pub fn shape(table: &Table) -> Shape<'_> {
    let of = |column: &'_ Column| (column.kind, column.position, column.ty.to_string());
    let columns = table.columns().iter().map(|column| (&*column.name, of(column)));
    (&table.keyspace, columns.collect())
}

/// Families of tables that are the same but for the end of their names, with what their names start with: positions among the
/// tables of the project.
pub fn clones<'p>(project: &'p Project<'_>) -> Vec<(&'p str, Vec<usize>)> {
    let mut families: BTreeMap<(&str, Shape<'_>), Vec<usize>> = BTreeMap::new();
    for (at, facts) in project.tables.iter().enumerate() {
        if facts.view.is_none()
            && let Some(start) = start_of(&facts.table.name)
        {
            families.entry((start, shape(&facts.table))).or_default().push(at);
        }
    }
    let large = families.into_iter().filter(|(_, tables)| tables.len() >= FAMILY);
    large.map(|((start, _), tables)| (start, tables)).collect()
}

/// The name without what may tell a tenant, a period or a shard: `events` of `events_2024_01`, `events7` and `events_acme`.
fn start_of(name: &str) -> Option<&str> {
    let without_digits =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
    let start =
        if without_digits.len() < name.len() { without_digits } else { name.rsplit_once('_')?.0 };
    (start.len() >= 3).then_some(start)
}
