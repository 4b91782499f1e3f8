//! Derived writes: the writes that a statement of the file consists of or implies.
//!
//! An INSERT of several rows consists of one write for each row, an INSERT with ON CONFLICT of one
//! for a new row and one for an existing row; a DELETE implies a write for every reference whose
//! rows are deleted or changed along with the row they refer to. Derived writes are ordinary writes
//! with parameters of their own, so that they are planned and priced like those of the file.
//!
//! The writes of a reference are shared by all writes that imply them. They may imply themselves,
//! directly (a tree whose branches are deleted with their stem) or through others.

use std::collections::BTreeMap;

use super::{
    Assignment, AssignmentValue, Column, Comparison, Condition, DerivedPart, Parameter, Predicate,
    Supply, Upsert, Value, Workload, Write, WriteKind,
};
use crate::concept::{
    Concept, DAY, DefaultValue, Entity, Figure, Origin, Reference, ReferenceAction,
};
use crate::id::{AttributeId, EntityId, IdList, ParameterId, ReferenceId, SourceId, WriteId};

/// References that lead back to their own entity are followed this many times for the rates.
const LEVELS: usize = 4;
/// The elements of a list parameter, for the rates.
const LIST_ELEMENTS: f64 = 10.0;
/// The share of upserts that find no row, where nothing says how many rows are new.
const NEW_SHARE: f64 = 0.5;
/// The least share of either branch of an upsert.
const LEAST_SHARE: f64 = 0.01;

/// Makes the derived writes of a workload anew.
pub fn derive_writes(concept: &Concept, workload: &mut Workload) {
    let stated = workload.list_stated_writes().len();
    workload.writes.truncate(stated);
    for write in &mut workload.writes {
        write.implies.clear();
    }
    let mut deriver =
        WriteDeriver { concept, writes: &mut workload.writes, referring: BTreeMap::new() };
    let mut at = 0;
    while at < deriver.writes.len() {
        deriver.derive(WriteId::new(at));
        at += 1;
    }
    derive_rates(concept, &mut workload.writes, stated);
}

/// Adds derived writes.
struct WriteDeriver<'a> {
    concept: &'a Concept,
    writes: &'a mut Vec<Write>,
    /// The writes of references, which are shared.
    referring: BTreeMap<(EntityId, ReferenceId, bool), WriteId>,
}

