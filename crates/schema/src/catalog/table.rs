//! [`Table`].

use cql::types::{NativeType, Type};

use super::{Column, ColumnKind, Index, TableParams};
use crate::java::order;

/// A table, or the table of a view.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The keyspace of the table.
    pub keyspace: Box<str>,
    /// The name of the table.
    pub name: Box<str>,
    /// The id of WITH ID, in canonical form; otherwise the server generates one.
    pub id: Option<Box<str>>,
    /// The sequence number of the last change in the keyspace: the server lists tables in this
    /// order.
    pub sequence: u32,
    /// The storage layout (everything but `compound` comes from COMPACT STORAGE).
    pub flags: TableFlags,
    /// Whether it is the table of a materialized view.
    pub is_view: bool,
    /// Whether its rows are computed (`system_views`).
    pub is_virtual: bool,
    /// Partition key, clustering, static and regular columns, in the order of `SELECT *`.
    columns: Vec<Column>,
    /// The positions of the columns, sorted by the length of their names, then by name: most names
    /// differ in length, so that comparisons are short.
    by_name: Box<[usize]>,
    partition_columns: usize,
    clustering_columns: usize,
    static_columns: usize,
    /// Columns of COMPACT STORAGE that CQL does not show: the clustering column and the value of a
    /// table without clustering columns, the empty value of one without other columns. DROP COMPACT
    /// STORAGE makes them visible.
    pub hidden: Vec<Column>,
    /// Its indexes, in the order of their creation.
    pub indexes: Vec<Index>,
    /// Its options.
    pub params: TableParams,
    /// Dropped columns, each as it was dropped last; also those that were added again.
    pub dropped: Vec<DroppedColumn>,
    /// Its triggers.
    pub triggers: Vec<Trigger>,
}

/// The flags of a table, as `system_schema.tables` shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are the server's flags, any of which may be set"
)]
pub struct TableFlags {
    /// Created by CQL, or with composite clustering.
    pub compound: bool,
    /// Clustering values are cell names (COMPACT STORAGE with clustering columns).
    pub dense: bool,
    /// A super column family.
    pub is_super: bool,
    /// Has counter columns.
    pub counter: bool,
}

/// A column that was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedColumn {
    /// The column before it was dropped.
    pub column: Column,
    /// Cells up to this timestamp (microseconds) are dropped; `None` is the time of the statement.
    pub dropped_at: Option<i64>,
}

/// A trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The name of the trigger.
    pub name: Box<str>,
    /// Its Java class.
    pub class: Box<str>,
}

impl Table {
    /// A table with these columns, in any order; they are sorted into the order of `SELECT *`.
    pub fn new(keyspace: &str, name: &str, columns: Vec<Column>) -> Self {
        let counter = columns.iter().any(|column| column.ty == Type::Native(NativeType::Counter));
        let mut table = Self {
            keyspace: keyspace.into(),
            name: name.into(),
            id: None,
            sequence: 0,
            flags: TableFlags { compound: true, dense: false, is_super: false, counter },
            is_view: false,
            is_virtual: false,
            columns: Vec::new(),
            by_name: Box::default(),
            partition_columns: 0,
            clustering_columns: 0,
            static_columns: 0,
            hidden: Vec::new(),
            indexes: Vec::new(),
            params: TableParams::default(),
            dropped: Vec::new(),
            triggers: Vec::new(),
        };
        table.set_columns(columns);
        table
    }

    /// Replaces the columns.
    pub(crate) fn set_columns(&mut self, mut columns: Vec<Column>) {
        columns.sort_by(|a, b| (a.kind, a.position, &a.name).cmp(&(b.kind, b.position, &b.name)));
        let count = |kind| columns.iter().filter(|column| column.kind == kind).count();
        self.partition_columns = count(ColumnKind::Partition);
        self.clustering_columns = count(ColumnKind::Clustering);
        self.static_columns = count(ColumnKind::Static);
        self.by_name = (0..columns.len()).collect();
        self.by_name.sort_by_key(|at| length_order(&columns[*at].name));
        self.columns = columns;
    }

    /// All columns in the order of `SELECT *`.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column with that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.get(self.column_index(name)?)
    }

    /// The index of a column in [`Self::columns`].
    pub fn column_index(&self, name: &str) -> Option<usize> {
        let key = length_order(name);
        let position =
            self.by_name.binary_search_by(|at| length_order(&self.columns[*at].name).cmp(&key));
        self.by_name.get(position.ok()?).copied()
    }

    /// The columns of the partition key.
    pub fn partition_key(&self) -> &[Column] {
        &self.columns[..self.partition_columns]
    }

    /// The clustering columns.
    pub fn clustering(&self) -> &[Column] {
        &self.columns[self.partition_columns..self.partition_columns + self.clustering_columns]
    }

    /// Partition key and clustering columns.
    pub fn primary_key(&self) -> &[Column] {
        &self.columns[..self.partition_columns + self.clustering_columns]
    }

    /// The static columns.
    pub fn statics(&self) -> &[Column] {
        let start = self.partition_columns + self.clustering_columns;
        &self.columns[start..start + self.static_columns]
    }

    /// The regular columns.
    pub fn regulars(&self) -> &[Column] {
        &self.columns[self.partition_columns + self.clustering_columns + self.static_columns..]
    }

    /// Whether it has counter columns.
    pub fn is_counter(&self) -> bool {
        self.flags.counter
    }

    /// Whether it has COMPACT STORAGE.
    pub fn is_compact(&self) -> bool {
        self.flags.dense || self.flags.is_super || !self.flags.compound
    }

    /// Whether it has COMPACT STORAGE and no clustering columns. Its columns are stored as static
    /// ones; in CQL, and here, they are regular.
    pub fn is_static_compact(&self) -> bool {
        !self.flags.is_super && !self.flags.dense && !self.flags.compound
    }

    /// The hidden clustering column of a table with COMPACT STORAGE that was created without any.
    pub fn implicit_clustering(&self) -> Option<&Column> {
        self.hidden.iter().find(|column| column.kind == ColumnKind::Clustering)
    }

    /// The dropped columns in the order in which the server, whose map holds them by name, lists
    /// them.
    pub fn list_dropped_columns(&self) -> Vec<&DroppedColumn> {
        let hash = |dropped: &&DroppedColumn| order::bytes_hash(dropped.column.name.as_bytes());
        order::sort_by_hash(&self.dropped, hash)
    }

    /// `keyspace.table`, each quoted where needed, as the server prints it.
    pub fn qualified_name(&self) -> String {
        format!(
            "{}.{}",
            cql::printer::identifier(&self.keyspace),
            cql::printer::identifier(&self.name)
        )
    }
}

fn length_order(name: &str) -> (usize, &str) {
    (name.len(), name)
}
