//! Tables that hold the same things: copies for other queries, and tables that a column of another points to.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use schema::catalog::{Column, Table};

use crate::column_class;
use crate::{Project, TableFacts};

/// So many tables with one key column are not compared with each other: the column says nothing then.
const TABLES_MAX: usize = 64;

/// Pairs of tables that hold the same things, as positions among the tables of the project: all columns of one are columns of the
/// other, of the same types, and both have an id of the things in their primary keys.
pub fn copies<'p>(project: &'p Project<'_>) -> &'p BTreeSet<(usize, usize)> {
    project.copies.get_or_init(|| find_copies(project))
}

fn find_copies(project: &Project<'_>) -> BTreeSet<(usize, usize)> {
    let mut by_id: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, facts) in project.tables.iter().enumerate() {
        let table = &*facts.table;
        if facts.view.is_some() || table.is_counter() || table.columns().len() < 3 {
            continue;
        }
        let ids = table.primary_key().iter().filter(|column| column_class::is_id(column));
        for id in ids.filter(|id| !column_class::is_tenant(id)) {
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
    let (small, large) =
        if one.columns().len() <= other.columns().len() { (one, other) } else { (other, one) };
    let is_in_large =
        |column: &Column| large.column(&column.name).is_some_and(|same| same.ty == column.ty);
    let differ = one
        .primary_key()
        .iter()
        .map(|column| &column.name)
        .ne(other.primary_key().iter().map(|column| &column.name));
    let shares_value = small
        .regulars()
        .iter()
        .any(|column| large.column(&column.name).is_some_and(|same| !same.is_primary_key()));
    // Every table may have a column `id`: it says nothing unless the names of the tables agree.
    let id_says_it =
        !matches!(id, "id" | "key" | "uuid") || entity_name(&one.name) == entity_name(&other.name);
    differ && id_says_it && shares_value && small.columns().iter().all(is_in_large)
}

/// The name of what a table holds: `videos` of `videos_by_user`.
pub fn entity_name(table: &str) -> &str {
    table.find("_by_").and_then(|at| table.get(..at)).unwrap_or(table)
}

/// Tables by the one column that is their partition key.
#[derive(Debug)]
pub struct EntityTables<'p> {
    by_key: BTreeMap<(&'p str, &'p str), Vec<&'p TableFacts>>,
}

impl<'p> EntityTables<'p> {
    /// All tables of a project whose partition key is one column that identifies something.
    pub fn new(project: &'p Project<'_>) -> Self {
        let mut by_key: BTreeMap<(&str, &str), Vec<&TableFacts>> = BTreeMap::new();
        for facts in project.tables.iter().filter(|facts| facts.view.is_none()) {
            if let [key] = facts.table.partition_key()
                && facts.table.clustering().is_empty()
                && !facts.table.is_counter()
                && column_class::is_id(key)
            {
                by_key.entry((&facts.table.keyspace, &key.name)).or_default().push(facts);
            }
        }
        Self { by_key }
    }

    /// The table of the things that a column of another table points to: it is keyed by a column of the same name, or by `id`, and is
    /// called after them.
    pub fn reference_target(&self, table: &Table, column: &Column) -> Option<&'p TableFacts> {
        if !column_class::is_id(column) {
            return None;
        }
        let thing = column.name.strip_suffix("_id").or_else(|| column.name.strip_suffix("id"));
        let thing = thing.unwrap_or(&column.name).trim_end_matches('_');
        let keyspace: &str = &table.keyspace;
        let keyed_by = |name: &str| {
            let known = self.by_key.get(&(keyspace, name)).map_or(&[][..], Vec::as_slice);
            let is_it = |facts: &&&TableFacts| {
                let key = facts.table.partition_key().first();
                facts.table.name != table.name
                    && key.is_some_and(|key| key.ty == column.ty)
                    && is_named_after(&facts.table.name, thing)
            };
            // Names with words in common belong together; of others the shortest is that of the things themselves: `users` and not
            // `user_settings`.
            let shared = |facts: &TableFacts| {
                facts
                    .table
                    .name
                    .split('_')
                    .filter(|word| table.name.split('_').any(|own| own == *word))
                    .count()
            };
            known
                .iter()
                .filter(is_it)
                .min_by_key(|facts| (Reverse(shared(facts)), facts.table.name.len()))
                .copied()
        };
        let named_so = keyed_by(&column.name).filter(|_| &*column.name != "id");
        named_so.or_else(|| keyed_by("id"))
    }
}

/// Whether a table is called after a thing: `users`, `active_users` and `user_settings` after `user`.
fn is_named_after(table: &str, thing: &str) -> bool {
    let one = |word: &str| match word.strip_suffix("ies") {
        Some(start) => format!("{start}y"),
        None => word.to_owned(),
    };
    thing.len() > 1 && (table == thing || table.split('_').any(|word| one(word).starts_with(thing)))
}
