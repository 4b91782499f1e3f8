//! The table on which a write's condition is checked: conditions of the statement, uniqueness,
//! `@strict`.
//!
//! Only one conditional statement decides a write: Cassandra's IF covers one partition, so the
//! other tables are written once it was applied.

use std::collections::BTreeSet;

use model::concept::{Constraint, Entity};
use model::id::{AttributeId, IdList, SourceId, TableId};
use model::plan::{ColumnRole, IfClause, Precondition};
use model::workload::{Column, DerivedPart, Predicate, Write, WriteKind};

use super::target::AttributeChange;
use super::{Impact, is_written_with_entity, source_columns};
use crate::write_plan::join_graph::JoinHop;
use crate::write_plan::scope::Scope;

/// How a write's condition is checked.
pub(in crate::write_plan) enum ConditionCheck {
    /// There is none, or guards of the statements check it.
    Unchecked,
    /// By the IF of a statement on a table.
    On(ConditionTable),
    /// On a table that must be added, with these columns.
    Missing {
        wants: BTreeSet<Column>,
        reason: &'static str,
        /// The table that it will be, where there may be more tables.
        table: Option<ConditionTable>,
    },
    /// By guards of the statements, on the rows that are read first.
    OnRowsRead,
    /// By what was read before: a counter cannot be changed under a condition.
    OnWhatWasRead,
    /// On rows that must be read first; the draft has to be restarted that way.
    RowsFirst,
}

/// The table on which a condition is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::write_plan) enum ConditionTable {
    /// One of those there are.
    Here(TableId),
    /// One that is not among the tables given.
    Elsewhere,
}

/// The position of the key of the entity written that the table's primary key is; `None` also for
/// a table that holds only some of its rows, where a key may be absent although a row has it.
pub(in crate::write_plan) fn unique_key(scope: &Scope<'_>) -> Option<usize> {
    if !scope.shape.is_maker(scope.source) || scope.table.is_counter() || !has_all_rows(scope) {
        return None;
    }
    let key = scope.table.columns.iter().filter(|column| column.is_key());
    let attributes: Option<Vec<_>> = key
        .map(|column| match column.derivation {
            model::plan::Derivation::Attribute(of) => scope.shape.attribute_at(of, scope.source),
            _ => None,
        })
        .collect();
    let attributes: BTreeSet<_> = attributes?.into_iter().collect();
    let keys = &scope.shape.entity(scope.source)?.keys;
    keys.iter().position(|key| key.iter().copied().collect::<BTreeSet<_>>() == attributes)
}

/// Whether a table has every row of the entity written.
fn has_all_rows(scope: &Scope<'_>) -> bool {
    let holds = &scope.table.holds;
    let can_be_unjoined = |hop: &JoinHop<'_>| hop.to_one && !hop.optional && hop.reference.nullable;
    holds.filters.is_empty()
        && holds.not_null.is_empty()
        && !scope.shape.routes(scope.source).iter().flatten().any(can_be_unjoined)
}

impl<'a> Impact<'a> {
    /// How the write's condition is checked.
    pub(in crate::write_plan) fn condition_check(&self) -> ConditionCheck {
        if matches!(self.write.kind, WriteKind::Insert(_)) {
            let by_key = |scope: &Scope<'a>| unique_key(scope) == Some(0);
            if self.write.strict && !self.scopes().iter().any(by_key) {
                let reason = "@strict requires checking whether the key exists";
                return ConditionCheck::Missing { wants: BTreeSet::new(), reason, table: None };
            }
            return ConditionCheck::Unchecked;
        }
        let is_composed = matches!(self.write.kind, WriteKind::Upsert(_) | WriteKind::Rows(_));
        if is_composed || !self.is_conditional() {
            return ConditionCheck::Unchecked;
        }
        if self.target.rows_first {
            // Rows that are read first exist; further conditions on them guard the statements.
            return ConditionCheck::OnRowsRead;
        }
        // No IF covers the row under its old key and under its new one.
        if !self.target.loops.is_empty() || self.is_primary_key_changed() {
            return ConditionCheck::RowsFirst;
        }
        let wants: BTreeSet<_> = self.condition_attributes().into_iter().collect();
        if let Some(table) = self.find_main(&wants) {
            return ConditionCheck::On(ConditionTable::Here(table));
        }
        if self.is_counter_update() {
            return ConditionCheck::OnWhatWasRead;
        }
        let columns = wants
            .into_iter()
            .chain(self.presence_attribute())
            .chain(self.target.attributes_changed());
        let columns = columns.filter(|attribute| !self.is_counter(*attribute));
        ConditionCheck::Missing {
            wants: columns
                .map(|attribute| Column { source: SourceId::new(0), attribute })
                .collect(),
            reason: "the write's condition is checked against it",
            table: self.partial.then_some(ConditionTable::Elsewhere),
        }
    }

