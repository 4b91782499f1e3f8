//! Third stage: statements in the order in which they are sent, and the plan that they make.
//!
//! `assembly` assigns requests to tables and numbers the steps, `batches` decides what is sent
//! together, `effort` counts what it takes, `uses` drops reads that nothing uses. The order is:
//! reads, conditional statements (each alone: the write ends if one is not applied), plain
//! statements, those that depend on them, counter updates.

mod assembly;
mod batches;
pub(super) mod effort;
mod uses;

pub(super) use assembly::assemble_plan;

use model::id::IdList;
use model::plan::{
    IfClause, Modification, Operand, PlanRemark, PlannedStatement, PlannedTable, Precondition,
    Relation,
};

use super::impact::{Impact, unique_key};
use super::request::Request;
use super::requirements::{
    Requirements, ReturnDraft, RowAction, RowWrite, RunDraft, SendOrder, WalkEnd,
};
use crate::Context;
use crate::statement::{self, ColumnValue};

/// A write before its requests are assigned to tables.
pub(super) struct Draft<'a> {
    pub(super) context: Context<'a>,
    pub(super) tables: &'a [PlannedTable],
    /// Rows to read first. Operands refer to them by position until the plan is assembled.
    pub(super) requests: Vec<Request>,
    /// Conditional statements, one after the other.
    pub(super) first: Vec<StatementDraft>,
    /// Plain statements.
    pub(super) rows: Vec<StatementDraft>,
    /// Plain statements that must come after those.
    pub(super) later: Vec<StatementDraft>,
    /// Counter updates.
    pub(super) counts: Vec<StatementDraft>,
    /// Derived writes, run before all but the conditional statements.
    pub(super) runs: Vec<RunDraft>,
    /// The rows that are returned.
    pub(super) returned: Option<ReturnDraft>,
    preconditions: Vec<Precondition>,
    remarks: Vec<PlanRemark>,
    idempotent: bool,
}

/// A statement, with what decides how it is sent.
#[derive(Clone, Debug)]
pub(super) struct StatementDraft {
    pub(super) planned: PlannedStatement,
    /// How often it is sent at most.
    pub(super) most: f64,
    /// The values of the table's partition key.
    pub(super) partition: Vec<ColumnValue>,
    /// It has an IF only to take part in the Paxos rounds of other writes: the write continues
    /// either way.
    pub(super) joins_vote: bool,
}

impl<'a> Draft<'a> {
    /// Builds the statements of what is written, in their groups.
    pub(super) fn new(impact: &Impact<'a>, needs: Requirements<'a>) -> Self {
        let Requirements {
            requests,
            writes,
            runs,
            returned,
            preconditions,
            remarks,
            idempotent,
            ..
        } = needs;
        let (context, tables) = (impact.context, impact.tables);
        let [first, rows, later, counts] = [const { Vec::new() }; 4];
        let mut draft = Self {
            context,
            tables,
            requests,
            first,
            rows,
            later,
            counts,
            runs,
            returned,
            preconditions,
            remarks,
            idempotent,
        };
        for write in writes {
            let list = match write.order {
                SendOrder::Conditional => &mut draft.first,
                SendOrder::Plain => &mut draft.rows,
                SendOrder::Later | SendOrder::Voted => &mut draft.later,
                SendOrder::Counter => &mut draft.counts,
            };
            list.push(StatementDraft::new(context, write));
        }
        draft.order_conditions(impact);
        draft.drop_unused();
        draft
    }

    /// Checks unique keys in the order in which they are likely to fail: alternate keys (such as an
    /// e-mail address) first, the primary key last. What is not an INSERT comes after all: it
    /// cannot be undone where a later condition does not hold.
    fn order_conditions(&mut self, impact: &Impact<'a>) {
        let scopes = impact.scopes();
        let primary = scopes.iter().filter(|scope| unique_key(scope) == Some(0));
        let primary: Vec<_> = primary.map(|scope| scope.at).collect();
        self.first.sort_by_key(|sent| {
            let is_insert = sent.planned.modification.is_insert();
            (!is_insert, primary.contains(&sent.planned.table))
        });
    }
}

