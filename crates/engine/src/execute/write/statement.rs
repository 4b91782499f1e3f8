//! One statement: what it does to the rows that it names.

use std::borrow::Cow;
use std::sync::Arc;

use cql::Consistency;
use schema::access::WritePlan;
use schema::bind::restrictions::StatementType;
use schema::bind::write::{BoundWrite, Operation, Rows};
use schema::catalog::ColumnKind;
use storage::{PartitionKey, RangeDeletion, Row};

use super::PlannedWrite;
use super::changes::{Change, Changes};
use super::current::Current;
use super::draft::Draft;
use super::operation::Operator;
use super::stored::{Before, Stored, slice_of};
use super::target::{self, Target};
use super::times::Times;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::node::handle::TableHandle;

/// A statement and the partitions it names.
pub(super) struct Statement<'w> {
    pub(super) write: &'w BoundWrite,
    pub(super) plan: &'w WritePlan,
    pub(super) handle: Arc<TableHandle>,
    pub(super) keys: Vec<PartitionKey>,
}

impl<'w> Statement<'w> {
    /// Finds the partitions.
    pub(super) fn new(execution: &Execution<'_>, planned: PlannedWrite<'w>) -> Result<Self> {
        let PlannedWrite { write, plan } = planned;
        let handle = execution.handle(&write.table)?;
        let keys = target::partitions(execution, &handle, planned)?;
        Ok(Self { write, plan, handle, keys })
    }

    /// Whether its partitions are read before they are written.
    pub(super) fn reads(&self) -> bool {
        self.plan.reads_first
    }

    fn needs_rows(&self) -> bool {
        !self.plan.columns_read.is_empty()
    }

    /// Adds what it does. A conditional write sees what was read for its conditions.
    pub(super) fn add_to(
        &self,
        execution: &Execution<'_>,
        times: Times,
        current: Option<&Current>,
        changes: &mut Changes,
    ) -> Result<()> {
        let planned = PlannedWrite { write: self.write, plan: self.plan };
        let target = target::rows(execution, &self.handle, planned)?;
        if let Some(recorder) = execution.parameters.recorder {
            let keys = self.keys.iter().map(|key| key.key().into()).collect();
            recorder.write(keys, target.record());
        }
        if self.needs_rows() && current.is_none() {
            check_read_before_write(execution)?;
        }
        let needs_rows = self.needs_rows();
        let writer = Writer { execution, statement: self, times, current, needs_rows };
        for key in &self.keys {
            let named = match &target {
                Target::Rows(rows) => rows.len(),
                Target::Ranges(slices) => slices.len(),
                Target::Partition => 1,
            };
            if named == 0 {
                return Ok(());
            }
            let change = changes.of(&self.handle, key);
            match &target {
                Target::Partition => writer.write(change, None)?,
                Target::Rows(rows) => {
                    for row in rows {
                        writer.write(change, Some(row))?;
                    }
                }
                Target::Ranges(slices) => {
                    change.update.ranges.extend(slices.iter().map(|slice| RangeDeletion {
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

type Clustering<'a> = &'a [Option<Cow<'a, [u8]>>];

/// Writes one row after the other.
struct Writer<'e, 'x, 'w> {
    execution: &'e Execution<'x>,
    statement: &'e Statement<'w>,
    times: Times,
    current: Option<&'e Current>,
    needs_rows: bool,
}

impl<'w> Writer<'_, '_, 'w> {
    /// Writes a row and the static columns.
    fn write(&self, change: &mut Change, clustering: Option<Clustering<'_>>) -> Result<()> {
        let write = self.statement.write;
        let deletes = write.statement == StatementType::Delete;
        if deletes && write.operations.is_empty() {
            self.delete(change, clustering);
            return Ok(());
        }
        let has = |kind: ColumnKind| self.of_kind(kind).next().is_some();
        let row_too = if deletes { has(ColumnKind::Regular) } else { write.updates_rows() };
        if row_too {
            let clustering = clustering.unwrap_or_default();
            let mut draft = Draft::new(self.times, write.operations.len());
            if write.statement == StatementType::Insert {
                self.insert(&mut draft);
            }
            let stored = self.needs_rows.then(|| self.row(change, clustering)).flatten();
            let row = stored.as_ref();
            self.operate(&mut draft, ColumnKind::Regular, Before { row, clustering })?;
            change.add_row(draft.build(&self.statement.handle.layout, clustering));
            change.add_increments(Some(clustering), &draft.increments, self.times.timestamp);
        }
        if has(ColumnKind::Static) {
            let mut draft = Draft::new(self.times, write.operations.len());
            let stored = self.needs_rows.then(|| self.statics(change)).flatten();
            let row = stored.as_ref();
            self.operate(&mut draft, ColumnKind::Static, Before { row, clustering: &[] })?;
            change.add_statics(draft.build(&self.statement.handle.layout, &[]));
            change.add_increments(None, &draft.increments, self.times.timestamp);
        }
        Ok(())
    }

    fn operate(&self, draft: &mut Draft<'w>, kind: ColumnKind, before: Before<'_>) -> Result<()> {
        let operator =
            Operator { execution: self.execution, handle: &self.statement.handle, before };
        self.of_kind(kind).try_for_each(|operation| operator.operate(draft, operation))
    }

    /// The operations on columns of a kind.
    fn of_kind(&self, kind: ColumnKind) -> impl Iterator<Item = &'w Operation> {
        let write: &'w BoundWrite = self.statement.write;
        let columns = write.table.columns();
        let operations = write.operations.iter();
        operations
            .filter(move |one| columns.get(one.column).is_some_and(|column| column.kind == kind))
    }

    /// Lets a row be there without any cells. One of a compact table lives by its value, also where nobody sees that;
    /// INSERT JSON, which names all columns, takes that one away.
    fn insert(&self, draft: &mut Draft<'_>) {
        let write = self.statement.write;
        if !write.table.is_compact() {
            draft.liveness = self.times.liveness;
        } else if let Some(column) = self.statement.handle.hidden_value() {
            match write.rows {
                Rows::Where(_) => draft.put(column, None, Cow::Borrowed(&[])),
                Rows::Key(_) | Rows::Document { .. } => draft.delete(column, None),
            }
        }
    }

    /// Deletes the partition, or a row of it.
    fn delete(&self, change: &mut Change, clustering: Option<Clustering<'_>>) {
        let deletion = self.times.deletion();
        let Some(clustering) = clustering else {
            change.update.deletion = change.update.deletion.or_stronger(deletion);
            return;
        };
        let mut draft = Draft::new(self.times, 0);
        draft.deletion = deletion;
        change.add_row(draft.build(&self.statement.handle.layout, clustering));
    }

    /// The row as it is stored, as far as the statement sees it.
    fn row(&self, change: &Change, clustering: Clustering<'_>) -> Option<Row> {
        let handle = &self.statement.handle;
        let Some(current) = self.current else {
            self.execution.record_read_before_write();
            let slice = slice_of(handle, clustering);
            return Stored::read(handle, &change.update.key, &[slice]).row().cloned();
        };
        let values: Vec<_> = clustering.iter().map(Option::as_deref).collect();
        current.row_at(&handle.row_position(&values)).and_then(|row| current.seen(handle, row))
    }

    /// The static row as it is stored, as far as the statement sees it.
    fn statics(&self, change: &Change) -> Option<Row> {
        let handle = &self.statement.handle;
        match self.current {
            None => {
                self.execution.record_read_before_write();
                Stored::read(handle, &change.update.key, &[]).statics().cloned()
            }
            Some(current) => current.statics().and_then(|row| current.seen(handle, row)),
        }
    }
}
