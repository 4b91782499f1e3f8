//! [`ModificationStatement`]: one INSERT, UPDATE or DELETE, and the updates of the rows it names.

use std::borrow::Cow;
use std::sync::Arc;

use cql::Consistency;
use schema::access::WritePlan;
use schema::bind::restrictions::StatementType;
use schema::bind::write::{BoundWrite, Operation, WriteRows};
use schema::catalog::ColumnKind;
use storage::{DecoratedKey, RangeTombstone, Row, Slice};

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
use crate::execute::internal_read::InternalRead;
use crate::node::handle::TableHandle;

/// A statement with the partitions it names.
pub(super) struct ModificationStatement<'w> {
    pub(super) write: &'w BoundWrite,
    pub(super) plan: &'w WritePlan,
    pub(super) handle: Arc<TableHandle>,
    pub(super) keys: Vec<DecoratedKey>,
}

/// An estimate of the memory of one change, for those with many keys.
const CHANGE_BYTES: usize = 128;

impl<'w> ModificationStatement<'w> {
    /// Resolves the partitions of a statement.
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

    /// Adds the updates of the statement. In a conditional write, operations that depend on stored
    /// values use `current`, the rows read for the conditions, as the server does.
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
        let target_count = match &target {
            RowTarget::Rows(rows) => rows.len(),
            RowTarget::Ranges(slices) => slices.len(),
            RowTarget::Partition => 1,
        };
        if target_count == 0 {
            return Ok(());
        }
        let changed = self.keys.len().saturating_mul(target_count);
        execution.check_result_size(changed.saturating_mul(CHANGE_BYTES))?;
        if needs_rows && current.is_none() && execution.is_traced() {
            self.trace_reads(execution, &target);
        }
        for key in &self.keys {
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

impl ModificationStatement<'_> {
    /// Records the reads of the rows that it changes.
    fn trace_reads(&self, execution: &Execution<'_>, target: &RowTarget<'_>) {
        let slices: Vec<Slice> = match target {
            RowTarget::Rows(rows) => rows.iter().map(|row| row_slice(&self.handle, row)).collect(),
            RowTarget::Partition if self.handle.definition.clustering().is_empty() => {
                vec![Slice::all()]
            }
            RowTarget::Ranges(_) | RowTarget::Partition => Vec::new(),
        };
        let columns = self.handle.definition.columns();
        let is_static =
            |at: &usize| columns.get(*at).is_some_and(|column| column.kind == ColumnKind::Static);
        for key in &self.keys {
            let read = InternalRead {
                handle: &self.handle,
                key,
                slices: &slices,
                names_rows: true,
                reads_statics: self.plan.columns_read.iter().any(is_static),
                is_limited: false,
            };
            read.trace_for_statement(execution);
        }
    }
}

/// Refuses consistency ANY for a write that reads: a hint on some node cannot be read.
fn check_read_before_write(execution: &Execution<'_>) -> Result<()> {
    if execution.parameters.consistency != Consistency::Any {
        return Ok(());
    }
    let message = "Write operation require a read but consistency ANY is not supported on reads";
    Err(Error::invalid(message))
}

type ClusteringRef<'a> = &'a [Option<Cow<'a, [u8]>>];

/// Builds the updates of rows, one after the other.
struct RowWriter<'e, 'x, 'w> {
    execution: &'e Execution<'x>,
    statement: &'e ModificationStatement<'w>,
    times: WriteTimes,
    current: Option<&'e CurrentPartition>,
    needs_rows: bool,
}

impl<'w> RowWriter<'_, '_, 'w> {
    /// Adds the update of a row, and of the static row if the statement writes static columns.
    fn write(
        &self,
        change: &mut PartitionChange,
        clustering: Option<ClusteringRef<'_>>,
    ) -> Result<()> {
        let write = self.statement.write;
        let is_delete = write.statement == StatementType::Delete;
        if is_delete && write.operations.is_empty() {
            self.delete(change, clustering);
            return Ok(());
        }
        let has = |kind: ColumnKind| self.operations_on(kind).next().is_some();
        let writes_row = if is_delete { has(ColumnKind::Regular) } else { write.has_row_updates() };
        if writes_row {
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
        let executor =
            OperationExecutor { execution: self.execution, handle: &self.statement.handle, before };
        self.operations_on(kind).try_for_each(|operation| executor.execute(draft, operation))
    }

    /// The operations on columns of a kind.
    fn operations_on(&self, kind: ColumnKind) -> impl Iterator<Item = &'w Operation> {
        let write: &'w BoundWrite = self.statement.write;
        let columns = write.table.columns();
        write.operations.iter().filter(move |operation| {
            columns.get(operation.column).is_some_and(|column| column.kind == kind)
        })
    }

    /// Makes a row exist without cells. A row of a table with COMPACT STORAGE has no liveness: it
    /// exists by the cell of its value column, also where that column is hidden. INSERT JSON, which
    /// names all columns, deletes that cell, as in the server.
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

    /// The stored row, with the columns that the statement reads.
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

    /// The stored static row, with the columns that the statement reads.
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
