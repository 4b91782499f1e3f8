//! A design as data: the tables, the plans of reads and writes, and the notes about them.
//!
//! Nothing here decides anything. `design` makes these values; reports print them, the proof runs
//! them and client code is generated from them. Reads, writes and tables are named by typed
//! positions in their lists.
//!
//! - `table`, `index` and `volume`: the tables with their columns, keys, options, indexes and partition
//!   sizes.
//! - `read` and `write`: the steps of a plan; `statement` has their CQL statements as trees,
//!   `effort` what running them once takes.
//! - `note` and `topic`: refusals, warnings, alternatives and assumptions about the design.
//! - `allowance`: what `helenus check` reports of it, and is decided so on purpose.
//! - `remark` and `precondition`: what to know about one plan, and what must hold before a write.
//! - `choice`: the result of the search over designs, `difference` that between two of them. `names` lists names in a sentence.

mod allowance;
mod choice;
mod client_check;
mod difference;
mod effort;
mod index;
mod names;
mod note;
mod precondition;
mod read;
mod remark;
mod restriction;
mod statement;
mod table;
pub mod topic;
mod volume;
mod write;

pub use allowance::{Allowance, AllowanceReason, AllowedStatements};
pub use choice::{DesignChoice, DesignCost, PriceParts, RateFlip, RejectedAlternative, RunnerUp};
pub use client_check::{ClientCheck, is_checked_by_client, is_met, list_client_checks};
pub use difference::{DesignDifference, EffortMeasure, StatementDifference};
pub use effort::Effort;
pub use index::{IndexFigures, PlannedIndex};
pub use names::list_names;
pub use note::{Note, NoteKind, NoteSubject};
pub use precondition::Precondition;
pub use read::{BucketWalk, ClientStep, Loop, Operand, ReadPlan, ReadStep};
pub use remark::PlanRemark;
pub use statement::{
    AggregateFunction, AssignmentOperator, ColumnAssignment, Delete, IfClause, Insert, Marker,
    Modification, Receiver, Relation, RowLimit, Select, SelectExpression, SelectItem,
    StatementText, Update,
};
pub use table::{
    Bucket, ColumnRole, Derivation, Direction, MappingReason, MappingRule, PlannedColumn,
    PlannedOptions, PlannedTable, ReadPart, RowDefinition, ServedRead,
};
pub use topic::Topic;
pub use volume::{CollectionGrowth, FileSpan, FileSpanBasis, Quantiles, Volume, first_day};
pub use write::{Guard, PlannedRun, PlannedStatement, ReturnedRows, WritePlan, WriteStep};

use std::collections::BTreeSet;

use crate::concept::AttributeRef;
use crate::id::{IdList, WriteId, members};
use topic::{KeyTopic, NullTopic};

members! {
    ReadPlan: ReadId;
    WritePlan: WriteId;
    PlannedTable: TableId;
    ReadStep: StepId;
    WriteStep: StepId;
    Loop: LoopId;
}

/// A whole design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Design {
    /// The tables, those of the reads first, in the order of the reads.
    pub tables: Vec<PlannedTable>,
    /// A plan for each read of the workload, in its order.
    pub reads: Vec<ReadPlan>,
    /// A plan for each write of the workload, in its order.
    pub writes: Vec<WritePlan>,
    /// Refusals, warnings, alternatives and assumptions, in that order.
    pub notes: Vec<Note>,
    /// The decisions that `helenus check` would report.
    pub allowances: Vec<Allowance>,
    /// The points of the two checklists of the method.
    pub checklists: Vec<Checklist>,
    /// The result of the search over designs; `None` when the mapping rules alone made it.
    pub choice: Option<DesignChoice>,
}

impl Design {
    /// The nullable attributes that it assumes never to be null.
    pub fn never_null_attributes(&self) -> impl Iterator<Item = AttributeRef> {
        self.notes.iter().filter_map(|note| match note.topic {
            Topic::Null(NullTopic::NeverNull { attribute, .. }) => Some(attribute),
            _ => None,
        })
    }

    /// The attributes that it assumes never to be empty.
    pub fn never_empty_attributes(&self) -> impl Iterator<Item = AttributeRef> {
        let lists = self.notes.iter().filter_map(|note| match &note.topic {
            Topic::Key(KeyTopic::NeverEmpty { attributes }) => Some(attributes),
            _ => None,
        });
        lists.flatten().map(|(attribute, _)| *attribute)
    }

    /// The preconditions of a write: those of its plan, and of the plans that it runs.
    pub fn list_preconditions(&self, write: WriteId) -> Vec<&Precondition> {
        let mut found = Vec::new();
        let mut open = vec![write];
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            let Some(plan) = self.writes.member(at).filter(|_| seen.insert(at)) else { continue };
            found.extend(&plan.preconditions);
            open.extend(plan.steps.iter().filter_map(|step| match step {
                WriteStep::Run(run) => Some(run.write),
                _ => None,
            }));
        }
        found
    }
}

/// A checklist of the design method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checklist {
    /// Its title.
    pub title: &'static str,
    /// Its points.
    pub points: Vec<ChecklistItem>,
}

/// One point of a checklist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChecklistItem {
    /// The question.
    pub asks: &'static str,
    /// Whether it holds; `None` when it does not apply.
    pub holds: Option<bool>,
    /// The figure that supports the answer.
    pub evidence: String,
}
