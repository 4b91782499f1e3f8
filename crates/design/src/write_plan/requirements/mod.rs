//! Second stage: the values that are written, and the requests for what must be read to know them.
//!
//! Values come from the statement, from the row before the write, and from joined rows; what none
//! of them provides becomes a [`Request`]. File by file:
//!
//! - `insert`, `update`, `delete`, `statics`, `counters`: what is written for each kind of change.
//! - `values`, `source_values`, `row_values`: the value of a column of the table, of one of its
//!   sources, and of the row written, each falling back on the next.
//! - `range_delete`: many rows that one DELETE covers.
//! - `row_search`, `elements`, `roles`: which rows of the table a scope stands for.
//! - `membership`: whether a row belongs into the table, before and after.
//! - `conditions`: the IF of the deciding statement, and the guards where no IF can express it.
//! - `row_write`: the result, a write to one table whose statement is not built yet.
//! - `runs`: the derived writes that are run, with their arguments; `result_rows`: what is returned.
//!
//! Values are expressions over parameters and requested rows; whether a row belongs into a table
//! often depends on them. Conditions are therefore collected as guards, folded where they are known
//! at planning time, and evaluated by the client otherwise.

mod conditions;
mod counters;
mod delete;
mod elements;
mod insert;
mod membership;
mod range_delete;
mod result_rows;
mod roles;
mod row_search;
mod row_values;
mod row_write;
mod runs;
mod source_values;
mod statics;
mod update;
mod values;

pub(super) use result_rows::ReturnDraft;
pub(super) use row_write::{RowAction, RowWrite, SendOrder, WalkEnd};
pub(super) use runs::RunDraft;

use model::plan::{Guard, PlanRemark, Precondition};
use model::workload::WriteKind;

use super::impact::target::AttributeChange;
use super::impact::{AffectedRows, ConditionCheck, Impact, RowChange};
use super::request::Request;
use row_values::RowValues;

/// Resolves what is written to the affected rows.
struct RowWriter<'a> {
    values: RowValues<'a>,
    /// Guards of every statement.
    guards: Vec<Guard>,
    writes: Vec<RowWrite<'a>>,
    runs: Vec<RunDraft>,
    returned: Option<ReturnDraft>,
    remarks: Vec<PlanRemark>,
    idempotent: bool,
}

/// What must be read first, and what is written then.
pub(super) struct Requirements<'a> {
    /// Rows to read first. Operands refer to them by position until the plan is assembled.
    pub(super) requests: Vec<Request>,
    /// What is written, in order.
    pub(super) writes: Vec<RowWrite<'a>>,
    /// The derived writes that are run.
    pub(super) runs: Vec<RunDraft>,
    /// The rows that are returned.
    pub(super) returned: Option<ReturnDraft>,
    pub(super) preconditions: Vec<Precondition>,
    pub(super) remarks: Vec<PlanRemark>,
    /// The rows written must be read before anything else: the draft has to be restarted that way.
    pub(super) restart: bool,
    pub(super) idempotent: bool,
}

/// What the affected rows need.
pub(super) fn resolve<'a>(
    impact: &Impact<'a>,
    affected: Vec<AffectedRows<'a>>,
) -> Requirements<'a> {
    let mut writer = RowWriter::new(impact.clone());
    writer.require_condition_table();
    if !matches!(impact.write.kind, WriteKind::Insert(_)) {
        writer.guard_conditions();
    }
    for rows in affected {
        writer.resolve(rows);
    }
    writer.remark_on_update();
    writer.run_derived();
    writer.return_rows();
    let RowWriter { values, writes, runs, returned, remarks, idempotent, .. } = writer;
    let RowValues { requests, preconditions, restart, .. } = values;
    Requirements { requests, writes, runs, returned, preconditions, remarks, restart, idempotent }
}

impl<'a> RowWriter<'a> {
    fn new(impact: Impact<'a>) -> Self {
        let adds = |after: &AttributeChange| {
            matches!(after, AttributeChange::Plus(_) | AttributeChange::Less(_))
        };
        let is_update = matches!(impact.write.kind, WriteKind::Update(..));
        let idempotent = !(is_update && impact.target.after.iter().any(adds));
        let (guards, writes, runs, remarks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (values, returned) = (RowValues::new(impact), None);
        Self { values, guards, writes, runs, returned, remarks, idempotent }
    }

    fn resolve(&mut self, rows: AffectedRows<'a>) {
        let AffectedRows { mut scope, change } = rows;
        match change {
            RowChange::Insert(condition) => self.insert(&mut scope, &condition),
            RowChange::InsertStatics => self.insert_statics(&mut scope),
            RowChange::Count => self.count(&mut scope),
            RowChange::Update(changes) => self.update(scope, changes),
            RowChange::Recount => self.recount(scope),
            RowChange::Delete => self.delete(&mut scope),
            RowChange::DeleteStatics => self.delete_statics(&mut scope),
            RowChange::Uncount => self.uncount(&mut scope),
        }
    }

    /// Requests a table for the write's condition where none can check it.
    fn require_condition_table(&mut self) {
        match self.values.impact.condition_check() {
            ConditionCheck::Unchecked => {}
            ConditionCheck::On(table) => self.values.main = Some(table),
            ConditionCheck::Missing { wants, reason, table } => {
                self.values.require_table(wants, reason);
                self.values.main = table;
            }
            ConditionCheck::OnWhatWasRead => self.remark(PlanRemark::CounterCondition),
            ConditionCheck::RowsFirst => self.values.restart = true,
        }
    }

    /// Adds remarks on an UPDATE that follow from all of its statements.
    fn remark_on_update(&mut self) {
        if !matches!(self.values.impact.write.kind, WriteKind::Update(..)) {
            return;
        }
        if !self.values.impact.write.implies.is_empty() {
            return;
        }
        let Some(entity) = self.values.impact.entity() else { return };
        let sends = |order| self.writes.iter().any(|write| write.order == order);
        let (rows, conditional, counts) =
            (sends(SendOrder::Plain), sends(SendOrder::Conditional), sends(SendOrder::Counter));
        if entity.retain.is_some() && rows {
            self.remark(PlanRemark::LaterExpiry);
        }
        if !(conditional || rows || counts) {
            self.remark(PlanRemark::NothingToChange);
        }
    }

    /// Adds a remark to the plan, once.
    fn remark(&mut self, remark: PlanRemark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }
}
