//! An index on another table that could replace a read's own table, with the cost of both.

use std::fmt;

use cql::printer::identifier;

use crate::figures::{format_bytes, format_count, format_rate, pluralise};

/// An index that could replace a read's table.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexAlternative {
    /// The read's name.
    pub read: String,
    /// How often it runs, per second.
    pub rate: f64,
    /// The table that it would replace.
    pub table: String,
    /// The cost of that table.
    pub cost: TableCost,
    /// The kind of index.
    pub kind: IndexKind,
    /// The table that would have the index.
    pub on: String,
    /// The column that would have it.
    pub column: String,
    /// What a search by it contacts.
    pub search: IndexSearch,
}

/// The cost of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableCost {
    /// Rows written per second, one copy of each.
    pub rows: f64,
    /// Bytes of a row.
    pub row_bytes: f64,
    /// Copies of everything.
    pub copies: f64,
    /// Bytes to store, with all copies.
    pub stored: f64,
    /// The horizon of the storage, in years.
    pub years: f64,
}

/// The kinds of index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexKind {
    /// Cassandra 5's.
    StorageAttached,
    /// The classic one.
    Secondary,
    /// `ScyllaDB`'s within a partition: the columns of the partition key.
    Local(Vec<String>),
    /// `ScyllaDB`'s, which is a separate table.
    Global,
}

/// What a search by an index contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IndexSearch {
    /// One partition.
    Partition {
        /// Nodes that hold it.
        replicas: u32,
    },
    /// All nodes.
    Cluster {
        /// How many there are.
        nodes: f64,
    },
}

impl fmt::Display for IndexAlternative {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` ({}) could do without its table `{}`, which costs {}; ",
            self.read,
            format_rate(self.rate),
            self.table,
            self.cost
        )?;
        let (on, column, reads) = (&self.on, &self.column, self.rate);
        let kind = match self.kind {
            IndexKind::StorageAttached => "a storage-attached index",
            IndexKind::Secondary => "a secondary index",
            IndexKind::Local(_) => "a local secondary index",
            IndexKind::Global => {
                return write!(
                    f,
                    "a global secondary index on `{on}.{column}` would take two reads each time, of the index and of the rows ({} in total), and is itself written with every row",
                    format_rate(2.0 * reads)
                );
            }
        };
        match self.search {
            IndexSearch::Partition { replicas } => write!(
                f,
                "{kind} on `{on}.{column}` would search one partition, on the {replicas} replicas that hold it ({} reads)",
                format_rate(reads)
            ),
            IndexSearch::Cluster { nodes } => write!(
                f,
                "{kind} on `{on}.{column}` would query all {} each time ({} requests)",
                pluralise(nodes, "node"),
                format_rate(reads * nodes)
            ),
        }
    }
}

impl fmt::Display for TableCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows > 0.0 {
            let copies = if self.copies > 1.0 {
                format!("{} copies", format_count(self.copies))
            } else {
                "1 copy".to_owned()
            };
            write!(
                f,
                "{} rows or {}/s on {copies} to write and ",
                format_rate(self.rows),
                format_bytes(self.rows * self.row_bytes * self.copies)
            )?;
        }
        write!(f, "{} to store in {}", format_bytes(self.stored), pluralise(self.years, "year"))
    }
}

impl IndexAlternative {
    /// The advice: one imperative.
    pub(super) fn help(&self) -> String {
        let (table, column) = (identifier(&self.on), identifier(&self.column));
        let statement = match &self.kind {
            IndexKind::StorageAttached => format!("CREATE INDEX ON {table} ({column}) USING 'sai'"),
            IndexKind::Secondary | IndexKind::Global => {
                format!("CREATE INDEX ON {table} ({column})")
            }
            IndexKind::Local(partition) => {
                let keys: Vec<String> = partition.iter().map(|key| identifier(key)).collect();
                format!("CREATE INDEX ON {table} (({}), {column})", keys.join(", "))
            }
        };
        format!("use `{statement}` instead of the table, if the query may be slow")
    }
}
