//! What is written to one table: its values are known, its statement is not made yet.

use model::id::TableId;
use model::plan::{ColumnAssignment, Guard, IfClause, Loop, Operand, PlanRemark, PlannedTable};

use super::RowWriter;
use crate::statement::ColumnValue;
use crate::write_plan::count::Count;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::scope::Scope;

/// What is written to one table.
pub(in crate::write_plan) struct RowWrite<'a> {
    pub(in crate::write_plan) at: TableId,
    pub(in crate::write_plan) table: &'a PlannedTable,
    pub(in crate::write_plan) action: RowAction<'a>,
    pub(in crate::write_plan) order: SendOrder,
    /// It is sent (at this turn of its loops) only if all of these hold.
    pub(in crate::write_plan) guards: Vec<Guard>,
    pub(in crate::write_plan) loops: Vec<Loop>,
    /// How often it is sent.
    pub(in crate::write_plan) count: Count,
    /// Tombstones each time it is sent.
    pub(in crate::write_plan) tombstones: f64,
}

/// What is done to a row.
pub(in crate::write_plan) enum RowAction<'a> {
    /// It is put there.
    Insert { values: Vec<ColumnValue>, condition: IfClause },
    /// Columns of it change.
    Update { key: Vec<ColumnValue>, assignments: Vec<ColumnAssignment>, condition: IfClause },
    /// It is taken away, or all rows under a part of the key.
    Delete { key: Vec<ColumnValue>, condition: IfClause },
    /// The oldest bucket of a table is remembered: the older one wins.
    RememberOldest { of: &'a PlannedTable, values: Vec<ColumnValue>, oldest: Operand },
}

/// When a statement is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::write_plan) enum SendOrder {
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
        belongs: GuardExpression,
        (action, tombstones): (RowAction<'a>, f64),
        order: SendOrder,
    ) -> bool {
        let Some(guards) =
            self.combine_guards(GuardExpression::all([scope.apart.clone(), belongs]))
        else {
            return false;
        };
        let (loops, count) = (scope.loops.clone(), scope.count);
        let (at, table) = (scope.at, scope.table);
        self.writes.push(RowWrite { at, table, action, order, guards, loops, count, tombstones });
        true
    }

    /// The guards of a statement: what all are guarded by, and its own; `None` when it is never sent.
    fn combine_guards(&self, truth: GuardExpression) -> Option<Vec<Guard>> {
        let all = self.guards.iter().cloned().map(GuardExpression::If);
        GuardExpression::all(all.chain([truth])).guards()
    }

    /// Writes under a condition, or without one.
    pub(super) fn write_if(
        &mut self,
        scope: &Scope<'a>,
        belongs: GuardExpression,
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
        belongs: GuardExpression,
        (action, tombstones): (RowAction<'a>, f64),
    ) {
        if self.write(scope, belongs, (action, tombstones), SendOrder::Voted) {
            self.idempotent = false;
            self.remark(PlanRemark::SharedVote { table: scope.table.name.clone() });
        }
    }
}

impl RowAction<'_> {
    /// Its IF.
    pub(in crate::write_plan) const fn condition(&self) -> &IfClause {
        match self {
            Self::Insert { condition, .. }
            | Self::Update { condition, .. }
            | Self::Delete { condition, .. } => condition,
            Self::RememberOldest { .. } => &IfClause::Always,
        }
    }
}
