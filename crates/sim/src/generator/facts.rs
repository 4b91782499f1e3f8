//! The current facts, indexed so that values for parameters are found quickly.

use std::collections::BTreeSet;

use model::concept::{
    Check, Concept, DefaultValue, Entity, Reference, ReferenceAction, UniqueConstraint,
};
use model::id::{AttributeId, EntityId, IdList, ReferenceId, WriteId};
use model::plan::{ColumnRole, Derivation, Design, PlanRemark, Precondition};
use model::workload::{Workload, Write, WriteKind};

use super::boundary::{BoundaryLimits, collect_limits};
use super::change::{apply_insert, apply_update};
use super::condition::BoundConditions;
use super::constraint::{AttributeChecks, is_compared};
use super::counts::allocate_rows;
use super::domain::{EntityContext, ValueDomain};
use super::random::Random;
use super::store::RowStore;
use super::usage::{AttributeUsage, collect_usages, literal_bytes};
use crate::dataset::{Dataset, Datum, Row};
use crate::subject::ProofSettings;

/// The current facts, and the domains of new ones.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(super) stores: Vec<RowStore>,
    /// The values of attributes, by entity.
    pub(super) domains: Vec<Vec<ValueDomain>>,
    /// Keys of deleted rows.
    gone: BTreeSet<(EntityId, Vec<Datum>)>,
    /// Entities with counters, whose keys must not be reused: a deleted counter cannot be used
    /// again.
    counted: BTreeSet<EntityId>,
    /// For each write, whether it may append only elements that are not in the array.
    pub(super) appends_new: Vec<bool>,
    /// For each write, whether no row may refer to itself after it.
    pub(super) no_self_references: Vec<bool>,
    /// The names of the reads that need a prefix which is not empty.
    pub(super) needs_prefix: BTreeSet<String>,
    /// The target number of rows of each entity.
    pub(super) counts: Vec<usize>,
    /// The slots of each entity's rows that were there before any write.
    loaded: Vec<usize>,
}

impl Facts {
    /// The facts of a data set.
    pub(crate) fn new(
        concept: &Concept,
        workload: &Workload,
        design: &Design,
        settings: &ProofSettings,
        data: &Dataset,
    ) -> Self {
        let mut facts = Self::empty(concept, workload, design, settings);
        for (store, rows) in facts.stores.iter_mut().zip(&data.rows) {
            for row in rows {
                store.add(row.clone());
            }
        }
        facts.loaded = facts.stores.iter().map(RowStore::place_count).collect();
        facts
    }

    /// No facts.
    pub(super) fn empty(
        concept: &Concept,
        workload: &Workload,
        design: &Design,
        settings: &ProofSettings,
    ) -> Self {
        let usages = collect_usages(concept, workload, design);
        let limits = collect_limits(concept, workload, design);
        let counts = allocate_rows(concept, &insertion_order(concept), settings.rows);
        let now = settings.now_micros.div_euclid(1_000);
        let entities = concept.entities.iter().zip(&usages).zip(&limits).zip(&counts);
        let domains = entities
            .map(|(((entity, usages), limits), rows)| {
                build_domains(entity, usages, limits, *rows, now)
            })
            .collect();
        let stores = concept.entities.ids().map(|at| build_store(concept, at)).collect();
        let states = |is_stated: fn(&Precondition) -> bool| -> Vec<bool> {
            let stated = |at: WriteId| design.list_preconditions(at).into_iter().any(is_stated);
            design.writes.ids().map(stated).collect()
        };
        let appends_new = states(|it| *it == Precondition::NewElement);
        let no_self_references = states(|it| matches!(it, Precondition::NoSelfReference { .. }));
        let is_needed = |it: &PlanRemark| matches!(it, PlanRemark::PrefixNeeded { .. });
        let reads = workload.reads.iter().zip(&design.reads);
        let needs_prefix = reads.filter(|(_, plan)| plan.remarks.iter().any(is_needed));
        let needs_prefix = needs_prefix.map(|(read, _)| read.name.clone()).collect();
        let loaded = vec![0; concept.entities.len()];
        let (gone, counted) = (BTreeSet::new(), find_counted_entities(design));
        Self {
            stores,
            domains,
            gone,
            counted,
            appends_new,
            no_self_references,
            needs_prefix,
            counts,
            loaded,
        }
    }

    /// The rows of an entity.
    pub(crate) fn count_rows(&self, at: EntityId) -> usize {
        self.stores.get(at.index()).map_or(0, RowStore::len)
    }

    /// All rows.
    pub(super) fn into_data(self) -> Dataset {
        let rows =
            self.stores.iter().map(|store| store.rows().map(|(_, row)| row.clone()).collect());
        Dataset { rows: rows.collect() }
    }