    /// The table on which the write's condition can be checked.
    fn find_main(&self, wants: &BTreeSet<AttributeId>) -> Option<TableId> {
        let scopes = self.scopes();
        let found = scopes.iter().find(|scope| self.can_be_main(scope, wants));
        let found =
            found.or_else(|| scopes.iter().find(|scope| self.can_check_on_statics(scope, wants)));
        found.map(|scope| scope.at)
    }

    /// Whether the write's condition can be checked on the tables there are.
    pub(in crate::write_plan) fn can_check_condition(&self) -> bool {
        if matches!(self.write.kind, WriteKind::Insert(_)) {
            return self.scopes().iter().any(|scope| unique_key(scope) == Some(0));
        }
        let wants = self.condition_attributes().into_iter().collect();
        self.find_main(&wants).is_some()
    }

    fn is_primary_key_changed(&self) -> bool {
        let key = self.entity().map_or(&[][..], Entity::primary_key);
        matches!(self.write.kind, WriteKind::Update(..))
            && key.iter().any(|part| self.target.is_changed(*part))
    }

    /// Whether the write has a condition on the row that it changes.
    pub(in crate::write_plan) fn is_conditional(&self) -> bool {
        self.write.strict
            || !self.target.conditions.is_empty()
            || self.increments().next().is_some()
    }

    /// Attributes that are added to and are no counters.
    pub(in crate::write_plan) fn increments(&self) -> impl Iterator<Item = AttributeId> {
        self.target.attributes_changed().filter(|attribute| {
            matches!(
                self.target.after[attribute.index()],
                AttributeChange::Plus(_) | AttributeChange::Less(_)
            ) && !self.is_counter(*attribute)
        })
    }

    /// Whether a predicate tests a number that the write adds to.
    pub(in crate::write_plan) fn is_on_increment(&self, test: &Predicate) -> bool {
        let columns = test.columns();
        self.increments().any(|attribute| columns.iter().any(|it| it.attribute == attribute))
    }

    /// Whether the conditions hold where there is no row: they ask for nulls only.
    pub(in crate::write_plan) fn can_hold_without_row(&self) -> bool {
        let conditions = &self.target.conditions;
        !conditions.is_empty()
            && self.increments().next().is_none()
            && conditions.iter().all(|it| matches!(it.predicate, Predicate::Null { .. }))
    }

    fn is_counter(&self, attribute: AttributeId) -> bool {
        self.entity()
            .and_then(|entity| entity.attributes.member(attribute))
            .is_some_and(|attribute| attribute.counter)
    }

    fn is_counter_update(&self) -> bool {
        matches!(self.write.kind, WriteKind::Update(..))
            && self.target.attributes_changed().all(|attribute| self.is_counter(attribute))
    }

    /// The attributes that the condition looks at.
    fn condition_attributes(&self) -> Vec<AttributeId> {
        let tests = self
            .target
            .conditions
            .iter()
            .filter(|condition| is_supported_by_if(&condition.predicate));
        tests
            .flat_map(|condition| condition.predicate.columns())
            .copied()
            .map(|column| column.attribute)
            .chain(self.increments())
            .collect()
    }

    /// A column that tells whether the row exists, where the conditions do not.
    fn presence_attribute(&self) -> Option<AttributeId> {
        let entity = self.entity().filter(|_| self.can_hold_without_row())?;
        let in_key = |at: AttributeId| entity.keys.iter().any(|key| key.contains(&at));
        let attributes = entity.attributes.enumerate_ids();
        let mut present = attributes.filter(|(at, attribute)| {
            !attribute.nullable
                && !attribute.counter
                && !in_key(*at)
                && !self.target.is_changed(*at)
        });
        present.next().map(|(at, _)| at)
    }

