//! [`StoreSnapshot`]: all tables at one moment, to which a store can return.

use std::collections::HashMap;
use std::sync::Arc;

use cql::TableId;

use crate::memtable::{Memtable, MemtableVersion};

/// All tables of a store at one moment. It shares their rows, so it costs nothing to take and the
/// memory of what is changed later to keep.
#[derive(Clone, Debug)]
pub struct StoreSnapshot {
    tables: HashMap<TableId, TableSnapshot>,
}

#[derive(Clone, Debug)]
struct TableSnapshot {
    table: Arc<Memtable>,
    version: MemtableVersion,
}

impl StoreSnapshot {
    /// Takes the versions of tables; the caller excludes writes.
    pub(crate) fn new<'a>(
        tables: impl IntoIterator<Item = (&'a TableId, &'a Arc<Memtable>)>,
    ) -> Self {
        let snapshot = |(id, table): (&TableId, &Arc<Memtable>)| {
            (*id, TableSnapshot { table: Arc::clone(table), version: table.version() })
        };
        Self { tables: tables.into_iter().map(snapshot).collect() }
    }

    /// The tables with their versions, in no order.
    pub(crate) fn versions(&self) -> impl Iterator<Item = (&TableId, &MemtableVersion)> {
        self.tables.iter().map(|(id, snapshot)| (id, &snapshot.version))
    }

    /// Returns every table to its version. Returns the tables, and the ids of those with other rows
    /// than before.
    pub(crate) fn restore(&self) -> (HashMap<TableId, Arc<Memtable>>, Vec<TableId>) {
        let mut changed = Vec::new();
        let restore = |(id, snapshot): (&TableId, &TableSnapshot)| {
            if snapshot.table.restore(&snapshot.version) > 0 {
                changed.push(*id);
            }
            (*id, Arc::clone(&snapshot.table))
        };
        let tables = self.tables.iter().map(restore).collect();
        (tables, changed)
    }
}
