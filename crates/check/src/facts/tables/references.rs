//! Tables that a column of another points to.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use schema::catalog::{Column, Table};

use crate::vocabulary::entity_names::{
    entity_name, is_generic_id_name, is_named_after, reference_stem,
};
use crate::vocabulary::ids::is_id;
use crate::{Project, TableFacts};

/// Tables by the one column that is their partition key.
#[derive(Debug)]
pub(crate) struct EntityTables<'p> {
    by_key: BTreeMap<(&'p str, &'p str), Vec<&'p TableFacts>>,
}

impl<'p> EntityTables<'p> {
    /// All tables of a project whose partition key is one column that identifies something.
    pub(crate) fn new(project: &'p Project<'_>) -> Self {
        let mut by_key: BTreeMap<(&str, &str), Vec<&TableFacts>> = BTreeMap::new();
        for facts in project.tables.iter().filter(|facts| facts.view.is_none()) {
            if let [key] = facts.table.partition_key()
                && facts.table.clustering().is_empty()
                && !facts.table.is_counter()
                && is_id(key)
            {
                by_key.entry((&facts.table.keyspace, &key.name)).or_default().push(facts);
            }
        }
        Self { by_key }
    }

    /// The table of the things that a column of another table points to: it is keyed by a column of the same name, or by `id`, and is
    /// called after them.
    pub(crate) fn reference_target(
        &self,
        table: &Table,
        column: &Column,
    ) -> Option<&'p TableFacts> {
        if !is_id(column) {
            return None;
        }
        let is_generic = is_generic_id_name(&column.name);
        // The `id` of what a table of another key holds: `users` of `users_by_email`.
        let thing =
            if is_generic { entity_name(&table.name) } else { reference_stem(&column.name) };
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
        if is_generic {
            let is_copy = entity_name(&table.name) != &*table.name;
            return keyed_by(&column.name).filter(|_| is_copy && !column.is_primary_key());
        }
        let named_so = keyed_by(&column.name);
        // The column has the name of the thing, and the key that with an ending: `status`, and `status_id` of `status`.
        let keyed_after = || {
            let keys = self.by_key.range((keyspace, thing)..);
            let keys =
                keys.take_while(|((own, key), _)| *own == keyspace && key.starts_with(thing));
            let mut keys =
                keys.map(|((_, key), _)| *key).filter(|key| reference_stem(key) == thing);
            keys.find_map(keyed_by)
        };
        named_so.or_else(|| keyed_by("id")).or_else(keyed_after)
    }
}
