//! Tables that hold the same things: copies for other queries.

use std::collections::{BTreeMap, BTreeSet};

use schema::catalog::{Column, Table};

use crate::Project;
use crate::vocabulary::entity_names::{entity_name, is_generic_id_name};
use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::is_bucket;
use crate::vocabulary::tenants::is_tenant;

/// So many tables with one key column are not compared with each other: the column says nothing then.
const TABLES_MAX: usize = 64;

/// Pairs of tables that hold the same things, as positions among the tables of the project: all columns of one but its buckets are
/// columns of the other, of the same types, and both have an id of the things in their primary keys, or one finds the id by something
/// else.
pub(crate) fn copies<'p>(project: &'p Project<'_>) -> &'p BTreeSet<(usize, usize)> {
    project.copies.get_or_init(|| find_copies(project))
}

fn find_copies(project: &Project<'_>) -> BTreeSet<(usize, usize)> {
    let mut by_id: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, facts) in project.tables.iter().enumerate() {
        let table = &*facts.table;
        if facts.view.is_some() || table.is_counter() || table.columns().len() < 3 {
            continue;
        }
        // A table that finds one row by something else has the id beside it.
        let is_lookup = table.clustering().is_empty()
            && entity_name(&table.name) != &*table.name
            && !table.partition_key().iter().any(is_id);
        let beside = if is_lookup { table.regulars() } else { &[] };
        let ids = table.primary_key().iter().chain(beside).filter(|column| is_id(column));
        for id in ids.filter(|id| !is_tenant(id)) {
            by_id.entry((&table.keyspace, &id.name)).or_default().push(at);
        }
    }
    let mut pairs = BTreeSet::new();
    for ((_, id), tables) in by_id {
        if tables.len() > TABLES_MAX {
            continue;
        }
        for (position, one) in tables.iter().enumerate() {
            for other in tables.iter().skip(position + 1) {
                if is_copy(&project.tables[*one].table, &project.tables[*other].table, id) {
                    pairs.insert((*one, *other));
                }
            }
        }
    }
    pairs
}

fn is_copy(one: &Table, other: &Table, id: &str) -> bool {
    is_copy_of(one, other, id) || is_copy_of(other, one, id)
}

/// Whether the columns of a table, but for its buckets, are those of another.
fn is_copy_of(small: &Table, large: &Table, id: &str) -> bool {
    let is_in_large =
        |column: &Column| large.column(&column.name).is_some_and(|same| same.ty == column.ty);
    let differ = small
        .primary_key()
        .iter()
        .map(|column| &column.name)
        .ne(large.primary_key().iter().map(|column| &column.name));
    let shares_value = small
        .regulars()
        .iter()
        .any(|column| large.column(&column.name).is_some_and(|same| !same.is_primary_key()));
    // Every table may have a column `id`: it says nothing unless the names of the tables agree.
    let id_says_it =
        !is_generic_id_name(id) || entity_name(&small.name) == entity_name(&large.name);
    let is_held =
        |column: &Column| is_in_large(column) || column.is_primary_key() && is_bucket(column);
    differ && id_says_it && shares_value && small.columns().iter().all(is_held)
}
