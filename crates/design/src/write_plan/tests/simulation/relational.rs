//! The rows as a relational database has them, and what the designed tables must hold of them.

use std::collections::BTreeMap;

use model::concept::Concept;
use model::id::{AttributeId, EntityId, IdList};
use model::plan::{ColumnRole, Derivation, PlannedTable};
use model::workload::{
    AssignmentValue, Column, Comparison, Condition, Predicate, Source, Value as Given, Write,
    WriteKind,
};

use super::value::{Row, Value, bucket_of, prefix_of, shard_of};

/// Rows of each entity: values by attribute.
pub(super) struct Database<'a> {
    pub(super) concept: &'a Concept,
    pub(super) rows: Vec<Vec<Vec<Value>>>,
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// It meets no row, or a key is taken: nothing changes, and the plan must see to it that
    /// nothing does.
    Refused,
    /// A precondition does not hold: it is not sent.
    Unsent,
}

pub(super) fn resolve_value(value: &Given, parameters: &[Value]) -> Value {
    match value {
        Given::Parameter(at) => parameters[at.index()].clone(),
        Given::Literal(text) => Value::literal(text),
    }
}

/// Whether a row meets a condition.
pub(super) fn is_met(
    test: &Predicate,
    parameters: &[Value],
    value: &dyn Fn(Column) -> Value,
) -> bool {
    let given = |of: &Given| resolve_value(of, parameters);
    match test {
        Predicate::Compare { column, comparison, value: other } => {
            value(*column).matches_comparison(*comparison, &given(other))
        }
        Predicate::In { column, values } => {
            values.iter().any(|of| value(*column).matches_comparison(Comparison::Equal, &given(of)))
        }
        Predicate::AnyOf { column, parameter } => {
            parameters[parameter.index()].elements().contains(&value(*column))
        }
        Predicate::Holds { column, value: of } => value(*column).elements().contains(&given(of)),
        Predicate::NotNull { column } => value(*column) != Value::Null,
        Predicate::Null { column } => value(*column) == Value::Null,
        Predicate::Row { columns, comparison, values } => {
            let mine: Vec<_> = columns.iter().map(|column| value(*column)).collect();
            let theirs: Vec<_> = values.iter().map(given).collect();
            Value::Array(mine).matches_comparison(*comparison, &Value::Array(theirs))
        }
        Predicate::Prefix { column, value: of } => match (value(*column), given(of)) {
            (Value::Text(text), Value::Text(start)) => text.starts_with(&start),
            _ => false,
        },
    }
}

