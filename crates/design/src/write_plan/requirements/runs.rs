//! Derived writes that a write runs: which, with which arguments, and when.

use std::collections::BTreeSet;

use model::concept::Entity;
use model::id::{AttributeId, IdList, SourceId, WriteId};
use model::plan::{Guard, Loop, Operand};
use model::workload::{
    Assignment, AssignmentValue, Column, Comparison, DerivedPart, Upsert, Value, Write, WriteKind,
};

use super::RowWriter;
use super::row_values::{NullableValue, WriteMoment};
use crate::write_plan::count::Count;
use crate::write_plan::impact::Impact;
use crate::write_plan::impact::target::operand;
use crate::write_plan::request::Request;
use crate::write_plan::{draft_write, upkeep};

/// A derived write that is run.
#[derive(Clone, Debug)]
pub(in crate::write_plan) struct RunDraft {
    pub(in crate::write_plan) write: WriteId,
    /// The values of its parameters.
    pub(in crate::write_plan) arguments: Vec<Operand>,
    pub(in crate::write_plan) loops: Vec<Loop>,
    pub(in crate::write_plan) guards: Vec<Guard>,
    /// How often it is run.
    pub(in crate::write_plan) count: Count,
}

impl<'a> RowWriter<'a> {
    /// Runs the derived writes that change one of the tables, or return rows. What must hold for the
    /// others is a precondition all the same: SQL refuses the write otherwise.
    pub(super) fn run_derived(&mut self) {
        let impact = &self.values.impact;
        let (context, tables, write) = (impact.context, impact.tables, impact.write);
        let implied = write.implies.iter().copied();
        let returns = |at: WriteId| {
            context.workload.writes.member(at).is_some_and(|write| write.returning.is_some())
        };
        let (implied, unrun): (Vec<_>, Vec<_>) =
            implied.partition(|at| upkeep::can_change(context, tables, *at) || returns(*at));
        self.require_unrun(unrun);
        match &write.kind {
            WriteKind::Rows(_) => {
                for at in implied {
                    self.run_part(at, Vec::new());
                }
            }
            WriteKind::Upsert(upsert) => self.run_branches(upsert, &implied),
            WriteKind::Update(..) => {
                for at in implied {
                    self.run_move(at);
                }
            }
            WriteKind::Insert(_) | WriteKind::Delete(_) => {
                for at in implied {
                    self.run_reference(at, Vec::new());
                }
            }
        }
    }