impl StatementDraft {
    fn new(context: Context<'_>, write: RowWrite<'_>) -> Self {
        let RowWrite { at, table, action, order, guards, loops, count, tombstones } = write;
        let condition = refusal(action.condition()).filter(|_| order == SendOrder::Conditional);
        let reason = purpose(context, table, &action);
        let (modification, partition) = modification(table, action);
        let planned = PlannedStatement {
            table: at,
            modification,
            loops,
            guards,
            condition: condition.map(str::to_owned),
            rows: count.mean,
            tombstones: tombstones * count.mean,
            reason,
        };
        Self { planned, most: count.most, partition, joins_vote: order == SendOrder::Voted }
    }
}

/// The statement of an action, and the values of the partition key.
fn modification(table: &PlannedTable, action: RowAction<'_>) -> (Modification, Vec<ColumnValue>) {
    let name = &table.name;
    let of_partition = |mut pairs: Vec<ColumnValue>| {
        pairs.retain(|(name, _)| table.partition_key().any(|column| column.name == *name));
        pairs
    };
    match action {
        RowAction::Insert { values, condition } => {
            (statement::insert(name, &values, &condition, None), of_partition(values))
        }
        RowAction::Update { key, assignments, condition } => {
            (statement::update(name, assignments, &key, &condition), of_partition(key))
        }
        RowAction::Delete { key, condition } => {
            (statement::delete(name, &key, &condition), of_partition(key))
        }
        RowAction::DeleteRange { key, bounds } => {
            (statement::delete_range(name, &key, bounds), of_partition(key))
        }
        RowAction::RememberEnd { values, bucket, end, .. } => {
            let timestamp = match end {
                WalkEnd::Oldest => Operand::OldestWins(Box::new(bucket)),
                WalkEnd::Newest => Operand::NewestWins(Box::new(bucket)),
            };
            (statement::insert(name, &values, &IfClause::Always, Some(timestamp)), values)
        }
    }
}

/// What it means that a conditional statement was not applied.
fn refusal(condition: &IfClause) -> Option<&'static str> {
    match condition {
        IfClause::Always => None,
        IfClause::NotExists => Some("not applied: the key already exists; the write ends here"),
        IfClause::Exists => Some("not applied: the row does not exist; the write ends here"),
        IfClause::Columns(relations) if relations.iter().any(is_compared_with_row) => Some(
            "not applied: another write changed the row since it was read; run the write again",
        ),
        IfClause::Columns(_) => Some("not applied: the condition is false; the write ends here"),
    }
}

/// Whether a relation compares with what was read.
fn is_compared_with_row(relation: &Relation) -> bool {
    matches!(relation, Relation::Column { value: Operand::Row { .. }, .. })
}

/// What a table is for, as the reason of a statement.
fn purpose(context: Context<'_>, table: &PlannedTable, action: &RowAction<'_>) -> String {
    if let RowAction::RememberEnd { of, end, .. } = action {
        let (superlative, comparative) = match end {
            WalkEnd::Oldest => ("oldest", "an older"),
            WalkEnd::Newest => ("newest", "a newer"),
        };
        return format!(
            "{} stores the {superlative} bucket of {}: {comparative} bucket gets a later timestamp, so the {superlative} one wins",
            table.name, of.name
        );
    }
    let serves = table.serves.iter();
    let reads = serves.filter_map(|served| context.workload.reads.member(served.read));
    let reads: Vec<_> = reads.map(|read| read.name.as_str()).collect();
    if reads.is_empty() {
        format!("{} is used by writes to find rows", table.name)
    } else {
        format!("{} serves {}", table.name, reads.join(", "))
    }
}
