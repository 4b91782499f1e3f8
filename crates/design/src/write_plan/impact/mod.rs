//! First stage: which rows of which tables a write affects, and how.
//!
//! Everything follows from the write and the tables alone: no value is resolved and no statement is
//! produced here. File by file:
//!
//! - `target`: the row written, before and after, as far as the statement says.
//! - `insert`, `update`, `delete`, `statics`: what becomes of a table's rows.
//! - `changes`, `columns`: which parts of a table a write changes.
//! - `condition`: where the write's condition is checked; `constraints`: what nothing checks.
//! - `roles`: tables in which the entity occurs several times.

mod changes;
mod columns;
mod condition;
mod constraints;
mod delete;
mod insert;
mod roles;
mod statics;
pub(super) mod target;
mod update;

pub(super) use changes::TableChanges;
pub(super) use columns::{can_be_null, source_columns};
pub(super) use condition::{ConditionCheck, ConditionTable, is_supported_by_if, unique_key};
pub(super) use statics::{is_partition_determined, is_written_with_entity, statics_of};

use model::concept::Entity;
use model::id::{AttributeId, IdList, SourceId, StepId};
use model::plan::{IfClause, Loop, Operand, PlannedTable, Precondition};
use model::workload::{Column, Write, WriteKind};

use super::count;
use super::guard_expression::GuardExpression;
use super::join_graph::JoinGraph;
use super::request::Request;
use super::scope::Scope;
use crate::Context;
use target::WriteTarget;

/// A write and the tables that it may affect.
#[derive(Clone)]
pub(super) struct Impact<'a> {
    pub(super) context: Context<'a>,
    pub(super) write: &'a Write,
    pub(super) tables: &'a [PlannedTable],
    pub(super) target: WriteTarget,
    /// The request for the rows written, where they must be read before anything else.
    pub(super) rows_first: Option<Request>,
    /// The tables are not all there will be: what these cannot do is left to the others.
    pub(super) partial: bool,
}

/// The rows of one table that a write affects.
pub(super) struct AffectedRows<'a> {
    /// The rows of one table.
    pub(super) scope: Scope<'a>,
    /// What becomes of them.
    pub(super) change: RowChange,
}

/// What becomes of rows.
pub(super) enum RowChange {
    /// A row comes.
    Insert(IfClause),
    /// The static columns of a partition come.
    InsertStatics,
    /// A row that comes is counted.
    Count,
    /// Columns change, or the row moves.
    Update(TableChanges),
    /// A row that changes is counted differently.
    Recount,
    /// The row goes.
    Delete,
    /// The static columns of a partition go.
    DeleteStatics,
    /// A row that goes is no longer counted.
    Uncount,
}

impl<'a> Impact<'a> {
    pub(super) fn new(
        context: Context<'a>,
        tables: &'a [PlannedTable],
        write: &'a Write,
        rows_first: bool,
    ) -> Self {
        let target = WriteTarget::new(context, write, rows_first);
        let mut impact = Self { context, write, tables, target, rows_first: None, partial: false };
        if impact.target.rows_first {
            impact.read_rows_first();
        }
        impact
    }

    /// What the write does, in the order of the tables.
    pub(super) fn find_affected_rows(&self) -> Vec<AffectedRows<'a>> {
        let change = |scope: &Scope<'a>| match self.write.kind {
            WriteKind::Insert(_) => self.insertion(scope),
            // The derived writes move the row.
            WriteKind::Update(..) if !self.write.implies.is_empty() => None,
            WriteKind::Update(..) => Some(self.update(scope)),
            WriteKind::Delete(_) => delete::deletion(scope),
            WriteKind::Upsert(_) | WriteKind::Rows(_) => None,
        };
        let scopes = self.scopes_by_roles().into_iter();
        scopes.filter_map(|scope| Some(AffectedRows { change: change(&scope)?, scope })).collect()
    }

    /// What must hold before the write for its plan to be correct.
    pub(super) fn preconditions(&self) -> Vec<Precondition> {
        let Some(entity) = self.entity() else { return Vec::new() };
        match self.write.kind {
            WriteKind::Insert(_) => self.insert_preconditions(entity),
            WriteKind::Update(..) => self.update_preconditions(entity),
            WriteKind::Delete(_) => self.delete_preconditions(entity),
            WriteKind::Upsert(_) | WriteKind::Rows(_) => Vec::new(),
        }
    }

    /// The entity written.
    pub(in crate::write_plan) fn entity(&self) -> Option<&'a Entity> {
        self.context.concept.entities.member(self.target.entity)
    }

    /// The name of the entity written.
    pub(in crate::write_plan) fn name(&self) -> &'a str {
        self.entity().map_or("", |entity| &entity.name)
    }

    /// The tables that hold the entity, once for each of their sources that is the entity.
    pub(in crate::write_plan) fn scopes(&self) -> Vec<Scope<'a>> {
        let mut scopes = Vec::new();
        for (at, table) in self.tables.enumerate_ids() {
            // Maintained by the server, or along with another table.
            if table.remembers.is_some() || table.view_of.is_some() {
                continue;
            }
            let shape = JoinGraph { concept: self.context.concept, sources: &table.holds.sources };
            for (source, held) in table.holds.sources.enumerate_ids() {
                if held.entity == self.target.entity {
                    scopes.push(Scope {
                        at,
                        table,
                        shape,
                        source,
                        also: Vec::new(),
                        others: Vec::new(),
                        apart: GuardExpression::Always,
                        found: None,
                        loops: self.target.loops.clone(),
                        count: self.target.count,
                        elements: Vec::new(),
                        partners: Vec::new(),
                        parents: Vec::new(),
                    });
                }
            }
        }
        scopes
    }

    /// Requests the rows written before anything else.
    fn read_rows_first(&mut self) {
        let Some(entity) = self.entity() else { return };
        let mut request = self.target_request(entity);
        for slot in &mut self.target.known {
            if slot.as_ref().is_some_and(|operand| matches!(operand, Operand::Turn(_))) {
                *slot = None;
            }
        }
        self.target.loops = vec![Loop::Rows(StepId::new(0))];
        if !entity.keys.iter().any(|key| key.iter().all(|part| self.target.key.contains(part))) {
            let reads = count::rows_under(entity, &self.target.key);
            self.target.count = self.target.count.times(reads);
        }
        request.count = self.target.count;
        self.rows_first = Some(request);
    }

    /// The request for the row before the write.
    pub(in crate::write_plan) fn target_request(&self, entity: &Entity) -> Request {
        let known = self.target.key.iter().filter_map(|attribute| {
            let operand = self.target.known.get(attribute.index())?.clone()?;
            Some((Column { source: SourceId::new(0), attribute: *attribute }, operand))
        });
        let mut request = Request::for_entity(self.target.entity, &entity.name, known.collect());
        request.loops.clone_from(&self.target.loops);
        (request.times, request.count) = (self.target.count, self.target.count);
        request.reason = format!("the row of {} before the write", entity.name);
        // A whole key needs no more; the tenant may stand beside it.
        let held = |key: &&Vec<AttributeId>| key.iter().all(|part| self.target.key.contains(part));
        if let Some(key) = entity.keys.iter().find(held) {
            request.enough.retain(|column| key.contains(&column.attribute));
        }
        let key = entity.primary_key().iter();
        request
            .distinct
            .extend(key.map(|part| Column { source: SourceId::new(0), attribute: *part }));
        request
    }
}