    /// Requires what derived writes that are not run require, and those that they imply.
    fn require_unrun(&mut self, mut open: Vec<WriteId>) {
        let (context, tables) = (self.values.impact.context, self.values.impact.tables);
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            let write = context.workload.writes.member(at).filter(|_| seen.insert(at));
            let Some(write) = write else { continue };
            for precondition in Impact::new(context, tables, write, false).preconditions() {
                self.values.require(precondition);
            }
            open.extend(&write.implies);
        }
    }

    /// Runs a part of the write, with its own parameters.
    fn run_part(&mut self, write: WriteId, guards: Vec<Guard>) {
        let parameters = self.values.impact.write.parameters.ids();
        let arguments = parameters.map(Operand::Parameter).collect();
        self.runs.push(RunDraft { write, arguments, loops: Vec::new(), guards, count: Count::ONE });
    }

    /// Runs one branch of an upsert, after the row was searched; only the first where both do the
    /// same.
    fn run_branches(&mut self, upsert: &Upsert, implied: &[WriteId]) {
        let writes = &self.values.impact.context.workload.writes;
        let is_new = |at: &&WriteId| {
            writes.member(**at).is_some_and(|it| it.derived == Some(DerivedPart::NewRow))
        };
        let new = implied.iter().find(is_new).copied();
        let existing = implied.iter().find(|at| !is_new(at)).copied();
        if new.is_none() && existing.is_none() {
            return;
        }
        // The branch of an existing row may change nothing in these tables: it is compared all the same.
        let other = self.values.impact.write.implies.iter().find(|at| !is_new(at)).copied();
        if let (Some(new), Some(other)) = (new, other)
            && self.is_same_either_way(upsert, new, other)
        {
            return self.run_part(new, Vec::new());
        }
        let Some(entity) = self.values.impact.entity() else { return };
        let found: Vec<_> =
            upsert.keys.iter().map(|key| self.find_existing_row(entity, upsert, key)).collect();
        if let Some(new) = new {
            self.run_part(new, found.iter().cloned().map(Guard::Null).collect());
        }
        if let (Some(existing), Some(row)) = (existing, found.first()) {
            self.run_part(existing, vec![Guard::NotNull(row.clone())]);
        }
    }

    /// Requests the row that has a key of the row to be inserted; a value that is null where there
    /// is none.
    fn find_existing_row(
        &mut self,
        entity: &Entity,
        upsert: &Upsert,
        key: &[AttributeId],
    ) -> Operand {
        let impact = &self.values.impact;
        let value = |attribute: AttributeId| {
            let given = upsert.values.iter().find(|(given, _)| *given == attribute)?;
            Some((Column { source: SourceId::new(0), attribute }, operand(&given.1)))
        };
        let known = key.iter().filter_map(|attribute| value(*attribute)).collect();
        let mut request = Request::for_entity(impact.target.entity, &entity.name, known);
        let tenant = impact.context.concept.tenant.as_deref();
        let tenant = tenant.and_then(|tenant| entity.attribute_named(tenant));
        let beside = tenant.filter(|tenant| !key.contains(tenant)).and_then(value);
        request.known.extend(beside);
        request.reason = format!("whether the row of {} exists", entity.name);
        let at = self.values.add_request(request);
        let first = entity.primary_key().first().copied().unwrap_or_default();
        self.values.request_column(at, Column { source: SourceId::new(0), attribute: first })
    }

    /// Whether inserting the row has the same effect on all tables whether it exists or not: the
    /// rows that hold it keep their keys, and get the same values.
    fn is_same_either_way(&self, upsert: &Upsert, new: WriteId, existing: WriteId) -> bool {
        let impact = &self.values.impact;
        let writes = &impact.context.workload.writes;
        let (Some(new), Some(existing)) = (writes.member(new), writes.member(existing)) else {
            return false;
        };
        if new.strict || !self.has_same_values(upsert) {
            return false;
        }
        let drafted =
            |write: &'a Write| draft_write(impact.context, impact.tables, write, impact.partial);
        let (new, existing) = (drafted(new), drafted(existing));
        let sums = |draft: &crate::write_plan::statements::Draft<'_>| {
            let counted = draft.counts.iter().map(|sent| sent.planned.modification.clone());
            counted.collect::<Vec<_>>()
        };
        existing.requests.iter().all(|request| request.unused)
            && existing.first.is_empty()
            && new.first.is_empty()
            && existing.later.is_empty()
            && new.later.is_empty()
            && sums(&new) == sums(&existing)
    }

    /// Whether DO UPDATE sets exactly what is inserted; a counter is incremented by it.
    fn has_same_values(&self, upsert: &Upsert) -> bool {
        let Some((assignments, conditions)) = &upsert.update else { return false };
        let Some(entity) = self.values.impact.entity() else { return false };
        let is_counter = |attribute: AttributeId| {
            entity.attributes.member(attribute).is_some_and(|attribute| attribute.counter)
        };
        let key = upsert.keys.first().map_or(&[][..], Vec::as_slice);
        let is_set = |(attribute, value): &(AttributeId, Value)| {
            key.contains(attribute)
                || assignments.iter().any(|it| {
                    it.attribute == *attribute
                        && is_value_written(it, value, is_counter(*attribute))
                })
        };
        let is_inserted = |assignment: &Assignment| {
            upsert.values.iter().any(|(attribute, value)| {
                assignment.attribute == *attribute
                    && is_value_written(assignment, value, is_counter(*attribute))
            })
        };
        conditions.is_empty()
            && upsert.values.iter().all(is_set)
            && assignments.iter().all(is_inserted)
    }

    /// Runs a part of an UPDATE that changes a key which rows follow, for each row.
    fn run_move(&mut self, write: WriteId) {
        let impact = &self.values.impact;
        let part = impact.context.workload.writes.member(write).and_then(|write| write.derived);
        let Some(entity) = impact.entity() else { return };
        let followed = impact.find_followed_attributes();
        let mut differ = Vec::new();
        for attribute in followed {
            let before = self.values.value_before(attribute);
            if let NullableValue::Is(after) = self.values.attribute(attribute, WriteMoment::After) {
                differ.push((before, after));
            }
        }
        let moved = differ.iter().cloned().map(|(before, after)| Guard::Differ(before, after));
        let moved = vec![Guard::Any(moved.collect())];
        match part {
            Some(DerivedPart::MovedHere) => {
                let after = entity.attributes.ids();
                let after = after.map(|at| self.values.attribute(at, WriteMoment::After).operand());
                let arguments = after.collect();
                self.push_run(write, arguments, moved);
            }
            Some(DerivedPart::MovedAway) => {
                let key = entity.primary_key().iter();
                let arguments = key.map(|at| self.values.value_before(*at)).collect();
                self.push_run(write, arguments, moved);
            }
            Some(DerivedPart::NotMoved) => {
                let parameters = self.values.impact.write.parameters.ids();
                let arguments = parameters.map(Operand::Parameter).collect();
                let same = differ
                    .into_iter()
                    .map(|(before, after)| Guard::Compares(before, Comparison::Equal, after));
                self.push_run(write, arguments, same.collect());
            }
            _ => self.run_reference(write, moved),
        }
    }

    /// Runs the write of a reference, for each row that is deleted or moved.
    fn run_reference(&mut self, write: WriteId, guards: Vec<Guard>) {
        let impact = &self.values.impact;
        let concept = impact.context.concept;
        let Some(derived) = impact.context.workload.writes.member(write) else { return };
        let Some(DerivedPart::Referring { entity, reference, .. }) = derived.derived else {
            return;
        };
        let Some(own) = impact.entity() else { return };
        let holder = concept.entities.member(entity);
        let Some(reference) = holder.and_then(|holder| holder.references.member(reference)) else {
            return;
        };
        let mut before = reference.target_attributes.clone();
        let is_set =
            |value: &AssignmentValue| matches!(value, AssignmentValue::Set(Value::Parameter(_)));
        let set = match &derived.kind {
            WriteKind::Update(set, _) => set.iter().filter(|it| is_set(&it.value)).count(),
            _ => 0,
        };
        if derived.parameters.len() > before.len() + set {
            let tenant = concept.tenant.as_deref();
            before.extend(tenant.and_then(|tenant| own.attribute_named(tenant)));
        }
        let mut arguments: Vec<_> =
            before.iter().map(|attribute| self.values.value_before(*attribute)).collect();
        for attribute in reference.target_attributes.iter().take(set) {
            let after = self.values.attribute(*attribute, WriteMoment::After);
            arguments.push(after.operand());
        }
        self.push_run(write, arguments, guards);
    }

    /// Runs a derived write for each row that is written.
    fn push_run(&mut self, write: WriteId, arguments: Vec<Operand>, own: Vec<Guard>) {
        let target = &self.values.impact.target;
        let (loops, count) = (target.loops.clone(), target.count);
        let guards = self.guards.iter().cloned().chain(own).collect();
        self.runs.push(RunDraft { write, arguments, loops, guards, count });
    }
}

/// Whether an assignment leaves the attribute as the INSERT of a value does.
fn is_value_written(assignment: &Assignment, value: &Value, is_counter: bool) -> bool {
    match &assignment.value {
        AssignmentValue::Set(set) => set == value && !is_counter,
        AssignmentValue::Add(added) => added == value && is_counter,
        _ => false,
    }
}