impl WriteDeriver<'_> {
    /// Adds what a write implies directly.
    fn derive(&mut self, at: WriteId) {
        let write = self.writes[at].clone();
        let implied = match &write.kind {
            WriteKind::Rows(rows) => {
                let rows = rows.iter().enumerate();
                rows.map(|(row, kind)| {
                    let name = format!("{}, row {}", write.name, row + 1);
                    self.add_part(&write, name, DerivedPart::Row(row), kind.clone())
                })
                .collect()
            }
            WriteKind::Upsert(upsert) => self.add_branches(&write, upsert),
            WriteKind::Delete(_) if write.derived == Some(DerivedPart::MovedAway) => Vec::new(),
            WriteKind::Delete(_) => self.add_referring(write.entity, None),
            WriteKind::Update(assignments, conditions) => {
                self.add_move(&write, assignments, conditions)
            }
            WriteKind::Insert(_) => Vec::new(),
        };
        self.writes[at].implies = implied;
    }

    /// Adds a part of a write, with the same parameters.
    fn add_part(
        &mut self,
        of: &Write,
        name: String,
        part: DerivedPart,
        kind: WriteKind,
    ) -> WriteId {
        let at = self.writes.next_id();
        let derived = Some(part);
        self.writes.push(Write { name, derived, kind, implies: Vec::new(), ..of.clone() });
        at
    }

    /// Adds the two branches of an upsert; DO NOTHING has one.
    fn add_branches(&mut self, of: &Write, upsert: &Upsert) -> Vec<WriteId> {
        let name = format!("{}, new row", of.name);
        let kind = WriteKind::Insert(upsert.values.clone());
        let new = self.add_part(of, name, DerivedPart::NewRow, kind);
        let Some((assignments, conditions)) = &upsert.update else {
            self.writes[new].strict = true;
            return vec![new];
        };
        // Two writes that add to the same new row must not both create it.
        self.writes[new].strict = self.has_exact_sum(of.entity, assignments);
        if assignments.is_empty() && of.returning.is_none() {
            return vec![new];
        }
        let mut tested = key_conditions(upsert);
        tested.extend(conditions.iter().cloned());
        let kind = WriteKind::Update(assignments.clone(), tested);
        let name = format!("{}, existing row", of.name);
        vec![new, self.add_part(of, name, DerivedPart::ExistingRow, kind)]
    }

    /// Whether an assignment adds to an attribute that is no counter.
    fn has_exact_sum(&self, entity: EntityId, assignments: &[Assignment]) -> bool {
        assignments.iter().any(|assignment| {
            matches!(assignment.value, AssignmentValue::Add(_) | AssignmentValue::Subtract(_))
                && !self.concept.entities[entity].attributes[assignment.attribute].counter
        })
    }

    /// Adds the parts of an UPDATE that changes a key which rows refer to and follow.
    fn add_move(
        &mut self,
        of: &Write,
        assignments: &[Assignment],
        conditions: &[Condition],
    ) -> Vec<WriteId> {
        let set: Vec<_> = assignments.iter().map(|it| it.attribute).collect();
        let followed = find_followed_attributes(self.concept, of.entity);
        if !set.iter().any(|attribute| followed.contains(attribute)) {
            return Vec::new();
        }
        let entity = &self.concept.entities[of.entity];
        let all: Vec<_> = entity.attributes.ids().collect();
        let inserted = (0..).map(|at| Value::Parameter(ParameterId::new(at)));
        let kind = WriteKind::Insert(all.iter().copied().zip(inserted).collect());
        let name = format!("{}, under the new key", of.name);
        // The UPDATE itself returns the rows.
        let of = &Write { returning: None, ..of.clone() };
        let new = self.add_part(of, name, DerivedPart::MovedHere, kind);
        self.writes[new].parameters = attribute_parameters(entity, &all);
        let mut implied = vec![new];
        implied.extend(self.add_referring(of.entity, Some(&set)));
        let kind = WriteKind::Delete(equalities(entity.primary_key(), of.span));
        let name = format!("{}, under the old key", of.name);
        let old = self.add_part(of, name, DerivedPart::MovedAway, kind);
        self.writes[old].parameters = attribute_parameters(entity, entity.primary_key());
        implied.push(old);
        let rest = assignments.iter().filter(|it| !followed.contains(&it.attribute));
        let rest: Vec<_> = rest.cloned().collect();
        if !rest.is_empty() {
            let kind = WriteKind::Update(rest, conditions.to_vec());
            let name = format!("{}, under the same key", of.name);
            implied.push(self.add_part(of, name, DerivedPart::NotMoved, kind));
        }
        implied
    }

    /// The writes of all references to an entity whose rows change with it: when it is deleted, or
    /// when attributes of it are set.
    fn add_referring(&mut self, target: EntityId, set: Option<&[AttributeId]>) -> Vec<WriteId> {
        let concept = self.concept;
        let follows = set.is_some();
        let mut implied = Vec::new();
        for (holder, entity) in concept.entities.enumerate_ids() {
            for (position, reference) in entity.references.enumerate_ids() {
                let is_set = set.is_none_or(|set| {
                    reference.target_attributes.iter().any(|attribute| set.contains(attribute))
                });
                let action = if follows { reference.on_update } else { reference.on_delete };
                if reference.target == target && is_set && action.is_change() {
                    let known = self.referring.get(&(holder, position, follows)).copied();
                    implied.push(known.unwrap_or_else(|| {
                        self.add_reference_write((holder, entity), (position, reference), follows)
                    }));
                }
            }
        }
        implied
    }

    /// Adds the write of a reference: of the rows that refer to a row that is deleted, or whose key
    /// changes.
    fn add_reference_write(
        &mut self,
        (holder, entity): (EntityId, &Entity),
        (position, reference): (ReferenceId, &Reference),
        follows: bool,
    ) -> WriteId {
        let at = self.writes.next_id();
        self.referring.insert((holder, position, follows), at);
        let selected = self.selecting_attributes(entity, reference);
        let mut parameters = attribute_parameters(entity, &selected);
        let conditions = equalities(&selected, reference.span);
        let action = if follows { reference.on_update } else { reference.on_delete };
        let kind = match action {
            ReferenceAction::Cascade if follows => {
                let first = parameters.len();
                parameters.extend(attribute_parameters(entity, &reference.attributes));
                let set = reference.attributes.iter().zip(first..).map(|(attribute, at)| {
                    let value = AssignmentValue::Set(Value::Parameter(ParameterId::new(at)));
                    Assignment { attribute: *attribute, value }
                });
                WriteKind::Update(set.collect(), conditions)
            }
            ReferenceAction::Cascade => WriteKind::Delete(conditions),
            _ => WriteKind::Update(reset_attributes(entity, reference, action), conditions),
        };
        let strongest = self.writes.first().map_or_else(String::new, |it| it.consistency.clone());
        let names = list_attributes(entity, &reference.attributes, ", ");
        let event = if follows { "UPDATE" } else { "DELETE" };
        let sql = reference_sql(entity, reference, &selected, (&kind, action));
        self.writes.push(Write {
            name: format!("{}.{names} ON {event} {}", entity.name, action.text()),
            rate: Figure::from_derivation(0.0),
            after: Vec::new(),
            consistency: strongest,
            strict: false,
            entity: holder,
            sql,
            kind,
            returning: None,
            parameters,
            span: reference.span,
            derived: Some(DerivedPart::Referring { entity: holder, reference: position, follows }),
            implies: Vec::new(),
        });
        at
    }

    /// The attributes by which the rows of a reference are selected: its own, and the tenant, which
    /// is that of the row referred to.
    fn selecting_attributes(&self, entity: &Entity, reference: &Reference) -> Vec<AttributeId> {
        let mut selected = reference.attributes.clone();
        let target = &self.concept.entities[reference.target];
        let tenant = self.concept.tenant.as_deref();
        let tenant = tenant.filter(|tenant| target.attribute_named(tenant).is_some());
        let own = tenant.and_then(|tenant| entity.attribute_named(tenant));
        selected.extend(own.filter(|own| !reference.attributes.contains(own)));
        selected
    }
}

