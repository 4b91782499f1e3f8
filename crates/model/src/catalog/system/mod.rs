//! The server's own keyspaces, read once from a list of their tables.

mod type_text;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::{Catalog, Column, ColumnKind, Keyspace, Replication, Table};

/// The list; its head says how it is written.
const TABLES: &str = include_str!("tables.txt");

static SYSTEM: LazyLock<Catalog> = LazyLock::new(read);

impl Catalog {
    /// The catalog of a node that has just been started: its own keyspaces, one data centre, nothing else.
    pub fn with_system_tables() -> Self {
        SYSTEM.clone()
    }
}

fn read() -> Catalog {
    let mut catalog = Catalog { datacenters: ["datacenter1".into()].into(), ..Catalog::default() };
    let mut current: Option<Keyspace> = None;
    for line in TABLES.lines().filter(|line| !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('@') {
            let keyspace = keyspace(header);
            if let Some(done) = current.replace(keyspace) {
                catalog.keyspaces.insert(done.name.clone(), Arc::new(done));
            }
        } else if let Some(keyspace) = &mut current {
            let table = table(keyspace, line);
            keyspace.tables.insert(table.name.clone(), Arc::new(table));
        }
    }
    if let Some(done) = current {
        catalog.keyspaces.insert(done.name.clone(), Arc::new(done));
    }
    catalog
}

fn keyspace(header: &str) -> Keyspace {
    let (name, replication) = header.split_once(' ').unwrap_or((header, ""));
    let mut options: BTreeMap<Box<str>, Box<str>> = replication
        .split(',')
        .filter_map(|option| option.split_once('='))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let class = options.remove("class").unwrap_or_default();
    Keyspace {
        name: name.into(),
        replication: Replication { class, options },
        durable_writes: true,
        system: true,
        is_virtual: replication == "virtual",
        tables: BTreeMap::new(),
        views: BTreeMap::new(),
        types: BTreeMap::new(),
        functions: Vec::new(),
        aggregates: Vec::new(),
    }
}

fn table(keyspace: &Keyspace, line: &str) -> Table {
    let mut parts = line.split('|').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let kinds =
        [ColumnKind::Partition, ColumnKind::Clustering, ColumnKind::Static, ColumnKind::Regular];
    let mut columns = Vec::new();
    for (kind, part) in kinds.into_iter().zip(parts) {
        columns.extend(
            part.split_whitespace().enumerate().filter_map(|(at, text)| column(kind, at, text)),
        );
    }
    let mut table = Table::new(&keyspace.name, name, columns);
    table.is_virtual = keyspace.is_virtual;
    table
}

fn column(kind: ColumnKind, at: usize, text: &str) -> Option<Column> {
    let (name, ty) = text.split_once(':')?;
    let position =
        if matches!(kind, ColumnKind::Partition | ColumnKind::Clustering) { at } else { 0 };
    let descending = name.starts_with('-');
    let name = name.trim_start_matches('-').into();
    Some(Column { name, ty: type_text::read(ty)?, kind, position, descending, mask: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_read() {
        let catalog = Catalog::with_system_tables();
        assert_eq!(catalog.keyspaces.len(), 7);
        let tables: usize = catalog.keyspaces.values().map(|keyspace| keyspace.tables.len()).sum();
        assert_eq!(tables + 7 + 2, TABLES.lines().count());
        let columns = catalog.keyspaces.values().flat_map(|keyspace| keyspace.tables.values());
        let columns: usize = columns.map(|table| table.columns().len()).sum();
        assert_eq!(
            columns,
            TABLES.lines().skip(2).map(|line| line.matches(':').count()).sum::<usize>()
        );
    }

    #[test]
    fn a_column_is_what_the_node_says() {
        let catalog = Catalog::with_system_tables();
        let table = catalog.table("system", "top_partitions").unwrap();
        let top = table.column("top").unwrap();
        assert_eq!(top.ty.to_string(), "frozen<list<frozen<tuple<text, bigint>>>>");
        assert_eq!(table.clustering().len(), 2);
    }
}