impl Database<'_> {
    /// Applies a write; `is_taken` says whether the plan finds out that a unique value is taken.
    pub(super) fn apply(&mut self, write: &Write, parameters: &[Value]) -> Outcome {
        match &write.kind {
            WriteKind::Insert(values) => self.insert(write, values, parameters),
            WriteKind::Update(assignments, conditions) => {
                let found = self.find_matching(write.entity, conditions, parameters);
                if found.is_empty() {
                    return self.absent_outcome(write, conditions);
                }
                let mut new = self.rows[write.entity.index()].clone();
                for at in found {
                    for assignment in assignments {
                        let slot = &mut new[at][assignment.attribute.index()];
                        *slot = assign(slot, &assignment.value, parameters);
                    }
                }
                self.accept(write.entity, new)
            }
            WriteKind::Upsert(_) | WriteKind::Rows(_) => {
                unreachable!("the models imply no writes")
            }
            WriteKind::Delete(conditions) => {
                let found = self.find_matching(write.entity, conditions, parameters);
                if found.is_empty() {
                    return self.absent_outcome(write, conditions);
                }
                let rows = self.rows[write.entity.index()].iter().enumerate();
                let kept = rows.filter(|(at, _)| !found.contains(at)).map(|(_, row)| row.clone());
                let kept = kept.collect();
                self.accept(write.entity, kept)
            }
        }
    }

    /// A row that is absent is a broken precondition, unless the write checks or reads it.
    fn absent_outcome(&self, write: &Write, conditions: &[Condition]) -> Outcome {
        let keys = &self.concept.entities[write.entity].keys;
        let fixed = |attribute: &AttributeId| {
            conditions.iter().any(|condition| {
                matches!(&condition.predicate, Predicate::Compare { column, comparison: Comparison::Equal, .. } if column.attribute == *attribute)
            })
        };
        let plain = keys.iter().any(|key| key.iter().all(fixed) && conditions.len() == key.len());
        if plain && !write.strict { Outcome::Unsent } else { Outcome::Refused }
    }

    fn insert(
        &mut self,
        write: &Write,
        values: &[(AttributeId, Given)],
        parameters: &[Value],
    ) -> Outcome {
        let entity = &self.concept.entities[write.entity];
        let mut row = vec![Value::Null; entity.attributes.len()];
        for (attribute, value) in values {
            row[attribute.index()] = resolve_value(value, parameters);
        }
        let rows = &self.rows[write.entity.index()];
        let taken = |key: &Vec<AttributeId>| {
            rows.iter().any(|other| key.iter().all(|at| other[at.index()] == row[at.index()]))
        };
        if taken(&entity.keys[0]) {
            return if write.strict { Outcome::Refused } else { Outcome::Unsent };
        }
        let mut new = rows.clone();
        new.push(row);
        self.accept(write.entity, new)
    }

    fn find_matching(
        &self,
        entity: EntityId,
        conditions: &[Condition],
        parameters: &[Value],
    ) -> Vec<usize> {
        let rows = self.rows[entity.index()].iter().enumerate();
        rows.filter(|(_, row)| {
            conditions.iter().all(|condition| {
                is_met(&condition.predicate, parameters, &|column| {
                    row[column.attribute.index()].clone()
                })
            })
        })
        .map(|(at, _)| at)
        .collect()
    }

    /// Takes new rows if keys are unique and references hold.
    fn accept(&mut self, entity: EntityId, new: Vec<Vec<Value>>) -> Outcome {
        let keys = &self.concept.entities[entity].keys;
        for (at, key) in keys.iter().enumerate() {
            for (position, row) in new.iter().enumerate() {
                let null = key.iter().any(|part| row[part.index()] == Value::Null);
                let twice = new[..position]
                    .iter()
                    .any(|other| key.iter().all(|part| other[part.index()] == row[part.index()]));
                if null || (twice && at == 0) {
                    return Outcome::Unsent;
                }
                if twice {
                    return Outcome::Refused;
                }
            }
        }
        let old = std::mem::replace(&mut self.rows[entity.index()], new);
        if self.has_valid_references() {
            return Outcome::Done;
        }
        self.rows[entity.index()] = old;
        Outcome::Unsent
    }

    fn has_valid_references(&self) -> bool {
        self.concept.entities.enumerate_ids().all(|(at, entity)| {
            entity.attributes.enumerate_ids().all(|(attribute, of)| {
                of.nullable
                    || of.counter
                    || self.rows[at.index()].iter().all(|row| row[attribute.index()] != Value::Null)
            }) && entity.references.iter().all(|reference| {
                self.rows[at.index()].iter().all(|row| {
                    let mine: Vec<_> =
                        reference.attributes.iter().map(|part| &row[part.index()]).collect();
                    mine.iter().any(|value| **value == Value::Null)
                        || self.rows[reference.target.index()].iter().any(|target| {
                            let theirs = reference
                                .target_attributes
                                .iter()
                                .map(|part| &target[part.index()]);
                            // A row that refers to itself is a stated exception.
                            theirs.eq(mine.iter().copied())
                                && !(reference.target == at && target == row)
                        })
                })
            })
        })
    }

    /// The joined rows of sources: a row of each.
    fn join_rows(&self, sources: &[Source]) -> Vec<Vec<&Vec<Value>>> {
        let mut joined: Vec<Vec<&Vec<Value>>> = vec![Vec::new()];
        for source in sources {
            let mut more = Vec::new();
            for rows in &joined {
                for row in &self.rows[source.entity.index()] {
                    if self.is_joined(sources, rows, source, row) {
                        let mut rows = rows.clone();
                        rows.push(row);
                        more.push(rows);
                    }
                }
            }
            joined = more;
        }
        joined
    }

    fn is_joined(
        &self,
        sources: &[Source],
        rows: &[&Vec<Value>],
        source: &Source,
        row: &[Value],
    ) -> bool {
        let Some(join) = source.join else { return true };
        let holder = if join.to_one { sources[join.with].entity } else { source.entity };
        let reference = &self.concept.entities[holder].references[join.reference];
        let (from, to) = if join.to_one {
            (rows[join.with.index()].as_slice(), row)
        } else {
            (row, rows[join.with.index()].as_slice())
        };
        reference.attributes.iter().zip(&reference.target_attributes).all(|(mine, theirs)| {
            from[mine.index()].matches_comparison(Comparison::Equal, &to[theirs.index()])
        })
    }

    /// What a table must hold: rows by primary key, and static columns by partition key.
    pub(super) fn derive_rows(
        &self,
        table: &PlannedTable,
    ) -> (BTreeMap<Vec<Value>, Row>, BTreeMap<Vec<Value>, Row>) {
        let (mut rows, mut statics) = (BTreeMap::new(), BTreeMap::new());
        for joined in self.join_rows(&table.holds.sources) {
            let value =
                |column: Column| joined[column.source.index()][column.attribute.index()].clone();
            let belongs =
                table.holds.filters.iter().all(|filter| is_met(&filter.predicate, &[], &value))
                    && table.holds.not_null.iter().all(|column| value(*column) != Value::Null);
            if !belongs {
                continue;
            }
            let mut choices: Vec<Vec<(Column, Value)>> = vec![Vec::new()];
            for column in &table.holds.elements {
                let mut elements = value(*column).elements();
                elements.sort();
                elements.dedup();
                choices = choices
                    .into_iter()
                    .flat_map(|chosen| {
                        elements
                            .iter()
                            .map(move |element| {
                                let mut chosen = chosen.clone();
                                chosen.push((*column, element.clone()));
                                chosen
                            })
                            .collect::<Vec<_>>()
                    })
                    .collect();
            }
            for chosen in choices {
                let made = |derivation: &Derivation| derive_value(derivation, &value, &chosen);
                let key: Vec<_> = table
                    .columns
                    .iter()
                    .filter(|column| column.is_key())
                    .map(|column| made(&column.derivation))
                    .collect();
                assert!(!key.contains(&Value::Null), "null in the key of {}", table.name);
                let partition = key[..table.partition_key().count()].to_vec();
                let row: &mut Row = rows.entry(key).or_default();
                let fixed: &mut Row = statics.entry(partition).or_default();
                for column in table.columns.iter().filter(|column| !column.is_key()) {
                    let value = made(&column.derivation);
                    match column.role {
                        ColumnRole::Counter => {
                            let slot = row.entry(column.name.clone()).or_insert(Value::Number(0));
                            let add = if value == Value::Null { 0 } else { value.number() };
                            *slot = Value::Number(slot.number() + add);
                        }
                        ColumnRole::Static => {
                            fixed.insert(column.name.clone(), value.normalise());
                        }
                        _ => {
                            row.insert(column.name.clone(), value.normalise());
                        }
                    }
                }
            }
        }
        (rows, statics)
    }
}

