//! [`TableHandle`]: a table with its definition, rows, indexes and views.

use std::sync::{Arc, OnceLock};

use cql::TableId;
use cql::types::Type;
use schema::catalog::{self, ColumnKind, View};
use schema::partitioner::Token;
use storage::{
    ColumnId, DecoratedKey, Layout, PartitionUpdate, Position, RowBuilder, RowEntry, position,
};

use super::index::IndexHandle;
use super::view_plan::ViewPlan;
use crate::metrics::TableMetrics;

/// A table or view with its rows.
#[derive(Debug)]
pub(crate) struct TableHandle {
    /// The id of the table.
    pub id: TableId,
    /// Its definition in the schema.
    pub definition: Arc<catalog::Table>,
    /// The definition of the view, if it is one.
    pub view: Option<Arc<View>>,
    /// The column ids of cells, by the column's position in the definition; `None` for key columns.
    pub column_ids: Vec<Option<ColumnId>>,
    /// The ids of columns that are not in the definition, by name: dropped ones, which may be added
    /// again, and the hidden ones of tables with COMPACT STORAGE.
    pub unseen_ids: Vec<(Box<str>, ColumnId)>,
    /// The layout of its rows.
    pub layout: Arc<Layout>,
    /// Its rows; those of computed tables are built when they are read.
    pub rows: Arc<storage::Memtable>,
    /// What was measured of its reads and writes.
    pub(crate) metrics: Arc<TableMetrics>,
    /// Whether its rows are computed.
    pub is_computed: bool,
    /// Its indexes, in the order of the definition.
    pub indexes: Vec<Arc<IndexHandle>>,
    /// The names of the views on it.
    pub views: Vec<Box<str>>,
    /// The plans of these views, built on first use.
    pub(crate) view_plans: OnceLock<Vec<ViewPlan>>,
    /// Whether rows exist only by their liveness: those of a view whose key has a column that is
    /// not in the base key. Cells of a row without liveness are ignored.
    pub(crate) strict_liveness: bool,
}

impl TableHandle {
    /// The id of a column.
    pub(crate) fn column_id(&self, column: usize) -> Option<ColumnId> {
        self.column_ids.get(column).copied().flatten()
    }

    /// The id of the value column of a table with COMPACT STORAGE that has no other columns: its
    /// rows exist by that cell.
    pub(crate) fn compact_value_column(&self) -> Option<ColumnId> {
        let table = &self.definition;
        if !table.is_compact() || !table.regulars().is_empty() {
            return None;
        }
        let hidden = table.hidden.iter().find(|column| column.kind == ColumnKind::Regular)?;
        self.unseen_ids.iter().find(|(name, _)| *name == hidden.name).map(|(_, id)| *id)
    }

    /// The partition key of these values, one per column.
    ///
    /// Computed tables are ordered by their keys instead of by token: all keys have the same token.
    /// The components of a composite key, which are texts, are each followed by a zero byte, so
    /// that the bytes are in that order.
    pub(crate) fn partition_key<V: AsRef<[u8]>>(&self, values: &[V]) -> Option<DecoratedKey> {
        if !self.definition.is_virtual {
            return Some(DecoratedKey::new(&schema::partitioner::partition_key(values)?));
        }
        let key = match values {
            [value] => value.as_ref().to_vec(),
            values => values.iter().flat_map(|value| [value.as_ref(), &[0]].concat()).collect(),
        };
        Some(DecoratedKey::with_token(Token(i64::MIN), &key))
    }

    /// The partition key from the bytes of [`DecoratedKey::key`].
    pub(crate) fn key_from_bytes(&self, bytes: &[u8]) -> DecoratedKey {
        if self.definition.is_virtual {
            return DecoratedKey::with_token(Token(i64::MIN), bytes);
        }
        DecoratedKey::new(bytes)
    }

