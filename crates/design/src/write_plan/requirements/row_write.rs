//! A write to one table whose values are resolved and whose statement is not built yet.

use model::id::TableId;
use model::plan::{
    ColumnAssignment, Guard, IfClause, Loop, Operand, PlanRemark, PlannedTable, Relation,
};

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
    /// It is sent (in a turn of its loops) only if all of these hold.
    pub(in crate::write_plan) guards: Vec<Guard>,
    pub(in crate::write_plan) loops: Vec<Loop>,
    /// How often it is sent.
    pub(in crate::write_plan) count: Count,
    /// Tombstones each time it is sent.
    pub(in crate::write_plan) tombstones: f64,
}

/// An end of the buckets of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::write_plan) enum WalkEnd {
    /// The oldest bucket.
    Oldest,
    /// The newest bucket.
    Newest,
}

/// What is done to a row.
pub(in crate::write_plan) enum RowAction<'a> {
    /// The row is inserted.
    Insert { values: Vec<ColumnValue>, condition: IfClause },
    /// Columns of the row change.
    Update { key: Vec<ColumnValue>, assignments: Vec<ColumnAssignment>, condition: IfClause },
    /// The row is deleted, or all rows under a prefix of the key.
    Delete { key: Vec<ColumnValue>, condition: IfClause },
    /// The rows under a prefix of the key are deleted, between bounds of what follows it.
    DeleteRange { key: Vec<ColumnValue>, bounds: Vec<Relation> },
    /// The oldest bucket of a table is recorded, and the older one wins; or the newest.
    RememberEnd { of: &'a PlannedTable, values: Vec<ColumnValue>, bucket: Operand, end: WalkEnd },
}

/// When a statement is sent, in relation to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::write_plan) enum SendOrder {
    /// First, and alone: the others are sent once it was applied.
    Conditional,
    /// With the others.
    Plain,
    /// After the plain ones, on which it depends.
    Later,
    /// After the plain ones, with an IF that makes it take part in the Paxos rounds of other
    /// writes; whether it is applied does not matter.
    Voted,
    /// With the counter updates.
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

    /// The guards of a statement: what all are guarded by, and its own; `None` when it is never
    /// sent.
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

    /// Writes with an IF because rows of the table are inserted with one: after all others, each
    /// alone.
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
            Self::DeleteRange { .. } | Self::RememberEnd { .. } => &IfClause::Always,
        }
    }
}
