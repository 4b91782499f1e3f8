//! The constraints that a write with given values violates, found by applying it to the facts.

use std::collections::BTreeSet;

use model::concept::{
    AttributeRef, Check, Concept, Constraint, Entity, Reference, ReferenceAction,
};
use model::id::{AttributeId, EntityId, IdList};
use model::workload::{Assignment, Condition, Upsert, Write, WriteKind};

use super::super::change::{apply_insert, apply_update};
use super::super::condition::BoundConditions;
use super::super::constraint::{is_check_met, is_compared};
use super::super::facts::{Facts, reset_reference};
use super::scope::has_conflict_clause;
use crate::dataset::{Datum, Row};

/// The constraints that a write with these values violates. What cascades do to rows besides
/// deleting them is not followed.
pub(crate) fn find_violations(
    concept: &Concept,
    write: &Write,
    facts: &Facts,
    values: &[Datum],
) -> BTreeSet<Constraint> {
    let Some(entity) = concept.entities.member(write.entity) else { return BTreeSet::new() };
    let mut effect = WriteEffects {
        concept,
        facts,
        at: write.entity,
        entity,
        values,
        skips: has_conflict_clause(write),
        found: BTreeSet::new(),
    };
    match &write.kind {
        WriteKind::Rows(rows) => effect.insert_rows(rows),
        other => effect.run(other),
    }
    effect.found
}

/// A write as it is applied, and what it violates.
struct WriteEffects<'a> {
    concept: &'a Concept,
    facts: &'a Facts,
    at: EntityId,
    entity: &'a Entity,
    values: &'a [Datum],
    /// An INSERT does nothing where its row exists.
    skips: bool,
    found: BTreeSet<Constraint>,
}

impl<'a> WriteEffects<'a> {
    fn run(&mut self, kind: &WriteKind) {
        match kind {
            WriteKind::Insert(given) => {
                let keys = if self.skips { self.entity.keys.clone() } else { Vec::new() };
                self.upsert_row(&Upsert { values: given.clone(), keys, update: None });
            }
            WriteKind::Update(assignments, conditions) => {
                let places = self.find_places(conditions);
                self.update_rows(&places, assignments);
            }
            WriteKind::Delete(conditions) => self.delete_rows(conditions),
            WriteKind::Upsert(upsert) => self.upsert_row(upsert),
            WriteKind::Rows(_) => {}
        }
    }

    /// Several rows: each for itself, and no two with the same key.
    fn insert_rows(&mut self, rows: &[WriteKind]) {
        let mut made: Vec<Row> = Vec::new();
        for kind in rows {
            self.run(kind);
            if let WriteKind::Insert(given) | WriteKind::Upsert(Upsert { values: given, .. }) = kind
            {
                made.push(apply_insert(self.entity, given, self.values));
            }
        }
        self.compare_new_rows(&made);
    }

    fn find_places(&self, conditions: &[Condition]) -> Vec<usize> {
        let tested = BoundConditions { concept: self.concept, conditions, values: self.values };
        tested.find_places(self.facts, self.at)
    }

    fn update_rows(&mut self, places: &[usize], assignments: &[Assignment]) {
        let Some(store) = self.facts.stores.get(self.at.index()) else { return };
        let mut made = Vec::new();
        for before in places.iter().filter_map(|place| store.row(*place)) {
            let after = apply_update(self.entity, before, assignments, self.values);
            self.check_values(&after);
            self.check_uniqueness(&after, places);
            self.check_targets(&after);
            self.check_referring(before, &after);
            made.push(after);
        }
        self.compare_new_rows(&made);
    }

    /// An existing row is changed; only a new one is compared with the others.
    fn upsert_row(&mut self, upsert: &Upsert) {
        let row = apply_insert(self.entity, &upsert.values, self.values);
        self.check_values(&row);
        let Some(store) = self.facts.stores.get(self.at.index()) else { return };
        let existing = upsert.keys.iter().find_map(|key| {
            let values: Vec<&Datum> = key.iter().filter_map(|part| row.get(part.index())).collect();
            store.find(key, &values).next()
        });
        let Some((place, _)) = existing else {
            self.check_uniqueness(&row, &[]);
            self.check_targets(&row);
            return;
        };
        if let Some((assignments, conditions)) = &upsert.update
            && self.find_places(conditions).contains(&place)
        {
            self.update_rows(&[place], assignments);
        }
    }

    /// NOT NULL and CHECK. An empty array is null here and not in SQL.
    fn check_values(&mut self, row: &Row) {
        for (attribute, declared) in self.entity.attributes.enumerate_ids() {
            let is_null = row.get(attribute.index()).is_none_or(Option::is_none);
            if is_null && !declared.nullable && !declared.ty.is_collection() {
                let of = AttributeRef { entity: self.at, attribute };
                self.found.insert(Constraint::NotNull(of));
            }
        }
        for (at, check) in self.entity.checks.iter().enumerate() {
            if !is_check_met(self.entity, row, check) {
                self.found.insert(Constraint::Check(self.at, at));
            }
        }
    }

    /// Keys and UNIQUE constraints; the rows in these slots are replaced.
    fn check_uniqueness(&mut self, row: &Row, replaced: &[usize]) {
        let (facts, entity) = (self.facts, self.entity);
        let Some(store) = facts.stores.get(self.at.index()) else { return };
        for (constraint, attributes, condition) in self.list_unique() {
            let values: Vec<&Datum> =
                attributes.iter().filter_map(|part| row.get(part.index())).collect();
            let is_compared_row = |row: &Row| is_compared(entity, row, condition);
            let is_taken = values.iter().all(|value| value.is_some())
                && is_compared_row(row)
                && store
                    .find(attributes, &values)
                    .any(|(place, other)| !replaced.contains(&place) && is_compared_row(other));
            if is_taken {
                self.found.insert(constraint);
            }
        }
    }

