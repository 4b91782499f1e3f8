//! Guesses of the distinct values of a column, from how the model uses it and from its name.

use std::collections::{BTreeMap, BTreeSet};

use cql::types::{NativeType, Type};

use crate::assumption::DistinctReason;
use crate::concept::{AttributeRef, Entity, ValueLimit};
use crate::id::{AttributeId, EntityId, IdList, SourceId};
use crate::vocabulary::{id_stem, to_singular};
use crate::workload::{
    Column, Comparison, Condition, OutputValue, Predicate, Read, Value, Workload, WriteKind,
};

/// The rows of a table grow faster than the values that lead its key: with this power of them.
const PREFIX_POWER: f64 = 2.0 / 3.0;

/// A guess and its reason.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DistinctGuess {
    /// The distinct values.
    pub values: f64,
    /// Why so many.
    pub why: DistinctReason,
}

/// How the statements of a model use its columns.
#[derive(Debug, Default)]
pub(super) struct ColumnUses {
    /// The constants that a column is compared with; `None` if it is compared with anything else.
    constants: BTreeMap<AttributeRef, Option<BTreeSet<String>>>,
    /// The queries that find one row by the column alone.
    ones: BTreeMap<AttributeRef, String>,
}

impl ColumnUses {
    /// The uses in a workload.
    pub(super) fn new(workload: &Workload) -> Self {
        let mut uses = Self::default();
        for read in &workload.reads {
            uses.add_conditions(&read.conditions, |source| {
                Some(read.sources.member(source)?.entity)
            });
            uses.add_one(read);
        }
        for write in &workload.writes {
            let (WriteKind::Update(_, conditions) | WriteKind::Delete(conditions)) = &write.kind
            else {
                continue;
            };
            uses.add_conditions(conditions, |_| Some(write.entity));
        }
        uses
    }

    fn add_conditions(
        &mut self,
        conditions: &[Condition],
        entity: impl Fn(SourceId) -> Option<EntityId>,
    ) {
        for condition in conditions {
            let constants = list_constants(&condition.predicate);
            for column in condition.predicate.columns() {
                let Some(entity) = entity(column.source) else { continue };
                let of = AttributeRef { entity, attribute: column.attribute };
                let known = self.constants.entry(of).or_insert_with(|| Some(BTreeSet::new()));
                match (&constants, known.as_mut()) {
                    (Some(constants), Some(known)) => known.extend(constants.iter().cloned()),
                    _ => *known = None,
                }
            }
        }
    }

    /// A `:one` without LIMIT that compares one column says that its values are unique.
    fn add_one(&mut self, read: &Read) {
        let [
            Condition {
                predicate:
                    Predicate::Compare {
                        column,
                        comparison: Comparison::Equal,
                        value: Value::Parameter(_),
                    },
                ..
            },
        ] = read.conditions.as_slice()
        else {
            return;
        };
        if read.many || read.limit.is_some() || has_aggregate(read) {
            return;
        }
        if let Some(of) = attribute_ref(read, *column) {
            self.ones.insert(of, read.name.clone());
        }
    }
}

fn has_aggregate(read: &Read) -> bool {
    !read.group.is_empty()
        || read.outputs.iter().any(|output| !matches!(output.value, OutputValue::Column(_)))
}

fn attribute_ref(read: &Read, column: Column) -> Option<AttributeRef> {
    let entity = read.sources.member(column.source)?.entity;
    Some(AttributeRef { entity, attribute: column.attribute })
}

/// The constants that a column is compared with for equality; `None` for another comparison. A test
/// for null says nothing.
fn list_constants(predicate: &Predicate) -> Option<Vec<String>> {
    let constant = |value: &Value| match value {
        Value::Literal(text) => Some(text.clone()),
        Value::Parameter(_) => None,
    };
    match predicate {
        Predicate::Compare { comparison: Comparison::Equal, value, .. } => {
            constant(value).map(|it| vec![it])
        }
        Predicate::In { values, .. } => values.iter().map(constant).collect(),
        Predicate::NotNull { .. } | Predicate::Null { .. } => Some(Vec::new()),
        _ => None,
    }
}

/// A guess of the distinct values of a column that is neither a key nor a reference.
pub(super) fn guess_distinct(
    entities: &[Entity],
    uses: &ColumnUses,
    of: AttributeRef,
) -> Option<DistinctGuess> {
    let entity = entities.member(of.entity)?;
    let rows = entity.rows.value;
    if let Some(read) = uses.ones.get(&of) {
        return Some(DistinctGuess { values: rows, why: DistinctReason::One(read.clone()) });
    }
    if let Some(target) = find_loose_target(entities, of) {
        let values = target.rows.value.min(rows);
        return Some(DistinctGuess { values, why: DistinctReason::Named(target.name.clone()) });
    }
    #[expect(clippy::cast_precision_loss, reason = "a model has few constants")]
    if let Some(Some(constants)) = uses.constants.get(&of)
        && !constants.is_empty()
    {
        // One more for all that no statement names.
        let values = (constants.len() as f64 + 1.0).min(rows);
        return Some(DistinctGuess { values, why: DistinctReason::Constants });
    }
    is_key_prefix(entity, of.attribute).then(|| DistinctGuess {
        values: rows.powf(PREFIX_POWER).max(1.0),
        why: DistinctReason::KeyPrefix,
    })
}

/// Whether a column leads a primary key of several columns and is an id: a time or a number of
/// something else is no prefix that rows are spread over.
fn is_key_prefix(entity: &Entity, attribute: AttributeId) -> bool {
    use NativeType::{Bigint, Inet, Int, Text, Timeuuid, Uuid};
    let is_id = entity.attributes.member(attribute).is_some_and(|it| {
        matches!(it.ty, Type::Native(Bigint | Inet | Int | Text | Timeuuid | Uuid))
            && !matches!(it.limit, Some(ValueLimit::Labels(_)))
    });
    is_id && matches!(entity.primary_key(), [first, _, ..] if *first == attribute)
}

/// The entity whose key a column is named and typed like: `users` of `user_id bigint`, if that is the
/// type of `users.id`, or of `userid`, if that is the name of the key.
fn find_loose_target(entities: &[Entity], of: AttributeRef) -> Option<&Entity> {
    let holder = entities.member(of.entity)?;
    let column = holder.attributes.member(of.attribute)?;
    let stem = id_stem(&column.name).filter(|stem| !stem.is_empty())?.trim_end_matches('_');
    let mut targets = entities.enumerate_ids().filter(|(at, target)| {
        let [key] = target.primary_key() else { return false };
        let Some(key) = target.attributes.member(*key) else { return false };
        let is_named = to_singular(&target.name) == to_singular(stem);
        let is_key_name = key.name == column.name && key.name != "id";
        *at != of.entity && key.ty == column.ty && (is_named || is_key_name)
    });
    let (_, target) = targets.next()?;
    // Several tables of that name say nothing.
    targets.next().is_none().then_some(target)
}
