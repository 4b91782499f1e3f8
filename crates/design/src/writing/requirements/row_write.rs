//! What is written to one table: its values are known, its statement is not made yet.

use model::id::TableId;
use model::plan::{ColumnAssignment, Guard, IfClause, Loop, Operand, PlannedTable, Remark};

use super::RowWriter;
use crate::statement::Pair;
use crate::writing::count::Count;
use crate::writing::scope::Scope;
use crate::writing::truth::Truth;

/// What is written to one table.
pub(in crate::writing) struct RowWrite<'a> {
    pub(in crate::writing) at: TableId,
    pub(in crate::writing) table: &'a PlannedTable,
    pub(in crate::writing) action: RowAction<'a>,
    pub(in crate::writing) order: SendOrder,
    /// It is sent (at this turn of its loops) only if all of these hold.
    pub(in crate::writing) guards: Vec<Guard>,
    pub(in crate::writing) loops: Vec<Loop>,
    /// How often it is sent.
    pub(in crate::writing) count: Count,
    /// Tombstones each time it is sent.
    pub(in crate::writing) tombstones: f64,
}

/// What is done to a row.
pub(in crate::writing) enum RowAction<'a> {
    /// It is put there.
    Insert { values: Vec<Pair>, condition: IfClause },
    /// Columns of it change.
    Update { key: Vec<Pair>, assignments: Vec<ColumnAssignment>, condition: IfClause },
    /// It is taken away, or all rows under a part of the key.
    Delete { key: Vec<Pair>, condition: IfClause },
    /// The oldest bucket of a table is remembered: the older one wins.
    RememberOldest { of: &'a PlannedTable, values: Vec<Pair>, oldest: Operand },
}

/// When a statement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::writing) enum SendOrder {
    /// First, and alone: the others wait for what its IF says.
    Conditional,
    /// With the others.
    Plain,
    /// After those, on which it depends.
    Later,
    /// After those, under an IF for the sake of another write's IF: whatever it answers, the write goes on.
    Voted,
    /// Among the updates of counters.
    Counter,
}

impl<'a> RowWriter<'a> {
    /// Writes to the rows of a scope; `false` where the guards never hold.
    pub(super) fn write(
        &mut self,
        scope: &Scope<'a>,
        belongs: Truth,
        (action, tombstones): (RowAction<'a>, f64),
        order: SendOrder,
    ) -> bool {
        let Some(guards) = self.guarded(Truth::all([scope.apart.clone(), belongs])) else {
            return false;
        };
        let (loops, count) = (scope.loops.clone(), scope.count);
        let (at, table) = (scope.at, scope.table);
        self.writes.push(RowWrite { at, table, action, order, guards, loops, count, tombstones });
        true
    }

    /// The guards of a statement: what all are guarded by, and its own; `None` when it is never sent.
    fn guarded(&self, truth: Truth) -> Option<Vec<Guard>> {
        let all = self.guards.iter().cloned().map(Truth::If);
        Truth::all(all.chain([truth])).guards()
    }

    /// Writes under a condition, or without one.
    pub(super) fn write_if(
        &mut self,
        scope: &Scope<'a>,
        belongs: Truth,
        (action, tombstones): (RowAction<'a>, f64),
    ) -> bool {
        let order = match action.condition() {
            IfClause::Always => SendOrder::Plain,
            IfClause::Exists | IfClause::NotExists | IfClause::Columns(_) => SendOrder::Conditional,
        };
        let is_sent = self.write(scope, belongs, (action, tombstones), order);
        self.idempotent &= !is_sent || order == SendOrder::Plain;
        is_sent
    }

    /// Writes under an IF because rows of the table come by an INSERT with one: after all others, each alone.
    pub(super) fn write_with_vote(
        &mut self,
        scope: &Scope<'a>,
        belongs: Truth,
        (action, tombstones): (RowAction<'a>, f64),
    ) {
        if self.write(scope, belongs, (action, tombstones), SendOrder::Voted) {
            self.idempotent = false;
            self.remark(Remark::SharedVote { table: scope.table.name.clone() });
        }
    }
}

impl RowAction<'_> {
    /// Its IF.
    pub(in crate::writing) const fn condition(&self) -> &IfClause {
        match self {
            Self::Insert { condition, .. }
            | Self::Update { condition, .. }
            | Self::Delete { condition, .. } => condition,
            Self::RememberOldest { .. } => &IfClause::Always,
        }
    }
}
