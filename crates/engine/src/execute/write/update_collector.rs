//! [`UpdateCollector`]: the updates of all statements of a batch by partition, until they are
//! committed as one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use cql::TableId;
use storage::{ColumnId, DecoratedKey, Mutation, PartitionUpdate, Row, row};

use crate::node::handle::TableHandle;

/// The updates of a statement or batch.
#[derive(Debug, Default)]
pub(super) struct UpdateCollector {
    changes: Vec<PartitionChange>,
    /// The index of a partition's change. Empty while there is only one: most writes have one
    /// partition and do without hashing.
    indexes: HashMap<(TableId, DecoratedKey), usize>,
}

/// The changes of one partition.
#[derive(Debug)]
pub(super) struct PartitionChange {
    pub(super) handle: Arc<TableHandle>,
    pub(super) update: PartitionUpdate,
    pub(super) increments: Vec<CounterIncrement>,
    /// The number of statements that change it: only several can write the same row twice.
    statements: usize,
}

/// An increment of a counter.
#[derive(Debug)]
pub(super) struct CounterIncrement {
    /// The clustering values of the row; `None` is the static row.
    pub(super) clustering: Option<Vec<Option<Vec<u8>>>>,
    pub(super) column: ColumnId,
    pub(super) by: i64,
    pub(super) timestamp: i64,
}

impl UpdateCollector {
    /// The change of a partition, for one more statement.
    pub(super) fn partition_change(
        &mut self,
        handle: &Arc<TableHandle>,
        key: &DecoratedKey,
    ) -> &mut PartitionChange {
        let at = self.find_or_insert(handle, key);
        let change = &mut self.changes[at];
        change.statements += 1;
        change
    }

    fn find_or_insert(&mut self, handle: &Arc<TableHandle>, key: &DecoratedKey) -> usize {
        let existing = match &self.changes[..] {
            [] => None,
            [only] => (only.handle.id == handle.id && only.update.key == *key).then_some(0),
            _ => self.indexes.get(&(handle.id, key.clone())).copied(),
        };
        if let Some(at) = existing {
            return at;
        }
        let at = self.changes.len();
        if let [only] = &self.changes[..] {
            self.indexes.insert((only.handle.id, only.update.key.clone()), 0);
        }
        if at > 0 {
            self.indexes.insert((handle.id, key.clone()), at);
        }
        self.changes.push(PartitionChange {
            handle: Arc::clone(handle),
            update: PartitionUpdate::new(key.clone()),
            increments: Vec::new(),
            statements: 0,
        });
        at
    }

    /// The changes, partition by partition.
    pub(super) fn iter(&self) -> impl Iterator<Item = &PartitionChange> {
        self.changes.iter()
    }

    /// The changes, partition by partition, mutable.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut PartitionChange> {
        self.changes.iter_mut()
    }

    /// Merges the updates of several statements to the same row: a [`PartitionUpdate`] has each row
    /// once.
    pub(super) fn merge_rows(&mut self) {
        for change in &mut self.changes {
            if change.statements > 1 {
                change.merge_rows();
            }
        }
    }

    /// The mutations, without those that change nothing.
    pub(super) fn into_mutations(self) -> Vec<Mutation> {
        let changes = self.changes.into_iter().filter(|change| !change.update.is_empty());
        changes.map(|change| Mutation { table: change.handle.id, update: change.update }).collect()
    }
}

impl PartitionChange {
    /// Adds changes of a row.
    pub(super) fn add_row(&mut self, row: Option<Row>) {
        self.update.rows.extend(row);
    }

    /// Adds changes of the static row.
    pub(super) fn add_statics(&mut self, row: Option<Row>) {
        let Some(new) = row else { return };
        self.update.statics = Some(match &self.update.statics {
            Some(old) => row::merge(&self.handle.layout, old, &new),
            None => new,
        });
    }

    /// Adds increments of the counters of a row.
    pub(super) fn add_increments(
        &mut self,
        clustering: Option<&[Option<Cow<'_, [u8]>>]>,
        increments: &[(ColumnId, i64)],
        timestamp: i64,
    ) {
        for (column, by) in increments {
            let owned = |values: &[Option<Cow<'_, [u8]>>]| {
                values.iter().map(|value| value.as_ref().map(|value| value.to_vec())).collect()
            };
            self.increments.push(CounterIncrement {
                clustering: clustering.map(owned),
                column: *column,
                by: *by,
                timestamp,
            });
        }
    }

    /// Merges rows with the same position. As in storage, the result does not depend on the order
    /// of the statements: of two cells with the same timestamp [`row::merge`] chooses by their
    /// values.
    pub(super) fn merge_rows(&mut self) {
        if self.update.rows.len() < 2 {
            return;
        }
        let layout = &self.handle.layout;
        let rows = std::mem::take(&mut self.update.rows);
        let positioned = rows.into_iter().map(|row| {
            let clustering: Vec<_> = row.clustering().collect();
            (self.handle.row_position(&clustering), row)
        });
        let mut positioned: Vec<_> = positioned.collect();
        positioned.sort_by(|a, b| a.0.cmp(&b.0));
        let mut last = None;
        for (position, row) in positioned {
            match self.update.rows.last_mut() {
                Some(merged) if last.as_ref() == Some(&position) => {
                    *merged = row::merge(layout, merged, &row);
                }
                _ => self.update.rows.push(row),
            }
            last = Some(position);
        }
    }
}