    /// Applies a write with these values. To be called after every write that was run.
    pub(crate) fn apply(&mut self, concept: &Concept, write: &Write, values: &[Datum]) {
        let Some(entity) = concept.entities.member(write.entity) else { return };
        match &write.kind {
            WriteKind::Insert(given) => {
                let row = apply_insert(entity, given, values);
                if !self.is_taken(write.entity, entity, &row, None) {
                    self.stores[write.entity.index()].add(row);
                }
            }
            WriteKind::Update(assignments, conditions) => {
                let tested = BoundConditions { concept, conditions, values };
                for place in tested.find_places(self, write.entity) {
                    let store = &mut self.stores[write.entity.index()];
                    let Some(row) = store.row(place) else { continue };
                    let row = apply_update(entity, row, assignments, values);
                    if !self.is_taken(write.entity, entity, &row, Some(place)) {
                        self.stores[write.entity.index()].remove(place);
                        self.stores[write.entity.index()].add(row);
                    }
                }
            }
            WriteKind::Delete(conditions) => {
                let tested = BoundConditions { concept, conditions, values };
                for place in tested.find_places(self, write.entity) {
                    if let Some(row) = self.stores[write.entity.index()].remove(place) {
                        self.gone.insert((write.entity, key_values(entity.primary_key(), &row)));
                    }
                }
            }
            // Their effect is read from the relational database.
            WriteKind::Upsert(_) | WriteKind::Rows(_) => {}
        }
    }

    /// Replaces all rows by those of the relational database. Rows that are new or changed come
    /// last.
    pub(crate) fn replace_rows(&mut self, concept: &Concept, rows: Vec<Vec<Row>>) {
        for ((at, entity), rows) in concept.entities.enumerate_ids().zip(rows) {
            let Some(store) = self.stores.get_mut(at.index()) else { continue };
            let key = entity.primary_key();
            let kept: BTreeSet<&Row> = rows.iter().collect();
            let changed: Vec<usize> = store
                .rows()
                .filter(|(_, row)| !kept.contains(row))
                .map(|(place, _)| place)
                .collect();
            let removed: Vec<Row> =
                changed.into_iter().filter_map(|place| store.remove(place)).collect();
            let known: BTreeSet<Row> = store.rows().map(|(_, row)| row.clone()).collect();
            for row in rows.iter().filter(|row| !known.contains(*row)) {
                store.add(row.clone());
            }
            let keys: BTreeSet<Vec<Datum>> = rows.iter().map(|row| key_values(key, row)).collect();
            let gone = removed.iter().map(|row| key_values(key, row));
            let gone = gone.filter(|key| !keys.contains(key));
            self.gone.extend(gone.map(|key| (at, key)));
        }
    }

    /// Whether another row has one of the keys of this row, or had its primary key.
    pub(super) fn is_taken(
        &self,
        at: EntityId,
        entity: &Entity,
        row: &Row,
        own: Option<usize>,
    ) -> bool {
        let Some(store) = self.stores.get(at.index()) else { return false };
        let is_other = |place: usize, other: &Row, condition: Option<&Check>| {
            Some(place) != own && is_compared(entity, other, condition)
        };
        let taken = |key: &Vec<AttributeId>, condition: Option<&Check>| {
            let values: Vec<&Datum> = key.iter().filter_map(|part| row.get(part.index())).collect();
            values.iter().all(|value| value.is_some())
                && store.find(key, &values).any(|(place, other)| is_other(place, other, condition))
        };
        let is_unique_taken = |unique: &UniqueConstraint| {
            let condition = unique.condition.as_ref();
            is_compared(entity, row, condition) && taken(&unique.attributes, condition)
        };
        entity.keys.iter().any(|key| taken(key, None)) || entity.unique.iter().any(is_unique_taken)
    }

    /// Whether the design assumes an attribute never to be null.
    pub(super) fn is_never_null(&self, at: EntityId, attribute: AttributeId) -> bool {
        let domain =
            self.domains.get(at.index()).and_then(|domains| domains.get(attribute.index()));
        domain.is_some_and(|domain| domain.never_null)
    }

    /// An attribute of a row that is null although the design assumes it never to be.
    pub(super) fn wrong_null(&self, at: EntityId, row: &Row) -> Option<AttributeId> {
        let nulls = (0..).map(AttributeId::new).zip(row).filter(|(_, value)| value.is_none());
        nulls.map(|(attribute, _)| attribute).find(|attribute| self.is_never_null(at, *attribute))
    }

    /// The number of slots of an entity's rows before any write.
    pub(super) fn initial_places(&self, at: EntityId) -> usize {
        self.loaded.get(at.index()).copied().unwrap_or(0)
    }

    /// Whether a row of this key was deleted.
    pub(super) fn is_deleted(&self, at: EntityId, entity: &Entity, row: &Row) -> bool {
        self.gone.contains(&(at, key_values(entity.primary_key(), row)))
    }

