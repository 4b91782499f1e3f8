//! The system keyspaces, parsed once from a list of their tables.

mod type_text;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use cql::types::NativeType;

use super::{
    Catalog, Column, ColumnKind, DroppedColumn, Index, IndexClass, IndexPart, Keyspace,
    Replication, Table, TableParams,
};

/// The list of tables; its header describes the format.
const TABLES: &str = include_str!("tables.txt");

/// The tables by which tests control a server, in the same format.
const TEST_TABLES: &str = include_str!("test_tables.txt");

/// The keyspace of the tables by which tests control a server.
pub const TEST_KEYSPACE: &str = "helenus";

static SYSTEM: LazyLock<Catalog> = LazyLock::new(|| {
    let mut catalog = Catalog { datacenters: ["datacenter1".into()].into(), ..Catalog::default() };
    add_keyspaces(&mut catalog, TABLES);
    catalog
});

impl Catalog {
    /// The catalog of a new node: the system keyspaces and one datacenter.
    pub fn with_system_tables() -> Self {
        SYSTEM.clone()
    }

    /// Adds the tables by which tests control a server.
    pub fn add_test_tables(&mut self) {
        add_keyspaces(self, TEST_TABLES);
    }
}

impl Table {
    /// Whether it is one of the tables by which tests control a server.
    pub fn is_test_table(&self) -> bool {
        self.is_virtual && &*self.keyspace == TEST_KEYSPACE
    }
}

/// Adds the keyspaces of a list.
fn add_keyspaces(catalog: &mut Catalog, list: &str) {
    let mut current: Option<(Keyspace, TableParams)> = None;
    let finish = |catalog: &mut Catalog, done: Option<(Keyspace, TableParams)>| {
        if let Some((done, _)) = done {
            catalog.keyspaces.insert(done.name.clone(), Arc::new(done));
        }
    };
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('@') {
            let keyspace = keyspace(header);
            finish(catalog, current.replace(keyspace));
        } else if let Some((keyspace, params)) = &mut current {
            let table = table(keyspace, params.clone(), line);
            keyspace.tables.insert(table.name.clone(), Arc::new(table));
        }
    }
    finish(catalog, current);
}

/// Parses a keyspace and the options that its tables share.
fn keyspace(header: &str) -> (Keyspace, TableParams) {
    let mut words = header.split(' ');
    let name = words.next().unwrap_or_default();
    let replication = words.next().unwrap_or_default();
    let mut options: BTreeMap<Box<str>, Box<str>> = replication
        .split(',')
        .filter_map(|option| option.split_once('='))
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    let class = options.remove("class").unwrap_or_default();
    let mut params = TableParams::default();
    words.for_each(|word| set_option(&mut params, word));
    let keyspace = Keyspace {
        system: true,
        is_virtual: replication == "virtual",
        ..Keyspace::new(name.into(), Replication { class, options })
    };
    (keyspace, params)
}

fn table(keyspace: &Keyspace, mut params: TableParams, line: &str) -> Table {
    let mut parts = line.split('|').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let kinds =
        [ColumnKind::Partition, ColumnKind::Clustering, ColumnKind::Static, ColumnKind::Regular];
    let mut columns = Vec::new();
    for (kind, part) in kinds.into_iter().zip(parts.by_ref()) {
        columns.extend(
            part.split_whitespace().enumerate().filter_map(|(at, text)| column(kind, at, text)),
        );
    }
    let options = parts.next().unwrap_or_default().split_whitespace();
    options.for_each(|word| set_option(&mut params, word));
    params.comment = parts.next().unwrap_or_default().into();
    let mut table = Table::new(&keyspace.name, name, columns);
    table.is_virtual = keyspace.is_virtual;
    table.params = params;
    match (&*keyspace.name, name) {
        ("system", "local") => table.dropped.push(thrift_version()),
        ("system", "paxos") => table.indexes.push(paxos_index()),
        _ => {}
    }
    table
}

/// The permanently dropped column `thrift_version`.
fn thrift_version() -> DroppedColumn {
    let column = Column {
        name: "thrift_version".into(),
        ty: NativeType::Text.into(),
        kind: ColumnKind::Regular,
        position: 0,
        descending: false,
        mask: None,
    };
    DroppedColumn { column, dropped_at: Some(i64::MAX) }
}

/// The index of the Paxos table, which is on no column.
fn paxos_index() -> Index {
    let class = "org.apache.cassandra.service.paxos.uncommitted.PaxosUncommittedIndex";
    Index {
        name: "PaxosUncommittedIndex".into(),
        class: IndexClass::Custom(class.into()),
        column: "".into(),
        part: IndexPart::Simple,
        options: [("class_name".into(), class.into()), ("target".into(), "".into())].into(),
    }
}

/// Sets an option of the list, written `name=value`.
fn set_option(params: &mut TableParams, word: &str) {
    let Some((name, value)) = word.split_once('=') else { return };
    let number = || value.parse().unwrap_or_default();
    match name {
        "gc_grace_seconds" => params.gc_grace_seconds = number(),
        "memtable_flush_period_in_ms" => params.memtable_flush_period_in_ms = number(),
        "default_time_to_live" => params.default_time_to_live = number(),
        _ => {
            if let Some(option) = name.strip_prefix("compaction.") {
                Arc::make_mut(&mut params.compaction).insert(option.into(), value.into());
            }
        }
    }
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
        let written = |line: &str| {
            line.split('|').take(5).map(|part| part.matches(':').count()).sum::<usize>()
        };
        assert_eq!(columns, TABLES.lines().skip(2).map(written).sum::<usize>());
    }

    #[test]
    fn options_are_those_of_the_keyspace_and_the_table() {
        let catalog = Catalog::with_system_tables();
        let batches = &catalog.table("system", "batches").unwrap().params;
        assert_eq!(batches.gc_grace_seconds, 0);
        assert_eq!(batches.memtable_flush_period_in_ms, 3_600_000);
        assert_eq!(batches.compaction.get("min_threshold").map(|value| &**value), Some("2"));
        assert_eq!(&*batches.comment, "batches awaiting replay");
        let history = &catalog.table("system_distributed", "repair_history").unwrap().params;
        assert_eq!(history.default_time_to_live, 2_592_000);
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