/// The conditions that select the existing row by its key.
fn key_conditions(upsert: &Upsert) -> Vec<Condition> {
    let key = upsert.keys.first().map_or(&[][..], Vec::as_slice);
    let equal = |attribute: &AttributeId| {
        let value = upsert.values.iter().find(|(given, _)| given == attribute)?;
        let column = Column { source: SourceId::new(0), attribute: *attribute };
        let (comparison, value) = (Comparison::Equal, value.1.clone());
        let predicate = Predicate::Compare { column, comparison, value };
        Some(Condition { predicate, span: cql::Span::default() })
    };
    key.iter().filter_map(equal).collect()
}

/// The attributes of an entity that rows refer to and follow when they change.
pub(crate) fn find_followed_attributes(concept: &Concept, target: EntityId) -> Vec<AttributeId> {
    let references = concept.entities.iter().flat_map(|entity| &entity.references);
    let followed = references.filter(|it| it.target == target && it.on_update.is_change());
    followed.flat_map(|reference| reference.target_attributes.iter().copied()).collect()
}

/// A parameter for each attribute.
fn attribute_parameters(entity: &Entity, attributes: &[AttributeId]) -> Vec<Parameter> {
    let parameters = attributes.iter().map(|attribute| {
        let attribute = &entity.attributes[*attribute];
        let (name, ty) = (attribute.name.clone(), attribute.ty.clone());
        Parameter { name, ty, supply: Supply::User }
    });
    parameters.collect()
}

/// Conditions that attributes equal the parameters of the same positions.
fn equalities(attributes: &[AttributeId], span: cql::Span) -> Vec<Condition> {
    let parameters = (0..).map(ParameterId::new);
    let equal = parameters.zip(attributes).map(|(parameter, attribute)| {
        let column = Column { source: SourceId::new(0), attribute: *attribute };
        let (comparison, value) = (Comparison::Equal, Value::Parameter(parameter));
        Condition { predicate: Predicate::Compare { column, comparison, value }, span }
    });
    equal.collect()
}