    /// Keys and UNIQUE constraints among rows that one statement makes.
    fn compare_new_rows(&mut self, made: &[Row]) {
        for (constraint, attributes, condition) in self.list_unique() {
            let mut seen = BTreeSet::new();
            for row in made.iter().filter(|row| is_compared(self.entity, row, condition)) {
                let values: Option<Vec<&Vec<u8>>> =
                    attributes.iter().map(|part| row.get(part.index())?.as_ref()).collect();
                if values.is_some_and(|values| !seen.insert(values)) {
                    self.found.insert(constraint);
                }
            }
        }
    }

    fn list_unique(&self) -> Vec<(Constraint, &'a [AttributeId], Option<&'a Check>)> {
        let keys = self.entity.keys.iter().enumerate();
        let keys = keys.map(|(key, parts)| (Constraint::Key(self.at, key), &parts[..], None));
        let unique = self.entity.unique.iter().enumerate().map(|(unique, declared)| {
            let constraint = Constraint::Unique(self.at, unique);
            (constraint, &declared.attributes[..], declared.condition.as_ref())
        });
        keys.chain(unique).collect()
    }

    /// That the rows exist to which a row refers: it may be the row itself.
    fn check_targets(&mut self, row: &Row) {
        for (at, reference) in self.entity.references.enumerate_ids() {
            let is_null = |at: &AttributeId| row.get(at.index()).is_none_or(Option::is_none);
            if reference.attributes.iter().any(is_null) {
                continue;
            }
            let mut pairs = reference.attributes.iter().zip(&reference.target_attributes);
            let is_own = reference.target == self.at
                && pairs.all(|(own, target)| row.get(own.index()) == row.get(target.index()));
            if !is_own && self.facts.find_target(reference, row).is_none() {
                self.found.insert(Constraint::Target(self.at, at));
            }
        }
    }

    /// That no row refers to the old key of a row, where the reference does not follow it.
    fn check_referring(&mut self, before: &Row, after: &Row) {
        for (holder, entity) in self.concept.entities.enumerate_ids() {
            for (at, reference) in entity.references.enumerate_ids() {
                let mut targets = reference.target_attributes.iter();
                let is_moved = targets.any(|at| before.get(at.index()) != after.get(at.index()));
                let is_held = reference.target == self.at && !reference.on_update.is_change();
                if is_held && is_moved && !self.list_referring(holder, reference, before).is_empty()
                {
                    self.found.insert(Constraint::Restriction(holder, at));
                }
            }
        }
    }

    /// The rows of an entity that refer to a row.
    fn list_referring(
        &self,
        holder: EntityId,
        reference: &Reference,
        row: &Row,
    ) -> Vec<(usize, Row)> {
        let Some(store) = self.facts.stores.get(holder.index()) else { return Vec::new() };
        let targets = reference.target_attributes.iter();
        let values: Vec<&Datum> = targets.filter_map(|at| row.get(at.index())).collect();
        if values.iter().any(|value| value.is_none()) {
            return Vec::new();
        }
        let found = store.find(&reference.attributes, &values);
        found.map(|(place, row)| (place, row.clone())).collect()
    }

    /// Deletes rows, and those that follow them; none of the others may refer to one of them.
    fn delete_rows(&mut self, conditions: &[Condition]) {
        let Some(store) = self.facts.stores.get(self.at.index()) else { return };
        let places = self.find_places(conditions);
        let mut deleted: BTreeSet<(EntityId, usize)> =
            places.iter().map(|place| (self.at, *place)).collect();
        let rows = places.iter().filter_map(|place| Some((self.at, store.row(*place)?.clone())));
        let mut open: Vec<(EntityId, Row)> = rows.collect();
        let mut kept = Vec::new();
        while let Some((target, row)) = open.pop() {
            for (holder, entity) in self.concept.entities.enumerate_ids() {
                let references = entity.references.enumerate_ids();
                for (at, reference) in references.filter(|(_, it)| it.target == target) {
                    for (place, referring) in self.list_referring(holder, reference, &row) {
                        if reference.on_delete != ReferenceAction::Cascade {
                            kept.push(((holder, place), at, referring));
                        } else if deleted.insert((holder, place)) {
                            open.push((holder, referring));
                        }
                    }
                }
            }
        }
        for ((holder, place), at, referring) in kept {
            let Some(entity) = self.concept.entities.member(holder) else { continue };
            let Some(reference) = entity.references.member(at) else { continue };
            let is_deleted = deleted.contains(&(holder, place));
            match reference.on_delete {
                ReferenceAction::Restrict => {
                    self.found.insert(Constraint::Restriction(holder, at));
                }
                ReferenceAction::NoAction if !is_deleted => {
                    self.found.insert(Constraint::Restriction(holder, at));
                }
                ReferenceAction::SetNull if !is_deleted => {
                    self.reset_to_null(holder, entity, reference);
                }
                ReferenceAction::SetDefault if !is_deleted => {
                    let after = reset_reference(entity, reference, &referring);
                    let target = self.facts.find_target(reference, &after);
                    let target = target.map(|(place, _)| (reference.target, place));
                    if target.is_none_or(|target| deleted.contains(&target)) {
                        self.found.insert(Constraint::Target(holder, at));
                    }
                }
                _ => {}
            }
        }
    }

    fn reset_to_null(&mut self, holder: EntityId, entity: &Entity, reference: &Reference) {
        for at in &reference.attributes {
            if entity.attributes.member(*at).is_some_and(|declared| !declared.nullable) {
                let of = AttributeRef { entity: holder, attribute: *at };
                self.found.insert(Constraint::NotNull(of));
            }
        }
    }
}
