//! Witnesses: joined rows that a read could return, from which the values of its parameters are
//! taken.

use cql::types::Type;
use model::concept::Concept;
use model::id::{IdList, SourceId};
use model::workload::{Column, Comparison, Predicate, Read, Value};

use super::condition::is_satisfied;
use super::facts::Facts;
use super::random::Random;
use crate::dataset::{Datum, Row};

/// Attempts to find a witness that meets the conditions on constants.
const ATTEMPTS: usize = 24;

/// The sample size for finding a popular key.
const SAMPLE: usize = 16;

/// The row of a source that a LEFT JOIN does not find.
static NO_ROW: Row = Row::new();

/// A row of each source of a read.
#[derive(Clone, Debug)]
pub(super) struct Witness<'f> {
    rows: Vec<&'f Row>,
}

impl<'f> Witness<'f> {
    /// A witness that meets the conditions on constants, if one is found.
    pub(super) fn find(
        concept: &'f Concept,
        read: &Read,
        facts: &'f Facts,
        random: &mut Random,
    ) -> Option<Self> {
        let mut any = None;
        for _ in 0..ATTEMPTS {
            let Some(found) = Self::follow_joins(concept, read, facts, random) else { continue };
            let of = |column: Column| found.value(concept, read, column);
            if read
                .conditions
                .iter()
                .all(|it| !is_constant(&it.predicate) || is_satisfied(&it.predicate, of, &[]))
            {
                return Some(found);
            }
            any = Some(found);
        }
        any
    }

    /// A witness with a popular key: the most frequent one of a sample.
    pub(super) fn find_popular(
        concept: &'f Concept,
        read: &Read,
        facts: &'f Facts,
        random: &mut Random,
    ) -> Option<Self> {
        let mut sample: Vec<(Vec<&Datum>, Self)> = Vec::new();
        for _ in 0..SAMPLE {
            let Some(found) = Self::find(concept, read, facts, random) else { continue };
            sample.push((found.key(read), found));
        }
        let times = |key: &Vec<&Datum>| sample.iter().filter(|(other, _)| other == key).count();
        let best = (0..sample.len()).max_by_key(|at| times(&sample[*at].0))?;
        Some(sample.swap_remove(best).1)
    }

    /// The row of a source.
    pub(super) fn row(&self, source: SourceId) -> Option<&'f Row> {
        self.rows.get(source.index()).copied()
    }

    /// The values of the equality conditions.
    fn key(&self, read: &Read) -> Vec<&'f Datum> {
        let equal = |test: &Predicate| match test {
            Predicate::Compare { column, comparison: Comparison::Equal, .. }
            | Predicate::In { column, .. }
            | Predicate::AnyOf { column, .. }
            | Predicate::Holds { column, .. } => Some(*column),
            _ => None,
        };
        let columns = read.conditions.iter().filter_map(|condition| equal(&condition.predicate));
        columns
            .filter_map(|column| {
                self.rows.get(column.source.index())?.get(column.attribute.index())
            })
            .collect()
    }

    /// The value of a column and its type.
    pub(super) fn value(
        &self,
        concept: &'f Concept,
        read: &Read,
        column: Column,
    ) -> Option<(&'f Datum, &'f Type)> {
        let entity = concept.entities.member(read.sources.member(column.source)?.entity)?;
        let attribute = entity.attributes.member(column.attribute)?;
        Some((self.rows.get(column.source.index())?.get(column.attribute.index())?, &attribute.ty))
    }

    /// Starts at a source from which the most others are single rows, and follows the joins.
    fn follow_joins(
        concept: &'f Concept,
        read: &Read,
        facts: &'f Facts,
        random: &mut Random,
    ) -> Option<Self> {
        let mut rows: Vec<Option<&Row>> = vec![None; read.sources.len()];
        let start = row_source(read);
        let (_, row) =
            facts.stores.get(read.sources.member(start)?.entity.index())?.draw_row(random)?;
        *rows.get_mut(start.index())? = Some(row);
        for _ in 0..read.sources.len() {
            for (at, source) in read.sources.enumerate_ids() {
                let Some(join) = source.join else { continue };
                let (from, to) = match (rows[at.index()], *rows.get(join.with.index())?) {
                    (None, Some(_)) => (join.with, at),
                    (Some(_), None) => (at, join.with),
                    _ => continue,
                };
                // The source that holds the reference is the earlier one, or this one.
                let holding = if join.to_one { join.with } else { at };
                let entity = read.sources.member(holding)?.entity;
                let reference =
                    concept.entities.member(entity)?.references.member(join.reference)?;
                let row = rows[from.index()]?;
                rows[to.index()] = Some(if from == holding {
                    match facts.find_target(reference, row) {
                        Some((_, target)) => target,
                        None if source.is_optional() => &NO_ROW,
                        None => return None,
                    }
                } else {
                    let keys = reference.target_attributes.iter();
                    let values: Vec<&Datum> = keys.filter_map(|at| row.get(at.index())).collect();
                    let store = facts.stores.get(entity.index())?;
                    let found = store.find(&reference.attributes, &values);
                    let rows: Vec<&Row> = found.map(|(_, row)| row).take(16).collect();
                    random.pick(&rows).copied()?
                });
            }
        }
        Some(Self { rows: rows.into_iter().collect::<Option<Vec<_>>>()? })
    }
}

/// The last source that joins many rows to an earlier one: it leads to single rows of the others.
/// Else the first.
pub(super) fn row_source(read: &Read) -> SourceId {
    let many = |source: &model::workload::Source| source.join.is_some_and(|join| !join.to_one);
    read.sources.iter().rposition(many).map_or(SourceId::new(0), SourceId::new)
}

/// Whether a predicate has no parameter.
fn is_constant(test: &Predicate) -> bool {
    let literal = |value: &Value| matches!(value, Value::Literal(_));
    match test {
        Predicate::Compare { value, .. }
        | Predicate::Holds { value, .. }
        | Predicate::Prefix { value, .. } => literal(value),
        Predicate::In { values, .. } | Predicate::Row { values, .. } => values.iter().all(literal),
        Predicate::AnyOf { .. } => false,
        Predicate::NotNull { .. } | Predicate::Null { .. } => true,
    }
}