    /// Whether the condition can be checked on a table: the row is found by the key alone, and the
    /// write does not move it.
    fn can_be_main(&self, scope: &Scope<'a>, wants: &BTreeSet<AttributeId>) -> bool {
        if unique_key(scope).is_none() || !scope.table.holds.elements.is_empty() {
            return false;
        }
        let of_source = |attribute: AttributeId| Column { source: scope.source, attribute };
        let stored = |attribute: AttributeId| {
            let column = of_source(attribute);
            scope
                .table
                .columns
                .iter()
                .any(|planned| !planned.is_key() && scope.is_stored_by(planned, column))
        };
        let key = scope.table.columns.iter().filter(|column| column.is_key());
        let known = key.flat_map(source_columns).all(|column| {
            let attribute = scope.shape.attribute_at(column, scope.source);
            attribute
                .is_some_and(|at| self.target.known.get(at.index()).is_some_and(Option::is_some))
        });
        let changes_here = match self.write.kind {
            WriteKind::Update(..) => {
                self.target.attributes_changed().any(stored) && !self.is_membership_affected(scope)
            }
            _ => true,
        };
        known && changes_here && wants.iter().all(|attribute| stored(*attribute))
    }

    /// Whether the static columns of a table can check the condition.
    fn can_check_on_statics(&self, scope: &Scope<'a>, wants: &BTreeSet<AttributeId>) -> bool {
        let stored = |attribute: AttributeId| {
            let column = Column { source: scope.source, attribute };
            scope.table.columns.iter().any(|planned| {
                planned.role == ColumnRole::Static && scope.is_stored_by(planned, column)
            })
        };
        let partition = scope.table.partition_key().flat_map(source_columns);
        let known = partition.into_iter().all(|column| {
            let attribute = scope.shape.attribute_at(column, scope.source);
            attribute
                .is_some_and(|at| self.target.known.get(at.index()).is_some_and(Option::is_some))
        });
        matches!(self.write.kind, WriteKind::Update(..))
            && is_written_with_entity(self.context, scope.table, scope.source)
            && known
            && !wants.is_empty()
            && wants.iter().all(|attribute| stored(*attribute))
            && self.target.attributes_changed().any(stored)
            && !self.target.attributes_changed().any(|attribute| {
                scope.shape.has_key(scope.source, |column| column.attribute == attribute)
            })
    }

    /// Whether rows of a table are inserted with IF. All writes to such rows need an IF, too: a
    /// plain write takes no part in the Paxos round, so that either could win.
    pub(in crate::write_plan) fn has_conditional_inserts(&self, scope: &Scope<'a>) -> bool {
        let Some(key) = unique_key(scope) else { return false };
        let entity = self.context.concept.entities.member(self.target.entity);
        let parts = entity.and_then(|entity| entity.keys.get(key)).map_or(&[][..], Vec::as_slice);
        let votes = |write: &&Write| match &write.kind {
            WriteKind::Insert(_) => key > 0 || write.strict,
            WriteKind::Update(assignments, _) => {
                key > 0 && assignments.iter().any(|it| parts.contains(&it.attribute))
            }
            WriteKind::Delete(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => false,
        };
        let mut writes = self.context.workload.writes.iter();
        writes.any(|write| write.entity == self.target.entity && votes(&write))
    }

    /// The condition of an INSERT: the key must not exist yet.
    pub(in crate::write_plan) fn insert_condition(&self, scope: &Scope<'a>) -> IfClause {
        match unique_key(scope) {
            Some(0) if self.write.strict => IfClause::NotExists,
            Some(key) if key > 0 => IfClause::NotExists,
            _ => IfClause::Always,
        }
    }

    /// Preconditions for unique keys that are the primary key of no table, so that nothing can
    /// check them.
    pub(super) fn unique_key_preconditions(&self, entity: &Entity) -> Vec<Precondition> {
        let checked: Vec<_> = self.scopes().iter().filter_map(unique_key).collect();
        // Where one of several rows is refused, those before it are written already.
        let is_one_of_several = matches!(self.write.derived, Some(DerivedPart::Row(_)));
        let mut preconditions = Vec::new();
        for (at, key) in entity.keys.iter().enumerate().skip(1) {
            let is_checked = checked.contains(&at);
            let is_set = key.iter().any(|part| self.target.is_changed(*part));
            if !is_set || (is_checked && !is_one_of_several) {
                continue;
            }
            let attributes = key.iter().filter_map(|part| entity.attributes.member(*part));
            preconditions.push(Precondition::UniqueKey {
                entity: entity.name.clone(),
                attributes: attributes.map(|attribute| attribute.name.clone()).collect(),
                is_checked,
                constraint: Constraint::Key(self.target.entity, at),
            });
        }
        preconditions
    }
}

/// Whether an `IF` can express the predicate.
pub(in crate::write_plan) fn is_supported_by_if(test: &Predicate) -> bool {
    !matches!(test, Predicate::Row { .. })
}
