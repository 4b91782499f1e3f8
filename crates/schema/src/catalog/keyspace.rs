//! [`Keyspace`].

use std::collections::BTreeMap;
use std::sync::Arc;

use cql::types::{Type, UserType};

use super::{NameMap, Table, UserAggregate, UserFunction, View};

/// A keyspace with all of its objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyspace {
    /// The name of the keyspace.
    pub name: Box<str>,
    /// The replication strategy.
    pub replication: Replication,
    /// Whether writes go through the commit log.
    pub durable_writes: bool,
    /// Whether it is a system keyspace, which users cannot alter.
    pub system: bool,
    /// Whether its tables are computed rather than stored (`system_views`,
    /// `system_virtual_schema`).
    pub is_virtual: bool,
    /// Tables by name.
    pub tables: NameMap<Arc<Table>>,
    /// The sequence number of the table that was changed last, kept because every change needs it.
    pub newest: u32,
    /// Materialized views by name.
    pub views: NameMap<Arc<View>>,
    /// User types by name.
    pub types: NameMap<Arc<UserType>>,
    /// User functions, all overloads.
    pub functions: Vec<Arc<UserFunction>>,
    /// User aggregates, all overloads.
    pub aggregates: Vec<Arc<UserAggregate>>,
}

/// A replication strategy with its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replication {
    /// The full class name.
    pub class: Box<str>,
    /// The options except the class, by name.
    pub options: BTreeMap<Box<str>, Box<str>>,
}

impl Keyspace {
    /// A keyspace of users without objects, whose writes go through the commit log.
    pub(crate) fn new(name: Box<str>, replication: Replication) -> Self {
        Self {
            name,
            replication,
            durable_writes: true,
            system: false,
            is_virtual: false,
            tables: NameMap::default(),
            newest: 0,
            views: NameMap::default(),
            types: NameMap::default(),
            functions: Vec::new(),
            aggregates: Vec::new(),
        }
    }

    /// Whether there is a function or aggregate with this name and these arguments, frozen or not.
    pub fn has_function(&self, name: &str, types: &[Type]) -> bool {
        let fits = |own: &str, arguments: &mut dyn Iterator<Item = &Type>| {
            own == name && arguments.map(Type::freeze).eq(types.iter().map(Type::freeze))
        };
        let mut functions = self.functions.iter();
        let mut aggregates = self.aggregates.iter();
        functions.any(|own| fits(&own.name, &mut own.arguments.iter().map(|(_, ty)| ty)))
            || aggregates.any(|own| fits(&own.name, &mut own.arguments.iter()))
    }

    /// Whether a keyspace is a local system keyspace, including virtual ones. Case does not matter.
    pub fn is_local_system(name: &str) -> bool {
        ["system", "system_schema", "system_views", "system_virtual_schema"]
            .iter()
            .any(|system| name.eq_ignore_ascii_case(system))
    }

    /// Whether a keyspace is a replicated system keyspace. Case does not matter.
    pub fn is_replicated_system(name: &str) -> bool {
        ["system_auth", "system_distributed", "system_traces"]
            .iter()
            .any(|system| name.eq_ignore_ascii_case(system))
    }

    /// Adds or replaces a table, which becomes the one changed last.
    pub(crate) fn put_table(&mut self, mut table: Table) {
        self.newest = self.newest.saturating_add(1);
        table.sequence = self.newest;
        self.tables.insert(table.name.clone(), Arc::new(table));
    }

    /// Removes a table.
    pub(crate) fn remove_table(&mut self, name: &str) {
        let gone = self.tables.remove(name);
        if gone.is_some_and(|gone| gone.sequence == self.newest) {
            self.newest = self.tables.values().map(|own| own.sequence).max().unwrap_or(0);
        }
    }

    /// The tables in the order of their last change.
    pub fn tables_by_change(&self) -> Vec<&Arc<Table>> {
        let mut tables: Vec<_> = self.tables.values().collect();
        tables.sort_by_key(|table| table.sequence);
        tables
    }

    /// The table with that name, or the table of the view with that name.
    pub fn table_or_view(&self, name: &str) -> Option<&Arc<Table>> {
        self.tables.get(name).or_else(|| self.views.get(name).map(|view| &view.table))
    }

    /// The views on a table, by name.
    pub fn views_of<'a>(&'a self, table: &'a str) -> impl Iterator<Item = &'a Arc<View>> {
        self.views.values().filter(move |view| &*view.base_table == table)
    }

    /// The index with that name, and its table.
    pub fn index(&self, name: &str) -> Option<(&Arc<Table>, &super::Index)> {
        self.tables.values().find_map(|table| {
            Some((table, table.indexes.iter().find(|index| &*index.name == name)?))
        })
    }
}