    /// Whether a row of this key was deleted and the key cannot be used again.
    pub(super) fn is_gone(&self, at: EntityId, entity: &Entity, row: &Row) -> bool {
        self.counted.contains(&at) && self.is_deleted(at, entity, row)
    }

    /// The primary key of a deleted row that may be inserted again.
    pub(super) fn draw_gone_key(&self, at: EntityId, random: &mut Random) -> Option<&[Datum]> {
        let keys: Vec<&[Datum]> = self
            .gone
            .range((at, Vec::new())..)
            .take_while(|(entity, _)| *entity == at)
            .map(|(_, key)| key.as_slice())
            .collect();
        random.pick(&keys).copied().filter(|_| !self.counted.contains(&at))
    }

    /// The row that a reference of this row refers to.
    pub(super) fn find_target(&self, reference: &Reference, row: &Row) -> Option<(usize, &Row)> {
        let values: Option<Vec<&Datum>> = reference
            .attributes
            .iter()
            .map(|at| row.get(at.index()).filter(|it| it.is_some()))
            .collect();
        let store = self.stores.get(reference.target.index())?;
        let values = values?;
        store.find(&reference.target_attributes, &values).next()
    }

    /// Whether a row cannot be deleted: a row refers to it, or to one that is deleted with it, and
    /// forbids that; or a value would become null that the design assumes never to be.
    pub(super) fn is_restricted(&self, concept: &Concept, at: EntityId, row: &Row) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![(at, row)];
        while let Some((target, row)) = open.pop() {
            for (holder, entity) in concept.entities.enumerate_ids() {
                let Some(store) = self.stores.get(holder.index()) else { continue };
                for reference in entity.references.iter().filter(|it| it.target == target) {
                    let values: Vec<&Datum> = reference
                        .target_attributes
                        .iter()
                        .filter_map(|at| row.get(at.index()))
                        .collect();
                    for (place, referring) in store.find(&reference.attributes, &values) {
                        match reference.on_delete {
                            ReferenceAction::NoAction | ReferenceAction::Restrict => return true,
                            ReferenceAction::Cascade => {
                                if seen.insert((holder, place)) {
                                    open.push((holder, referring));
                                }
                            }
                            ReferenceAction::SetNull => {
                                let mut set = reference.attributes.iter();
                                if set.any(|at| self.is_never_null(holder, *at)) {
                                    return true;
                                }
                            }
                            ReferenceAction::SetDefault => {
                                let after = reset_reference(entity, reference, referring);
                                let found = self.find_target(reference, &after);
                                if found.is_none_or(|(_, found)| found == row) {
                                    return true;
                                }
                            }
                        }
                    }
                }
            }
        }
        false
    }

    /// The keys that a reference of an entity may refer to by constants: by its defaults, and by
    /// the constants of the workload.
    pub(super) fn constant_targets(
        &self,
        (at, entity): (EntityId, &Entity),
        reference: &Reference,
    ) -> Vec<Vec<(AttributeId, Datum)>> {
        let defaults = reset_reference(entity, reference, &vec![None; entity.attributes.len()]);
        let own = reference.attributes.iter();
        let defaults = own.map(|own| defaults.get(own.index()).cloned().flatten());
        let mut keys = vec![defaults.collect::<Vec<Datum>>()];
        if let [own] = reference.attributes[..] {
            let domain = self.domains.get(at.index()).and_then(|it| it.get(own.index()));
            let constants = domain.into_iter().flat_map(ValueDomain::constants);
            keys.extend(constants.map(|constant| vec![Some(constant.clone())]));
        }
        keys.retain(|key| key.iter().all(Option::is_some));
        let pair = |key: Vec<Datum>| reference.target_attributes.iter().copied().zip(key).collect();
        keys.into_iter().map(pair).collect()
    }

    /// Whether a row of the same entity refers to a row.
    pub(super) fn has_reference_within(&self, concept: &Concept, at: EntityId, row: &Row) -> bool {
        let entity = concept.entities.member(at);
        let mut own = entity.into_iter().flat_map(|it| &it.references).filter(|it| it.target == at);
        own.any(|reference| self.has_reference(at, reference, row))
    }

    fn has_reference(&self, holder: EntityId, reference: &Reference, row: &Row) -> bool {
        let targets = reference.target_attributes.iter();
        let values: Vec<&Datum> = targets.filter_map(|at| row.get(at.index())).collect();
        let store = self.stores.get(holder.index());
        store.is_some_and(|store| store.find(&reference.attributes, &values).next().is_some())
    }

    /// Whether a row is referred to.
    pub(super) fn is_referred(&self, concept: &Concept, at: EntityId, row: &Row) -> bool {
        concept.entities.enumerate_ids().any(|(holder, other)| {
            let mut references = other.references.iter().filter(|it| it.target == at);
            references.any(|reference| self.has_reference(holder, reference, row))
        })
    }
}

