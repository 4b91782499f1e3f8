//! Conditional writes: the partition is locked, its rows are read, and if all conditions hold, it is written.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use schema::access::WriteTarget;
use schema::bind::write::{
    BoundCondition, BoundConditions, BoundWrite, check_applied, in_server_order,
};
use schema::catalog::ColumnKind;
use storage::{PartitionKey, Position, Slice};

use super::PlannedWrite;
use super::changes::Changes;
use super::condition;
use super::current::Current;
use super::not_applied;
use super::retime::retime;
use super::statement::Statement;
use super::stored::slice_of;
use super::target::{self, Target};
use super::times::Times;
use crate::answer::Outcome;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::node::handle::TableHandle;

/// Carries out writes of one partition if their conditions hold.
pub(super) fn carry_out(
    execution: &Execution<'_>,
    writes: &[PlannedWrite<'_>],
    is_batch: bool,
) -> Result<Outcome> {
    let mut statements = Vec::with_capacity(writes.len());
    for write in writes {
        statements.push(Statement::new(execution, *write)?);
    }
    let Some((handle, key)) = statements
        .first()
        .and_then(|first| Some((Arc::clone(&first.handle), first.keys.first()?.clone())))
    else {
        return Ok(Outcome::Void);
    };
    if statements.iter().any(|one| one.keys.first() != Some(&key)) {
        return Err(Error::invalid("Batch with conditions cannot span multiple partitions"));
    }
    let mut request = Request::new(&handle, writes, is_batch);
    for write in writes.iter().filter(|write| write.plan.conditional) {
        request.ask(execution, *write)?;
    }
    let locked = [(handle.id, key.clone())];
    let _guards = execution.node.locks.lock(locked.iter().map(|(table, key)| (table, key)));
    execution.record_read_before_write();
    let current = request.read(execution, &key);
    if !request.holds(execution, &current)? {
        return Ok(Outcome::Rows(not_applied::answer(&request, &current)));
    }
    let now_ms = execution.now_seconds().saturating_mul(1000);
    writes.iter().try_for_each(|one| check_applied(one.write, now_ms))?;
    let timestamp = execution.node.unique_micros();
    let mut changes = Changes::default();
    for statement in &statements {
        let times = Times::new(execution, statement.write, timestamp);
        statement.add_to(execution, times, Some(&current), &mut changes)?;
    }
    changes.join_rows();
    for change in changes.iter_mut() {
        retime(&handle.layout, &mut change.update, timestamp);
    }
    execution.apply(changes.into_mutations(), &locked)?;
    Ok(Outcome::Rows(not_applied::applied(&handle)))
}

/// What is asked of a row.
pub(super) enum Asked<'w> {
    Exists,
    NotExists,
    Columns(Vec<&'w BoundCondition>),
}

/// What conditions ask of the rows of a partition.
pub(super) struct Request<'w> {
    pub(super) handle: &'w Arc<TableHandle>,
    pub(super) is_batch: bool,
    /// What is asked of the static row.
    statics: Option<Asked<'w>>,
    /// What is asked of rows, in their order.
    rows: BTreeMap<Position, (Slice, Asked<'w>)>,
    /// The columns that are shown if it does not hold; all of them when rows are asked to exist or not to.
    pub(super) shown: Option<Vec<usize>>,
    /// Which columns are read, by their position in the definition.
    reads: Vec<bool>,
}

impl<'w> Request<'w> {
    fn new(handle: &'w Arc<TableHandle>, writes: &[PlannedWrite<'w>], is_batch: bool) -> Self {
        let conditional = || writes.iter().filter(|write| write.plan.conditional);
        let columns = handle.definition.columns();
        let kind_of = |column: usize| columns.get(column).map(|column| column.kind);
        let updates_rows = writes.iter().any(|one| one.write.updates_rows());
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
            let read_by_conditions = conditions(write.write).iter().map(|one| one.column);
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
    fn ask(&mut self, execution: &Execution<'_>, planned: PlannedWrite<'w>) -> Result<()> {
        let write = planned.write;
        let row = match target::rows(execution, self.handle, planned)? {
            Target::Partition if planned.plan.target == WriteTarget::Statics => None,
            Target::Partition => Some(Vec::new()),
            Target::Rows(rows) => Some(rows.into_iter().next().unwrap_or_default()),
            Target::Ranges(_) => return Ok(()),
        };
        match &write.conditions {
            BoundConditions::None => {}
            BoundConditions::Exists => {
                self.shown = None;
                self.put(row.as_deref(), Asked::Exists);
            }
            BoundConditions::NotExists => {
                self.shown = None;
                self.put(row.as_deref(), Asked::NotExists);
            }
            BoundConditions::All(conditions) => {
                let is_static = |one: &&BoundCondition| {
                    let column = self.handle.definition.columns().get(one.column);
                    column.is_some_and(|column| column.kind == ColumnKind::Static)
                };
                let (statics, regulars): (Vec<_>, Vec<_>) = conditions.iter().partition(is_static);
                if let Some(shown) = &mut self.shown {
                    shown.extend(regulars.iter().chain(&statics).map(|one| one.column));
                }
                if !regulars.is_empty() {
                    self.put(row.as_deref(), Asked::Columns(regulars));
                }
                if !statics.is_empty() {
                    self.put(None, Asked::Columns(statics));
                }
            }
        }
        Ok(())
    }

    /// Several statements may ask the same of a row; `model` refuses contradictions.
    fn put(&mut self, row: Option<&[Option<Cow<'_, [u8]>>]>, asked: Asked<'w>) {
        let known = match row {
            None => &mut self.statics,
            Some(clustering) => {
                let slice = slice_of(self.handle, clustering);
                let values: Vec<_> = clustering.iter().map(Option::as_deref).collect();
                let position = self.handle.row_position(&values);
                match self.rows.entry(position) {
                    std::collections::btree_map::Entry::Vacant(place) => {
                        place.insert((slice, asked));
                    }
                    std::collections::btree_map::Entry::Occupied(mut place) => {
                        join(&mut place.get_mut().1, asked);
                    }
                }
                return;
            }
        };
        match known {
            None => *known = Some(asked),
            Some(known) => join(known, asked),
        }
    }

    /// Reads the rows that are asked about; if only the static row is, the first row with it, so that an empty static
    /// row of a partition can be told from no partition.
    fn read(&self, execution: &Execution<'_>, key: &PartitionKey) -> Current {
        let slices: Vec<Slice> = self.rows.values().map(|(slice, _)| slice.clone()).collect();
        let now = execution.now_seconds();
        let reads = |column: usize| self.reads.get(column).copied().unwrap_or(false);
        Current::read(self.handle, key, &slices, now, reads)
    }

    fn holds(&self, execution: &Execution<'_>, current: &Current) -> Result<bool> {
        if let Some(asked) = &self.statics
            && !self.is(execution, asked, current.statics())?
        {
            return Ok(false);
        }
        for (position, (_, asked)) in &self.rows {
            if !self.is(execution, asked, current.row_at(position))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is(
        &self,
        execution: &Execution<'_>,
        asked: &Asked<'_>,
        row: Option<&storage::Row>,
    ) -> Result<bool> {
        match asked {
            Asked::Exists => Ok(row.is_some()),
            Asked::NotExists => Ok(row.is_none()),
            Asked::Columns(conditions) => {
                let conditions = conditions.iter().copied();
                for condition in in_server_order(&self.handle.definition, conditions) {
                    if !condition::holds(execution, self.handle, row, condition)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

fn join<'w>(known: &mut Asked<'w>, more: Asked<'w>) {
    if let (Asked::Columns(known), Asked::Columns(more)) = (known, more) {
        known.extend(more);
    }
}

fn conditions(write: &BoundWrite) -> &[BoundCondition] {
    match &write.conditions {
        BoundConditions::All(conditions) => conditions,
        _ => &[],
    }
}
