//! One statement: what it does to the rows that it names.

use std::borrow::Cow;
use std::sync::Arc;

use cql::Consistency;
use schema::access::WritePlan;
use schema::bind::restrictions::StatementType;
use schema::bind::write::{BoundWrite, Operation, WriteRows};
use schema::catalog::ColumnKind;
use storage::{DecoratedKey, RangeTombstone, Row};

use super::PlannedWrite;
use super::current_partition::CurrentPartition;
use super::draft::RowDraft;
use super::operation::OperationExecutor;
use super::prefetch::{PrefetchedRows, PriorRow, row_slice};
use super::target::{self, RowTarget};
use super::times::WriteTimes;
use super::update_collector::{PartitionChange, UpdateCollector};
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::node::handle::TableHandle;

/// A statement and the partitions it names.
pub(super) struct ModificationStatement<'w> {
    pub(super) write: &'w BoundWrite,
    pub(super) plan: &'w WritePlan,
    pub(super) handle: Arc<TableHandle>,
    pub(super) keys: Vec<DecoratedKey>,
}

impl<'w> ModificationStatement<'w> {
    /// Finds the partitions.
    pub(super) fn new(execution: &Execution<'_>, planned: PlannedWrite<'w>) -> Result<Self> {
        let PlannedWrite { write, plan } = planned;
        let handle = execution.handle(&write.table)?;
        let keys = target::resolve_partitions(execution, &handle, planned)?;
        Ok(Self { write, plan, handle, keys })
    }

    /// Whether its partitions are read before they are written.
    pub(super) fn is_read_required(&self) -> bool {
        self.plan.reads_first
    }

    fn has_columns_to_read(&self) -> bool {
        !self.plan.columns_read.is_empty()
    }

    /// Adds what it does. A conditional write sees what was read for its conditions.
    pub(super) fn add_updates(
        &self,
        execution: &Execution<'_>,
        times: WriteTimes,
        current: Option<&CurrentPartition>,
        changes: &mut UpdateCollector,
    ) -> Result<()> {
        let planned = PlannedWrite { write: self.write, plan: self.plan };
        let target = target::resolve_rows(execution, &self.handle, planned)?;
        if let Some(recorder) = execution.parameters.recorder {
            let keys = self.keys.iter().map(|key| key.key().into()).collect();
            recorder.record_write(keys, target.to_record());
        }
        if self.has_columns_to_read() && current.is_none() {
            check_read_before_write(execution)?;
        }
        let needs_rows = self.has_columns_to_read();
        let writer = RowWriter { execution, statement: self, times, current, needs_rows };
        for key in &self.keys {
            let named = match &target {
                RowTarget::Rows(rows) => rows.len(),
                RowTarget::Ranges(slices) => slices.len(),
                RowTarget::Partition => 1,
            };
            if named == 0 {
                return Ok(());
            }
            let change = changes.partition_change(&self.handle, key);
            match &target {
                RowTarget::Partition => writer.write(change, None)?,
                RowTarget::Rows(rows) => {
                    for row in rows {
                        writer.write(change, Some(row))?;
                    }
                }
                RowTarget::Ranges(slices) => {
                    change.update.ranges.extend(slices.iter().map(|slice| RangeTombstone {
                        start: slice.start.clone(),
                        end: slice.end.clone(),
                        deletion: times.deletion(),
                    }));
                }
            }
        }
        Ok(())
    }
}

/// Refuses the level of a write that reads its rows first.
fn check_read_before_write(execution: &Execution<'_>) -> Result<()> {
    if execution.parameters.consistency != Consistency::Any {
        return Ok(());
    }
    let message = "Write operation require a read but consistency ANY is not supported on reads";
    Err(Error::invalid(message))
}

type ClusteringRef<'a> = &'a [Option<Cow<'a, [u8]>>];

/// Writes one row after the other.
struct RowWriter<'e, 'x, 'w> {
    execution: &'e Execution<'x>,
    statement: &'e ModificationStatement<'w>,
    times: WriteTimes,
    current: Option<&'e CurrentPartition>,
    needs_rows: bool,
}

