//! [`TableRows`]: builds the rows of a computed table.

use std::collections::BTreeMap;

use cql::types::Type;
use schema::catalog::ColumnKind;
use storage::{Cell, DecoratedKey, LivenessInfo, PartitionUpdate, Row, RowBuilder};

use crate::node::handle::TableHandle;

/// The rows of a table, by partition.
pub(in crate::session) struct TableRows<'a> {
    handle: &'a TableHandle,
    timestamp: i64,
    partitions: BTreeMap<DecoratedKey, Vec<Row>>,
}

/// The name of a column and its value. A collection is given as one value, also if it is stored in
/// cells.
pub(in crate::session) type ColumnValue<'a> = (&'a str, Vec<u8>);

impl<'a> TableRows<'a> {
    /// No rows; those that are added have this timestamp.
    pub(super) fn new(handle: &'a TableHandle, timestamp: i64) -> Self {
        Self { handle, timestamp, partitions: BTreeMap::new() }
    }

    /// Adds a row. Without a complete key it is skipped; unknown columns are ignored.
    pub(in crate::session) fn add<'f>(
        &mut self,
        fields: impl IntoIterator<Item = ColumnValue<'f>>,
    ) {
        let columns = self.handle.definition.columns();
        let mut values: Vec<Option<Vec<u8>>> = vec![None; columns.len()];
        for (name, value) in fields {
            if let Some(at) = self.handle.definition.column_index(name)
                && let Some(slot) = values.get_mut(at)
            {
                *slot = Some(value);
            }
        }
        let of_kind = |kind: ColumnKind| {
            let own = columns.iter().zip(&values).filter(move |(column, _)| column.kind == kind);
            own.map(|(_, value)| value.as_deref()).collect::<Option<Vec<_>>>()
        };
        let (Some(partition), Some(clustering)) =
            (of_kind(ColumnKind::Partition), of_kind(ColumnKind::Clustering))
        else {
            return;
        };
        let Some(key) = self.handle.partition_key(&partition) else { return };
        let mut row = RowBuilder::new(clustering.into_iter().map(Some));
        row.liveness = LivenessInfo::new(self.timestamp);
        for (at, (column, value)) in columns.iter().zip(&values).enumerate() {
            if let (Some(id), Some(value)) = (self.handle.column_id(at), value) {
                self.add_cells(&mut row, id, &column.ty, value);
            }
        }
        self.partitions.entry(key).or_default().push(row.build(&self.handle.layout));
    }

    fn add_cells<'v>(&self, row: &mut RowBuilder<'v>, id: u32, ty: &Type, value: &'v [u8]) {
        if !ty.is_multi_cell() {
            row.add(Cell::live(id, self.timestamp, value));
            return;
        }
        let parts = cql::value::split(ty, value).unwrap_or_default();
        let width = if matches!(ty, Type::Map(..)) { 2 } else { 1 };
        for part in parts.chunks(width) {
            if let Some(Some(path)) = part.first() {
                let value = part.get(1).copied().flatten().unwrap_or_default();
                row.add(Cell::live(id, self.timestamp, value).with_path(path));
            }
        }
    }

    /// The table with these rows.
    pub(super) fn finish(self) -> storage::Memtable {
        let table = storage::Memtable::new((*self.handle.layout).clone());
        for (key, rows) in self.partitions {
            let mut update = PartitionUpdate::new(key);
            update.rows = rows;
            table.apply(&update);
        }
        table
    }
}