    /// The values of a partition key, one per column.
    pub(crate) fn partition_values<'a>(&self, key: &'a DecoratedKey) -> Vec<&'a [u8]> {
        let mut rest = key.key();
        if self.definition.partition_key().len() == 1 {
            return vec![rest];
        }
        if self.definition.is_virtual {
            let parts = rest.split(|byte| *byte == 0);
            return parts.take(self.definition.partition_key().len()).collect();
        }
        let mut values = Vec::new();
        while let Some((length, tail)) = rest.split_first_chunk() {
            let length = usize::from(u16::from_be_bytes(*length));
            let Some((value, tail)) = tail.split_at_checked(length) else { break };
            values.push(value);
            rest = tail.get(1..).unwrap_or_default();
        }
        values
    }

    /// The position of the row with these clustering values.
    pub(crate) fn row_position(&self, clustering: &[Option<&[u8]>]) -> Position {
        let mut out = Vec::new();
        position::encode_row(&self.layout, clustering.iter().copied(), &mut out);
        out.into()
    }
}

/// The layout of a table and the ids of its columns.
pub(crate) struct ColumnNumbering {
    pub(crate) layout: Layout,
    /// See [`TableHandle::column_ids`].
    pub(crate) ids: Vec<Option<ColumnId>>,
    /// See [`TableHandle::unseen_ids`].
    pub(crate) unseen: Vec<(Box<str>, ColumnId)>,
}

/// Assigns ids to the columns of a table; columns that `old` has or had keep theirs, by name.
pub(crate) fn number_columns(
    definition: &catalog::Table,
    old: Option<&TableHandle>,
) -> ColumnNumbering {
    let mut columns = old.map(|old| old.layout.columns.clone()).unwrap_or_default();
    let known = |name: &str| {
        let old = old?;
        let own = old.definition.column_index(name).and_then(|column| old.column_id(column));
        let dropped = || old.unseen_ids.iter().find(|(dropped, _)| **dropped == *name);
        own.or_else(|| dropped().map(|(_, id)| *id))
    };
    let mut ids = Vec::with_capacity(definition.columns().len());
    for column in definition.columns() {
        if matches!(column.kind, ColumnKind::Partition | ColumnKind::Clustering) {
            ids.push(None);
            continue;
        }
        let id = known(&column.name).unwrap_or_else(|| add_column(&mut columns, &column.ty));
        // A user type may have gained fields.
        if let Some(ty) = usize::try_from(id).ok().and_then(|at| columns.get_mut(at)) {
            ty.clone_from(&column.ty);
        }
        ids.push(Some(id));
    }
    let (mut unseen, mut hidden) = (Vec::new(), Vec::new());
    for dropped in &definition.dropped {
        let Some(id) = known(&dropped.column.name) else { continue };
        let is_back = ids.contains(&Some(id));
        hidden.push((id, dropped.dropped_at.filter(|_| is_back).unwrap_or(i64::MAX)));
        unseen.push((dropped.column.name.clone(), id));
    }
    for column in definition.hidden.iter().filter(|column| column.kind == ColumnKind::Regular) {
        let id = known(&column.name).unwrap_or_else(|| add_column(&mut columns, &column.ty));
        unseen.push((column.name.clone(), id));
    }
    let clustering = definition.clustering().iter();
    let layout = Layout {
        clustering: clustering.map(|column| (column.ty.clone(), column.descending)).collect(),
        columns,
        gc_grace_seconds: definition.params.gc_grace_seconds,
        dropped_columns: hidden,
    };
    ColumnNumbering { layout, ids, unseen }
}

/// Adds a column with the next id.
fn add_column(columns: &mut Vec<Type>, ty: &Type) -> ColumnId {
    columns.push(ty.clone());
    ColumnId::try_from(columns.len() - 1).unwrap_or(ColumnId::MAX)
}

/// Converts a partition of a table without clustering columns whose COMPACT STORAGE was dropped:
/// the cells of its only row become those of the static row.
pub(crate) fn move_cells_to_static(mut update: PartitionUpdate) -> PartitionUpdate {
    let Some(row) = update.rows.pop() else { return update };
    let mut statics = RowBuilder::new([]);
    for entry in row.entries() {
        match entry {
            RowEntry::Cell(cell) => statics.add(cell),
            RowEntry::ColumnDeletion(column, deletion) => statics.delete_column(column, deletion),
        }
    }
    update.statics = Some(statics.build(&Layout::default())).filter(|row| !row.is_empty());
    update
}
