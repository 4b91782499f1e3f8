//! Rows added on purpose: more rows under one key than the LIMIT of a read returns, and twins,
//! which differ from another row in one part of their key only.

use model::concept::{Concept, Entity};
use model::id::{AttributeId, EntityId, IdList, ReferenceId, SourceId};
use model::workload::{Comparison, Limit, Predicate, Read, Workload};

use super::facts::Facts;
use super::random::Random;
use super::read::is_range;
use super::rows::generate_row;
use super::witness::{Witness, row_source};
use crate::dataset::{Datum, Row};

/// The largest LIMIT for which rows beyond it are added.
pub(crate) const LIMIT_MAX: u64 = 200;

/// Rows beyond the LIMIT.
const ROWS_BEYOND_LIMIT: usize = 3;

/// The factor where a range excludes some of them.
const RANGE_FACTOR: usize = 3;

/// Adds the rows that are missing under a popular key of each read with a LIMIT.
pub(super) fn add_limit_rows(
    concept: &Concept,
    workload: &Workload,
    facts: &mut Facts,
    random: &mut Random,
) {
    for read in workload.reads.iter().filter(|read| read.many) {
        let Some(Limit::Number(limit @ 0..=LIMIT_MAX)) = read.limit else { continue };
        let ranged = read.conditions.iter().any(|condition| is_range(&condition.predicate));
        let share = if ranged { RANGE_FACTOR } else { 1 };
        let wanted = usize::try_from(limit).unwrap_or(0) * share + ROWS_BEYOND_LIMIT;
        let Some((entity, alike)) = common_values(concept, read, facts, random) else { continue };
        let is_alike =
            |row: &Row| alike.iter().all(|(at, value)| row.get(at.index()) == Some(value));
        let there = facts
            .stores
            .get(entity.index())
            .map_or(0, |store| store.rows().filter(|(_, row)| is_alike(row)).count());
        for _ in there..wanted {
            let row = generate_row(concept, facts, entity, &alike, random);
            let Some((row, store)) = row.zip(facts.stores.get_mut(entity.index())) else { break };
            store.add(row);
        }
    }
}

/// Twins for each part of a primary key.
const TWINS_PER_PART: usize = 3;

/// Adds rows that are like others but for one part of their primary key.
pub(super) fn add_twins(concept: &Concept, facts: &mut Facts, random: &mut Random) {
    for (at, entity) in concept.entities.enumerate_ids() {
        for part in 0..entity.primary_key().len() * TWINS_PER_PART {
            let alike = twin_values(facts, at, entity, part, random);
            let row = generate_row(concept, facts, at, &alike, random);
            if let Some((row, store)) = row.zip(facts.stores.get_mut(at.index())) {
                store.add(row);
            }
        }
    }
}

/// The values of a row that equals another one except for one part of its primary key and all its
/// other keys.
pub(super) fn twin_values(
    facts: &Facts,
    at: EntityId,
    entity: &Entity,
    part: usize,
    random: &mut Random,
) -> Vec<(AttributeId, Datum)> {
    let key = entity.primary_key();
    let other = facts.stores.get(at.index()).and_then(|store| store.draw_row(random));
    let (Some((_, other)), Some(own)) = (other, key.get(part % key.len().max(1))) else {
        return Vec::new();
    };
    let differs = |attribute: AttributeId| {
        attribute == *own || entity.keys.iter().skip(1).any(|key| key.contains(&attribute))
    };
    let counts =
        |at: AttributeId| entity.attributes.member(at).is_some_and(|attribute| attribute.counter);
    let values = entity.attributes.ids().zip(other.iter().cloned());
    values.filter(|(attribute, _)| !differs(*attribute) && !counts(*attribute)).collect()
}

/// The entity whose rows make those of a read, and the values that the rows of one run have in
/// common.
fn common_values(
    concept: &Concept,
    read: &Read,
    facts: &Facts,
    random: &mut Random,
) -> Option<(EntityId, Vec<(AttributeId, Datum)>)> {
    let maker = row_source(read);
    let at = read.sources.member(maker)?.entity;
    let entity = concept.entities.member(at)?;
    let mut attributes: Vec<AttributeId> = Vec::new();
    for condition in &read.conditions {
        let equal = match condition.predicate {
            Predicate::Compare { comparison, .. } => comparison == Comparison::Equal,
            Predicate::Row { .. } | Predicate::NotNull { .. } => false,
            Predicate::In { .. }
            | Predicate::AnyOf { .. }
            | Predicate::Holds { .. }
            | Predicate::Prefix { .. }
            | Predicate::Null { .. } => true,
        };
        for column in condition.predicate.columns().iter().filter(|_| equal) {
            if column.source == maker {
                attributes.push(column.attribute);
            } else {
                // The other rows are the same where this row has the same references.
                let references = join_references(read, maker).into_iter();
                let followed = references.filter_map(|at| entity.references.member(at));
                attributes.extend(followed.flat_map(|reference| &reference.attributes));
            }
        }
    }
    attributes.sort_unstable();
    attributes.dedup();
    let is_whole_key = |key: &Vec<AttributeId>| key.iter().all(|part| attributes.contains(part));
    if entity.keys.iter().any(is_whole_key) {
        return None;
    }
    let witness = Witness::find_popular(concept, read, facts, random)?;
    let row = witness.row(maker)?;
    let values = attributes.iter().map(|at| Some((*at, row.get(at.index())?.clone())));
    Some((at, values.collect::<Option<Vec<_>>>()?))
}

/// The references of a source that a read follows.
fn join_references(read: &Read, maker: SourceId) -> Vec<ReferenceId> {
    let sources = read.sources.enumerate_ids();
    let joins = sources.filter_map(|(at, source)| {
        let join = source.join?;
        let holding = if join.to_one { join.with } else { at };
        (holding == maker).then_some(join.reference)
    });
    joins.collect()
}
