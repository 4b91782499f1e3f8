//! Static columns: who writes them.
//!
//! They belong to an entity of which many rows of the table are. Where the partition follows from that entity alone and its
//! rows are inserted by the application, they are written with it, once; else with every row, for which the entity must be
//! read. A partition may therefore have static columns and no rows, and reads leave such a row without a key out.

use model::id::Numbered;
use model::plan::{IfClause, PlannedColumn, PlannedTable, Role};
use model::workload::WriteKind;

use super::draft::{Draft, Scope, When};
use super::rows::Effect;
use super::shape::Shape;
use super::truth::Truth;
use super::values::made_from;
use crate::Context;
use crate::statement;

/// Whether the static columns of a source's entity are written with that entity.
pub(super) fn kept_by_entity(context: Context<'_>, table: &PlannedTable, source: usize) -> bool {
    let shape = Shape { concept: context.concept, sources: &table.holds.sources };
    let Some(held) = table.holds.sources.get(source) else { return false };
    let inserted = context
        .workload
        .writes
        .iter()
        .any(|write| write.entity == held.entity && matches!(write.kind, WriteKind::Insert(_)));
    // With a retention they would expire while rows still come.
    let retained = table.holds.sources.iter().any(|held| {
        context.concept.entities.at(held.entity).is_some_and(|entity| entity.retain.is_some())
    });
    inserted && !retained && partition_follows(shape, table, source)
}

/// Whether the partition key follows from a source's entity alone.
pub(super) fn partition_follows(shape: Shape<'_>, table: &PlannedTable, source: usize) -> bool {
    table
        .partition_key()
        .flat_map(made_from)
        .all(|column| shape.attribute_at(column, source).is_some())
        && !table
            .partition_key()
            .any(|column| matches!(column.derivation, model::plan::Derivation::Element(_)))
}

impl<'a> Draft<'a> {
    /// Whether a static column is written with its own entity rather than with each row.
    pub(super) fn has_keeper(&self, scope: &Scope<'a>, column: &PlannedColumn) -> bool {
        made_from(column).first().is_some_and(|of| {
            of.source != scope.source && kept_by_entity(self.context, scope.table, of.source)
        })
    }

    /// The static columns that are of the entity written.
    fn statics(scope: &Scope<'a>) -> Vec<&'a PlannedColumn> {
        let of_source = |column: &&PlannedColumn| {
            column.role == Role::Static
                && made_from(column).first().is_some_and(|of| of.source == scope.source)
        };
        scope.table.columns.iter().filter(of_source).collect()
    }

    /// Writes the static columns of a new row of their entity.
    pub(super) fn put_statics(&mut self, scope: &mut Scope<'a>) -> bool {
        let statics = Self::statics(scope);
        if statics.is_empty() || !kept_by_entity(self.context, scope.table, scope.source) {
            return false;
        }
        let Some(mut values) = self.key(scope, When::After, true) else { return false };
        let key = values.len();
        for column in statics {
            if let super::draft::Term::Is(value) = self.column(scope, column, When::After) {
                values.push((column.name.clone(), value));
            }
        }
        if values.len() == key {
            // None of them is given: there is nothing to write yet.
            return true;
        }
        let modification = statement::insert(&scope.table.name, &values, &IfClause::Always, None);
        let planned = self.statement(scope, (modification, &values), Truth::Always, Effect::ROW);
        self.rows.extend(planned);
        true
    }

    /// Changes the static columns of a row of their entity that changes.
    pub(super) fn change_statics(&mut self, scope: &mut Scope<'a>) {
        let mut assignments = Vec::new();
        let mut tombstones = 0.0;
        for column in Self::statics(scope) {
            if self.affects_column(scope, column) {
                let (assignment, deletes) = self.assignment(scope, column);
                assignments.push(assignment);
                tombstones += deletes;
            }
        }
        if assignments.is_empty() {
            return;
        }
        if !partition_follows(scope.shape, scope.table, scope.source) && scope.found.is_none() {
            self.find(scope);
        }
        let Some(key) = self.key(scope, When::Before, true) else { return };
        let condition = self.main_condition(scope);
        let modification = statement::update(&scope.table.name, assignments, &key, &condition);
        let effect = Effect { tombstones, ..Effect::ROW };
        let planned = self.statement(scope, (modification, &key), Truth::Always, effect);
        if let Some(sent) = planned {
            self.send(sent, &condition);
        }
    }

    /// Deletes what a partition still has of an entity's row that goes: its static columns.
    pub(super) fn take_statics(&mut self, scope: &mut Scope<'a>) {
        if Self::statics(scope).is_empty()
            || !partition_follows(scope.shape, scope.table, scope.source)
        {
            return;
        }
        let Some(key) = self.key(scope, When::Before, true) else { return };
        let modification = statement::delete(&scope.table.name, &key, &IfClause::Always);
        let planned = self.statement(scope, (modification, &key), Truth::Always, Effect::DELETION);
        self.rows.extend(planned);
    }
}