fn derive_value(
    derivation: &Derivation,
    value: &dyn Fn(Column) -> Value,
    chosen: &[(Column, Value)],
) -> Value {
    match derivation {
        Derivation::Attribute(of) | Derivation::Sum(of) => value(*of),
        Derivation::Coalesced(of, constant) => match value(*of) {
            Value::Null => Value::literal(constant),
            other => other,
        },
        Derivation::Element(of) => {
            chosen.iter().find(|(column, _)| column == of).unwrap().1.clone()
        }
        Derivation::Bucket(of, bucket) => bucket_of(&value(*of), *bucket),
        Derivation::Shard { of, count } => {
            let values: Vec<_> = of.iter().map(|of| value(*of)).collect();
            shard_of(&values, *count)
        }
        Derivation::Constant => Value::Number(0),
        Derivation::Prefix(of, length) => prefix_of(&value(*of), *length),
        Derivation::Count(None) => Value::Number(1),
        Derivation::Count(Some(of)) => Value::Number(i64::from(value(*of) != Value::Null)),
        Derivation::Oldest(_) | Derivation::Newest(_) => Value::Null,
    }
}

fn assign(old: &Value, value: &AssignmentValue, parameters: &[Value]) -> Value {
    let plus = |sign: i64, value: &Given| match (old, resolve_value(value, parameters)) {
        (Value::Number(old), Value::Number(more)) => Value::Number(old + sign * more),
        // A counter starts at 0.
        (Value::Null, Value::Number(more)) => Value::Number(sign * more),
        _ => Value::Null,
    };
    match value {
        AssignmentValue::Set(value) => resolve_value(value, parameters),
        AssignmentValue::Null => Value::Null,
        AssignmentValue::SetUnlessNull(value) => match resolve_value(value, parameters) {
            Value::Null => old.clone(),
            value => value,
        },
        AssignmentValue::Add(value) => plus(1, value),
        AssignmentValue::Subtract(value) => plus(-1, value),
        AssignmentValue::Append(value) => {
            let mut elements = old.elements();
            elements.push(resolve_value(value, parameters));
            Value::Array(elements)
        }
        AssignmentValue::Remove(value) => {
            let gone = resolve_value(value, parameters);
            let kept = old.elements().into_iter().filter(|element| *element != gone);
            Value::Array(kept.collect())
        }
    }
}
