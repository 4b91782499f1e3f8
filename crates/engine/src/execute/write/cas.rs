//! Conditional writes (compare and set): locks the partition, reads its rows, evaluates the
//! conditions and, if all hold, commits. The lock stands in for Paxos: on a single node, holding it
//! from the read to the commit is what makes the write linearizable.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schema::access::WriteTarget;
use schema::bind::write::{
    BoundCondition, BoundConditions, BoundWrite, check_applied, sort_conditions,
};
use schema::catalog::ColumnKind;
use storage::{DecoratedKey, Position, Slice};

use super::PlannedWrite;
use super::cas_result;
use super::condition;
use super::current_partition::CurrentPartition;
use super::paxos_trace::PaxosTrace;
use super::prefetch::row_slice;
use super::retime::retime;
use super::statement::ModificationStatement;
use super::target::{self, RowTarget};
use super::times::WriteTimes;
use super::update_collector::UpdateCollector;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::execute::internal_read::InternalRead;
use crate::execute::row_text::print_partition;
use crate::node::handle::TableHandle;
use crate::result::ResultMessage;

/// Executes writes to one partition if their conditions hold.
pub(super) fn execute(
    execution: &Execution<'_>,
    writes: &[PlannedWrite<'_>],
    is_batch: bool,
) -> Result<ResultMessage> {
    let mut statements = Vec::with_capacity(writes.len());
    for write in writes {
        statements.push(ModificationStatement::new(execution, *write)?);
    }
    let Some((handle, key)) = statements
        .first()
        .and_then(|first| Some((Arc::clone(&first.handle), first.keys.first()?.clone())))
    else {
        return Ok(ResultMessage::Void);
    };
    if statements.iter().any(|statement| statement.keys.first() != Some(&key)) {
        return Err(Error::invalid("Batch with conditions cannot span multiple partitions"));
    }
    let mut request = CasRequest::new(&handle, writes, is_batch);
    for write in writes.iter().filter(|write| write.plan.conditional) {
        request.add_conditions(execution, *write)?;
    }
    let locked = [(handle.id, key.clone())];
    let _guards = execution.node.locks.lock(locked.iter().map(|(table, key)| (table, key)));
    execution.record_read_before_write();
    let trace = PaxosTrace::new(execution);
    trace.promise();
    let current = request.read_current(execution, &key);
    if !request.evaluate(execution, &current)? {
        trace.skip((&handle, &key), || request.print_current(&current));
        return Ok(ResultMessage::Rows(cas_result::build_failure(&request, &current)));
    }
    let now_ms = execution.now_seconds().saturating_mul(1000);
    writes.iter().try_for_each(|planned| check_applied(planned.write, now_ms))?;
    let timestamp = execution.node.unique_micros();
    let mut changes = UpdateCollector::default();
    for statement in &statements {
        let times = WriteTimes::new(execution, statement.write, timestamp);
        statement.add_updates(execution, times, Some(&current), &mut changes)?;
    }
    changes.merge_rows();
    for change in changes.iter_mut() {
        retime(&handle.layout, &mut change.update, timestamp);
    }
    let mutations = changes.into_mutations();
    trace.accept(&handle, mutations.first().map(|mutation| &mutation.update));
    execution.apply(mutations, &locked)?;
    trace.end();
    Ok(ResultMessage::Rows(cas_result::build_success(&handle)))
}

/// The condition on a row.
pub(super) enum RowCondition<'w> {
    Exists,
    NotExists,
    Columns(Vec<&'w BoundCondition>),
}

/// The conditions on the rows of a partition (Cassandra's `CASRequest`).
pub(super) struct CasRequest<'w> {
    pub(super) handle: &'w Arc<TableHandle>,
    pub(super) is_batch: bool,
    /// The condition on the static row.
    statics: Option<RowCondition<'w>>,
    /// The conditions on rows, in table order.
    rows: BTreeMap<Position, (Slice, RowCondition<'w>)>,
    /// The columns that are returned if a condition does not hold; `None` is all of them, for IF
    /// EXISTS and IF NOT EXISTS.
    pub(super) shown: Option<Vec<usize>>,
    /// Which columns are read, by their position in the definition.
    reads: Vec<bool>,
}

impl<'w> CasRequest<'w> {
    fn new(handle: &'w Arc<TableHandle>, writes: &[PlannedWrite<'w>], is_batch: bool) -> Self {
        let conditional = || writes.iter().filter(|write| write.plan.conditional);
        let columns = handle.definition.columns();
        let kind_of = |column: usize| columns.get(column).map(|column| column.kind);
        let updates_rows = writes.iter().any(|planned| planned.write.has_row_updates());
        let updates_statics = conditional().any(|write| {
            write.plan.columns.iter().any(|column| kind_of(*column) == Some(ColumnKind::Static))
        });
        let mut reads: Vec<bool> = columns
            .iter()
            .map(|column| match column.kind {
                ColumnKind::Static => updates_statics,
                ColumnKind::Regular => updates_rows,
                ColumnKind::Partition | ColumnKind::Clustering => true,
            })
            .collect();
        for write in conditional() {
            let read_by_conditions =
                conditions(write.write).iter().map(|condition| condition.column);
            let read_by_operations = write.plan.columns_read.iter().copied();
            for column in read_by_conditions.chain(read_by_operations) {
                if let Some(read) = reads.get_mut(column) {
                    *read = true;
                }
            }
        }
        let rows = BTreeMap::new();
        Self { handle, is_batch, statics: None, rows, shown: Some(Vec::new()), reads }
    }

    /// Adds the conditions of a write.
    fn add_conditions(
        &mut self,
        execution: &Execution<'_>,
        planned: PlannedWrite<'w>,
    ) -> Result<()> {
        let write = planned.write;
        let row = match target::resolve_rows(execution, self.handle, planned)? {
            RowTarget::Partition if planned.plan.target == WriteTarget::Statics => None,
            RowTarget::Partition => Some(Vec::new()),
            RowTarget::Rows(rows) => Some(rows.into_iter().next().unwrap_or_default()),
            RowTarget::Ranges(_) => return Ok(()),
        };
        match &write.conditions {
            BoundConditions::None => {}
            BoundConditions::Exists => {
                self.shown = None;
                self.add_row_condition(row.as_deref(), RowCondition::Exists);
            }
            BoundConditions::NotExists => {
                self.shown = None;
                self.add_row_condition(row.as_deref(), RowCondition::NotExists);
            }
            BoundConditions::All(conditions) => {
                let is_static = |condition: &&BoundCondition| {
                    let column = self.handle.definition.columns().get(condition.column);
                    column.is_some_and(|column| column.kind == ColumnKind::Static)
                };
                let (statics, regulars): (Vec<_>, Vec<_>) = conditions.iter().partition(is_static);
                if let Some(shown) = &mut self.shown {
                    shown.extend(regulars.iter().chain(&statics).map(|condition| condition.column));
                }
                if !regulars.is_empty() {
                    self.add_row_condition(row.as_deref(), RowCondition::Columns(regulars));
                }
                if !statics.is_empty() {
                    self.add_row_condition(None, RowCondition::Columns(statics));
                }
            }
        }
        Ok(())
    }

    /// Adds a condition on a row. Several statements may have conditions on the same row; the
    /// binder refuses contradictions.
    fn add_row_condition(
        &mut self,
        row: Option<&[Option<Cow<'_, [u8]>>]>,
        condition: RowCondition<'w>,
    ) {
        let existing = match row {
            None => &mut self.statics,
            Some(clustering) => {
                let slice = row_slice(self.handle, clustering);
                let values: Vec<_> = clustering.iter().map(Option::as_deref).collect();
                let position = self.handle.row_position(&values);
                match self.rows.entry(position) {
                    std::collections::btree_map::Entry::Vacant(entry) => {
                        entry.insert((slice, condition));
                    }
                    std::collections::btree_map::Entry::Occupied(mut entry) => {
                        merge_conditions(&mut entry.get_mut().1, condition);
                    }
                }
                return;
            }
        };
        match existing {
            None => *existing = Some(condition),
            Some(existing) => merge_conditions(existing, condition),
        }
    }

    /// Reads the rows with conditions. If only the static row has one, the first row is read as
    /// well: the result shows it, as the server's does.
    fn read_current(&self, execution: &Execution<'_>, key: &DecoratedKey) -> CurrentPartition {
        let slices: Vec<Slice> = self.rows.values().map(|(slice, _)| slice.clone()).collect();
        let now = execution.now_seconds();
        self.trace_read(execution, key, &slices);
        CurrentPartition::read(self.handle, key, &slices, now, |column| self.is_read(column))
    }

    /// Whether a column is read, by its position in the definition.
    fn is_read(&self, column: usize) -> bool {
        self.reads.get(column).copied().unwrap_or(false)
    }

    fn trace_read(&self, execution: &Execution<'_>, key: &DecoratedKey, slices: &[Slice]) {
        let columns = self.handle.definition.columns();
        let is_static = |at: usize| columns.get(at).is_some_and(|c| c.kind == ColumnKind::Static);
        let reads_first = slices.is_empty();
        let all = [Slice::all()];
        let read = InternalRead {
            handle: self.handle,
            key,
            slices: if reads_first { &all } else { slices },
            names_rows: !reads_first,
            reads_statics: (0..columns.len()).any(|at| is_static(at) && self.is_read(at)),
            is_limited: reads_first,
        };
        read.trace_for_statement(execution);
    }

    /// Prints the rows that were read, for a trace.
    fn print_current(&self, current: &CurrentPartition) -> String {
        let handle = self.handle;
        let project = |row: &storage::Row| current.live_projection(handle, row);
        let statics = current.statics().map(project);
        let rows: Vec<_> = current.rows().map(project).collect();
        let is_read = |column: &schema::catalog::Column| {
            handle.definition.column_index(&column.name).is_some_and(|at| self.is_read(at))
        };
        print_partition(handle, &current.key, statics.as_ref(), rows.iter(), is_read)
    }

    fn evaluate(&self, execution: &Execution<'_>, current: &CurrentPartition) -> Result<bool> {
        if let Some(condition) = &self.statics
            && !self.evaluate_row(execution, condition, current.statics())?
        {
            return Ok(false);
        }
        for (position, (_, condition)) in &self.rows {
            if !self.evaluate_row(execution, condition, current.row_at(position))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn evaluate_row(
        &self,
        execution: &Execution<'_>,
        condition: &RowCondition<'_>,
        row: Option<&storage::Row>,
    ) -> Result<bool> {
        match condition {
            RowCondition::Exists => Ok(row.is_some()),
            RowCondition::NotExists => Ok(row.is_none()),
            RowCondition::Columns(conditions) => {
                let conditions = conditions.iter().copied();
                for condition in sort_conditions(&self.handle.definition, conditions) {
                    if !condition::evaluate_condition(execution, self.handle, row, condition)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

fn merge_conditions<'w>(existing: &mut RowCondition<'w>, more: RowCondition<'w>) {
    if let (RowCondition::Columns(existing), RowCondition::Columns(more)) = (existing, more) {
        existing.extend(more);
    }
}

fn conditions(write: &BoundWrite) -> &[BoundCondition] {
    match &write.conditions {
        BoundConditions::All(conditions) => conditions,
        _ => &[],
    }
}
