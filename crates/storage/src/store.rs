//! All tables of a node, and the log that makes their writes durable.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::layout::Layout;
use crate::table::Table;
use crate::update::{Mutation, TableId};

/// The tables.
#[derive(Debug, Default)]
pub struct Store {
    tables: RwLock<HashMap<TableId, Arc<Table>>>,
}

impl Store {
    /// Tables that live as long as the process.
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// The table of that id.
    pub fn table(&self, id: &TableId) -> Option<Arc<Table>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// A new, empty table.
    pub fn create_table(&self, id: TableId, layout: Layout) -> Arc<Table> {
        let table = Arc::new(Table::new(layout));
        self.tables.write().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&table));
        table
    }

    /// Forgets a table and its rows.
    pub fn drop_table(&self, id: &TableId) {
        self.tables.write().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Writes, all or nothing in the log. Updates of tables that are gone are left out.
    pub fn apply(&self, mutations: &[Mutation]) {
        for mutation in mutations {
            if let Some(table) = self.table(&mutation.table) {
                table.apply(&mutation.update);
            }
        }
    }
}