/// What becomes of the attributes of a reference whose row goes: null, or their defaults.
fn reset_attributes(
    entity: &Entity,
    reference: &Reference,
    action: ReferenceAction,
) -> Vec<Assignment> {
    let is_default = action == ReferenceAction::SetDefault;
    let reset = |&attribute: &AttributeId| {
        let default = entity.attributes[attribute].default.as_ref().filter(|_| is_default);
        let value = match default.map(|default| &default.value) {
            Some(DefaultValue::Constant(literal)) => {
                AssignmentValue::Set(Value::Literal(literal.clone()))
            }
            _ => AssignmentValue::Null,
        };
        Assignment { attribute, value }
    };
    reference.attributes.iter().map(reset).collect()
}

/// The names of attributes, in a list.
fn list_attributes(entity: &Entity, attributes: &[AttributeId], between: &str) -> String {
    let names = attributes.iter().map(|at| entity.attributes[*at].name.as_str());
    names.collect::<Vec<_>>().join(between)
}

/// The write of a reference as SQL.
fn reference_sql(
    entity: &Entity,
    reference: &Reference,
    selected: &[AttributeId],
    (kind, action): (&WriteKind, ReferenceAction),
) -> String {
    let table = &entity.name;
    let tests = format!("{} = ?", list_attributes(entity, selected, " = ? AND "));
    if matches!(kind, WriteKind::Delete(_)) {
        return format!("DELETE FROM {table} WHERE {tests}");
    }
    let value = match action {
        ReferenceAction::SetNull => "NULL",
        ReferenceAction::SetDefault => "DEFAULT",
        _ => "?",
    };
    let between = format!(" = {value}, ");
    let set = list_attributes(entity, &reference.attributes, &between);
    format!("UPDATE {table} SET {set} = {value} WHERE {tests}")
}

/// Sets the rates of the derived writes: how often those that run them do so.
fn derive_rates(concept: &Concept, writes: &mut [Write], stated: usize) {
    for write in writes.iter_mut().skip(stated) {
        write.rate = Figure::from_derivation(0.0);
    }
    // One pass for each level of writes in writes: rows, branches and references of references.
    for _ in 0..LEVELS + concept.entities.len().min(LEVELS) {
        let mut rates = vec![0.0; writes.len()];
        for write in writes.iter() {
            for &implied in &write.implies {
                let times = run_count(concept, write, &writes[implied]);
                rates[implied.index()] += write.rate.value * times;
            }
        }
        for (write, rate) in writes.iter_mut().zip(rates).skip(stated) {
            write.rate.value = rate;
        }
    }
}

/// How often a write runs a derived one, each time it runs.
fn run_count(concept: &Concept, write: &Write, derived: &Write) -> f64 {
    let entity = &concept.entities[write.entity];
    match (&write.kind, derived.derived) {
        (WriteKind::Upsert(upsert), Some(part)) if upsert.update.is_some() => {
            let new = if entity.grows.origin == Origin::Given && write.rate.value > 0.0 {
                entity.grows.value / DAY / write.rate.value
            } else {
                NEW_SHARE
            };
            let new = new.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
            if part == DerivedPart::NewRow { new } else { 1.0 - new }
        }
        (WriteKind::Delete(conditions) | WriteKind::Update(_, conditions), _) => {
            count_rows(concept, entity, write, conditions)
        }
        _ => 1.0,
    }
}

/// The rows that conditions select, on average.
fn count_rows(concept: &Concept, entity: &Entity, write: &Write, conditions: &[Condition]) -> f64 {
    if let Some(DerivedPart::Referring { entity: holder, reference, .. }) = write.derived {
        let reference = &concept.entities[holder].references[reference];
        let parents = concept.entities[reference.target].rows.value.max(1.0);
        return entity.rows.value / parents;
    }
    let mut rows = entity.rows.value.max(1.0);
    let mut fixed = Vec::new();
    let mut times = 1.0;
    for condition in conditions {
        let (attribute, values) = match &condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                (column.attribute, 1.0)
            }
            Predicate::In { column, values } => {
                (column.attribute, f64::from(u32::try_from(values.len()).unwrap_or(u32::MAX)))
            }
            Predicate::AnyOf { column, .. } => (column.attribute, LIST_ELEMENTS),
            _ => continue,
        };
        rows /= entity.attributes[attribute].distinct.value.max(1.0);
        times *= values;
        fixed.push(attribute);
    }
    let by_key = entity.keys.iter().any(|key| key.iter().all(|part| fixed.contains(part)));
    if by_key { times } else { (rows * times).max(1.0).min(entity.rows.value.max(1.0)) }
}