impl<'w> RowWriter<'_, '_, 'w> {
    /// Writes a row and the static columns.
    fn write(
        &self,
        change: &mut PartitionChange,
        clustering: Option<ClusteringRef<'_>>,
    ) -> Result<()> {
        let write = self.statement.write;
        let deletes = write.statement == StatementType::Delete;
        if deletes && write.operations.is_empty() {
            self.delete(change, clustering);
            return Ok(());
        }
        let has = |kind: ColumnKind| self.operations_on(kind).next().is_some();
        let row_too = if deletes { has(ColumnKind::Regular) } else { write.has_row_updates() };
        if row_too {
            let clustering = clustering.unwrap_or_default();
            let mut draft = RowDraft::new(self.times, write.operations.len());
            if write.statement == StatementType::Insert {
                self.add_row_marker(&mut draft);
            }
            let stored = self.needs_rows.then(|| self.read_row(change, clustering)).flatten();
            let row = stored.as_ref();
            self.execute_operations(&mut draft, ColumnKind::Regular, PriorRow { row, clustering })?;
            change.add_row(draft.build(&self.statement.handle.layout, clustering));
            change.add_increments(Some(clustering), &draft.increments, self.times.timestamp);
        }
        if has(ColumnKind::Static) {
            let mut draft = RowDraft::new(self.times, write.operations.len());
            let stored = self.needs_rows.then(|| self.read_statics(change)).flatten();
            let row = stored.as_ref();
            self.execute_operations(
                &mut draft,
                ColumnKind::Static,
                PriorRow { row, clustering: &[] },
            )?;
            change.add_statics(draft.build(&self.statement.handle.layout, &[]));
            change.add_increments(None, &draft.increments, self.times.timestamp);
        }
        Ok(())
    }

    fn execute_operations(
        &self,
        draft: &mut RowDraft<'w>,
        kind: ColumnKind,
        before: PriorRow<'_>,
    ) -> Result<()> {
        let operator =
            OperationExecutor { execution: self.execution, handle: &self.statement.handle, before };
        self.operations_on(kind).try_for_each(|operation| operator.execute(draft, operation))
    }

    /// The operations on columns of a kind.
    fn operations_on(&self, kind: ColumnKind) -> impl Iterator<Item = &'w Operation> {
        let write: &'w BoundWrite = self.statement.write;
        let columns = write.table.columns();
        let operations = write.operations.iter();
        operations
            .filter(move |one| columns.get(one.column).is_some_and(|column| column.kind == kind))
    }

    /// Lets a row be there without any cells. One of a compact table lives by its value, also where nobody sees that;
    /// INSERT JSON, which names all columns, takes that one away.
    fn add_row_marker(&self, draft: &mut RowDraft<'_>) {
        let write = self.statement.write;
        if !write.table.is_compact() {
            draft.liveness = self.times.liveness;
        } else if let Some(column) = self.statement.handle.compact_value_column() {
            match write.rows {
                WriteRows::Where(_) => draft.put(column, None, Cow::Borrowed(&[])),
                WriteRows::Key(_) | WriteRows::Document { .. } => draft.delete(column, None),
            }
        }
    }

    /// Deletes the partition, or a row of it.
    fn delete(&self, change: &mut PartitionChange, clustering: Option<ClusteringRef<'_>>) {
        let deletion = self.times.deletion();
        let Some(clustering) = clustering else {
            change.update.deletion = change.update.deletion.merge(deletion);
            return;
        };
        let mut draft = RowDraft::new(self.times, 0);
        draft.deletion = deletion;
        change.add_row(draft.build(&self.statement.handle.layout, clustering));
    }

    /// The row as it is stored, as far as the statement sees it.
    fn read_row(&self, change: &PartitionChange, clustering: ClusteringRef<'_>) -> Option<Row> {
        let handle = &self.statement.handle;
        let Some(current) = self.current else {
            self.execution.record_read_before_write();
            let slice = row_slice(handle, clustering);
            return PrefetchedRows::read(handle, &change.update.key, &[slice]).row().cloned();
        };
        let values: Vec<_> = clustering.iter().map(Option::as_deref).collect();
        current
            .row_at(&handle.row_position(&values))
            .and_then(|row| current.project_row(handle, row))
    }

    /// The static row as it is stored, as far as the statement sees it.
    fn read_statics(&self, change: &PartitionChange) -> Option<Row> {
        let handle = &self.statement.handle;
        match self.current {
            None => {
                self.execution.record_read_before_write();
                PrefetchedRows::read(handle, &change.update.key, &[]).statics().cloned()
            }
            Some(current) => current.statics().and_then(|row| current.project_row(handle, row)),
        }
    }
}