/// A row whose reference has its defaults.
pub(super) fn reset_reference(entity: &Entity, reference: &Reference, row: &Row) -> Row {
    let mut after = row.clone();
    for at in &reference.attributes {
        let Some(attribute) = entity.attributes.member(*at) else { continue };
        let default = match attribute.default.as_ref().map(|default| &default.value) {
            Some(DefaultValue::Constant(literal)) => literal_bytes(&attribute.ty, literal),
            _ => None,
        };
        if let Some(place) = after.get_mut(at.index()) {
            *place = default;
        }
    }
    after
}

/// The entities whose attributes are counters of a table.
fn find_counted_entities(design: &Design) -> BTreeSet<EntityId> {
    let tables = design.tables.iter().filter(|table| table.is_counter());
    let counted = tables.flat_map(|table| {
        table.columns.iter().filter_map(|column| match column.derivation {
            Derivation::Attribute(of) if column.role == ColumnRole::Counter => {
                Some(table.holds.sources.member(of.source)?.entity)
            }
            _ => None,
        })
    });
    counted.collect()
}

/// The values of a key.
fn key_values(key: &[AttributeId], row: &Row) -> Vec<Datum> {
    key.iter().map(|at| row.get(at.index()).cloned().flatten()).collect()
}

fn build_domains(
    entity: &Entity,
    usages: &[AttributeUsage],
    limits: &[BoundaryLimits],
    rows: usize,
    now: i64,
) -> Vec<ValueDomain> {
    let retained = entity.retain.map_or(i64::MAX / 4, |seconds| {
        i64::try_from(super::random::to_whole((seconds * 900.0).clamp(1.0, 9e15))).unwrap_or(0)
    });
    let about = |attribute: AttributeId| EntityContext {
        limits: limits.get(attribute.index()).copied().unwrap_or_default(),
        rows,
        in_key: entity.keys.iter().any(|key| key.contains(&attribute)),
        is_key: entity.keys.iter().any(|key| key[..] == [attribute]),
        oldest: now - retained,
        now,
    };
    let attributes = entity.attributes.enumerate_ids().zip(usages);
    attributes
        .map(|((at, attribute), usage)| {
            let mut domain = ValueDomain::new(attribute, usage, about(at));
            if let Some(checks) = AttributeChecks::new(entity, at) {
                domain.restrict(&checks);
            }
            domain
        })
        .collect()
}

/// An empty store with indexes on keys, references, and columns shared by references.
fn build_store(concept: &Concept, at: EntityId) -> RowStore {
    let mut store = RowStore::default();
    let Some(entity) = concept.entities.member(at) else { return store };
    for key in &entity.keys {
        store.add_index(key);
    }
    for unique in &entity.unique {
        store.add_index(&unique.attributes);
    }
    for reference in &entity.references {
        store.add_index(&reference.attributes);
    }
    for other in &concept.entities {
        for (position, reference) in other.references.enumerate_ids() {
            if reference.target == at {
                store.add_index(&reference.target_attributes);
                store.add_index(&reference_overlap(other, position));
            }
        }
    }
    store
}

/// The attributes of the entity referred to that earlier references of the same row have fixed
/// already.
pub(super) fn reference_overlap(entity: &Entity, position: ReferenceId) -> Vec<AttributeId> {
    let (earlier, rest) = entity.references.split_at(position.index().min(entity.references.len()));
    let Some(reference) = rest.first() else { return Vec::new() };
    let fixed =
        |attribute: &AttributeId| earlier.iter().any(|it| it.attributes.contains(attribute));
    let pairs = reference.attributes.iter().zip(&reference.target_attributes);
    pairs.filter(|(own, _)| fixed(own)).map(|(_, target)| *target).collect()
}

/// The entities in the order in which their rows are made: those that a row must refer to first,
/// and those that it may refer to as well, unless they refer to one another in a circle.
pub(super) fn insertion_order(concept: &Concept) -> Vec<EntityId> {
    let mut order: Vec<EntityId> = Vec::new();
    let mut open: BTreeSet<EntityId> = concept.entities.ids().collect();
    while let Some(first) = open.first().copied() {
        let waits = |at: EntityId, reference: &Reference| {
            reference.target != at && open.contains(&reference.target)
        };
        let is_free =
            |at: &EntityId| !concept.entities[*at].references.iter().any(|it| waits(*at, it));
        let is_ready = |at: &EntityId| {
            let mut references = concept.entities[*at].references.iter();
            !references.any(|it| !it.nullable && waits(*at, it))
        };
        let next = open.iter().copied().find(is_free);
        let next = next.or_else(|| open.iter().copied().find(is_ready)).unwrap_or(first);
        open.remove(&next);
        order.push(next);
    }
    order
}
