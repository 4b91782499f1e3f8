//! Tables that are the same but for their names.

use std::collections::{BTreeMap, HashMap};

use cql::types::Type;
use schema::catalog::{ColumnKind, Table};

use crate::Project;

/// From so many tables on they are a family.
const FAMILY_MIN: usize = 5;

/// What makes two tables the same: their columns with their types and roles.
type TableShape<'p> = Vec<(&'p str, ColumnKind, usize, &'p Type)>;

fn table_shape(table: &Table) -> TableShape<'_> {
    let columns = table.columns().iter();
    columns.map(|column| (&*column.name, column.kind, column.position, &column.ty)).collect()
}

/// Families of tables that are the same but for the end of their names, with what their names start with: positions among the
/// tables of the project.
pub(crate) fn table_families<'p>(project: &'p Project<'_>) -> &'p [(Box<str>, Vec<usize>)] {
    project.clones.get_or_init(|| find_families(project))
}

fn find_families(project: &Project<'_>) -> Vec<(Box<str>, Vec<usize>)> {
    let mut by_start: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, facts) in project.tables.iter().enumerate() {
        if facts.view.is_none()
            && let Some(start) = family_prefix(&facts.table.name)
        {
            by_start.entry((start, &facts.table.keyspace)).or_default().push(at);
        }
    }
    let large = by_start.into_iter().filter(|(_, tables)| tables.len() >= FAMILY_MIN);
    large.flat_map(|((start, _), tables)| group_by_shape(project, start, tables)).collect()
}

/// The families among tables of one start and one keyspace, in the order of their first tables.
fn group_by_shape(
    project: &Project<'_>,
    start: &str,
    tables: Vec<usize>,
) -> impl Iterator<Item = (Box<str>, Vec<usize>)> {
    let mut known: HashMap<TableShape<'_>, usize> = HashMap::new();
    let mut families: Vec<Vec<usize>> = Vec::new();
    for at in tables {
        let Some(facts) = project.tables.get(at) else { continue };
        let family = *known.entry(table_shape(&facts.table)).or_insert(families.len());
        match families.get_mut(family) {
            Some(family) => family.push(at),
            None => families.push(vec![at]),
        }
    }
    let large = families.into_iter().filter(|tables| tables.len() >= FAMILY_MIN);
    large.map(move |tables| (start.into(), tables))
}

/// The name without what may tell a tenant, a period or a shard: `events` of `events_2024_01`, `events7` and `events_acme`.
fn family_prefix(name: &str) -> Option<&str> {
    let without_digits =
        name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '_');
    let start =
        if without_digits.len() < name.len() { without_digits } else { name.rsplit_once('_')?.0 };
    (start.len() >= 3).then_some(start)
}
