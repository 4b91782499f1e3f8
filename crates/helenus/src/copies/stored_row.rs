//! Rows as tables store them, with write times, and the rows of entities read from them.

use model::concept::Entity;
use model::id::IdList;
use model::plan::PlannedTable;
use sim::{Datum, Row, convert_value};

use super::entity_table::EntityTable;

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredRow {
    /// The values of its key.
    pub(super) key: Vec<Datum>,
    /// The other columns.
    pub(super) cells: Vec<StoredCell>,
    /// When it was read: microseconds since 1970.
    pub(super) read_at: i64,
}

/// The value of a column that is not in the key.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredCell {
    pub(super) value: Datum,
    pub(super) written: WriteTime,
}

/// When a value was written and when it expires, as far as the server says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WriteTime {
    /// The write timestamp.
    pub(super) timestamp: Option<i64>,
    /// The seconds that are left.
    pub(super) ttl: Option<i32>,
}

impl StoredRow {
    /// The newest write of the row; it expires with the last of its values.
    pub(super) fn newest_write(&self) -> WriteTime {
        let known = || self.cells.iter().filter(|cell| cell.written.timestamp.is_some());
        let timestamp = known().filter_map(|cell| cell.written.timestamp).max();
        let expires = known().next().is_some() && known().all(|cell| cell.written.ttl.is_some());
        let ttl = known().filter_map(|cell| cell.written.ttl).max().filter(|_| expires);
        WriteTime { timestamp, ttl }
    }

    /// The value at a position of the table's columns, of which the key comes first, and its time.
    fn value_at(&self, position: usize) -> (Datum, WriteTime) {
        match position.checked_sub(self.key.len()) {
            None => (self.key.get(position).cloned().flatten(), self.newest_write()),
            Some(at) => match self.cells.get(at) {
                Some(cell) if cell.written.timestamp.is_some() => {
                    (cell.value.clone(), cell.written)
                }
                // A null, or a collection, whose write time cannot be selected.
                Some(cell) => (cell.value.clone(), self.newest_write()),
                None => (None, WriteTime::default()),
            },
        }
    }
}

/// A row of an entity: a value for each attribute, null where the table does not have it.
#[derive(Clone, Debug, Default)]
pub(super) struct EntityRow {
    pub(super) values: Row,
    /// When each value was written.
    pub(super) written: Vec<WriteTime>,
    /// The newest write of the row that it was read from.
    pub(super) newest: WriteTime,
}

impl EntityRow {
    /// A row of nulls.
    pub(super) fn empty(entity: &Entity) -> Self {
        let count = entity.attributes.len();
        Self {
            values: vec![None; count],
            written: vec![WriteTime::default(); count],
            newest: WriteTime::default(),
        }
    }

    /// The row of an entity in a row of one of its tables.
    pub(super) fn read(
        entity: &Entity,
        table: &PlannedTable,
        columns: &EntityTable,
        row: &StoredRow,
    ) -> Self {
        let mut read = Self { newest: row.newest_write(), ..Self::empty(entity) };
        for (attribute, position) in &columns.attributes {
            let (Some(described), Some(column)) =
                (entity.attributes.member(*attribute), table.columns.get(*position))
            else {
                continue;
            };
            let (value, written) = row.value_at(*position);
            let value = convert_value(&column.ty, value, &described.ty);
            if let Some(slot) = read.values.get_mut(attribute.index()) {
                *slot = value;
            }
            if let Some(slot) = read.written.get_mut(attribute.index()) {
                *slot = written;
            }
        }
        read
    }
}
