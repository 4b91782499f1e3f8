//! [`TestRowChange`]: the change of a row of a table with one key column.

use cql::value::{self, Value};
use storage::{PartitionUpdate, RowEntry};

use crate::error::{Error, Result};
use crate::node::handle::TableHandle;

/// The change of a row.
#[derive(Debug)]
pub(super) struct TestRowChange {
    pub(super) key: String,
    /// Whether the whole row is deleted.
    pub(super) is_deleted: bool,
    /// The columns that are set, in the order of the table; `Null` deletes a value.
    pub(super) values: Vec<(Box<str>, Value)>,
}

impl TestRowChange {
    pub(super) fn new(handle: &TableHandle, update: &PartitionUpdate) -> Result<Self> {
        let key = String::from_utf8_lossy(update.key.key()).into_owned();
        let mut values = Vec::new();
        for (at, column) in handle.definition.columns().iter().enumerate() {
            let entries = update.rows.iter().flat_map(storage::Row::entries);
            let own = entries.filter_map(|entry| match entry {
                RowEntry::Cell(cell) if Some(cell.column) == handle.column_id(at) => Some(cell),
                _ => None,
            });
            let Some(cell) = own.last() else { continue };
            let decoded = if cell.is_tombstone() {
                Value::Null
            } else {
                value::decode(&column.ty, cell.value)
                    .map_err(|_| Error::invalid(format!("invalid value of {}", column.name)))?
            };
            values.push((column.name.clone(), decoded));
        }
        Ok(Self { key, is_deleted: !update.deletion.is_live(), values })
    }

    /// The value that a column is set to.
    pub(super) fn value(&self, column: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| &**name == column).map(|(_, value)| value)
    }
}
