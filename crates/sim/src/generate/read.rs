//! Values for one run of a read.

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::Concept;
use model::id::{Numbered, ParameterId, SourceId};
use model::workload::{Column, Comparison, Limit, Read, Test, Value};

use super::change::elements;
use super::domain::Domain;
use super::facts::Facts;
use super::random::Random;
use super::value::{extreme, joined, neighbour, numbered};
use super::witness::Witness;
use super::{Arguments, Kind};
use crate::data::Datum;

/// Values for one run of a read.
pub(super) fn arguments(
    concept: &Concept,
    read: &Read,
    facts: &Facts,
    random: &mut Random,
) -> Arguments {
    let kind = match random.below(20) {
        0..=7 => Kind::Present,
        8..=10 => Kind::Hot,
        11..=13 => Kind::Edge,
        14..=16 => Kind::Tie,
        _ => Kind::Absent,
    };
    let kind = possible(kind, read);
    let witness = match kind {
        Kind::Hot | Kind::Tie => Witness::popular(concept, read, facts, random),
        _ => Witness::find(concept, read, facts, random),
    };
    let kind = if witness.is_none() { Kind::Absent } else { kind };
    let mut chooser = Chooser { concept, read, facts, kind, witness, values: Vec::new() };
    chooser.values = vec![None; read.parameters.len()];
    for condition in &read.conditions {
        chooser.test(&condition.test, random);
    }
    if kind == Kind::Absent {
        chooser.miss(random);
    }
    chooser.rest(random);
    Arguments { values: chooser.values, kind }
}

/// What the values can be chosen for.
fn possible(kind: Kind, read: &Read) -> Kind {
    let has = |wanted: fn(&Test) -> bool| read.conditions.iter().any(|it| wanted(&it.test));
    let ranged = has(is_range);
    let found_by = has(|test| !is_range(test) && !matches!(test, Test::NotNull { .. }));
    match kind {
        Kind::Edge if !ranged => Kind::Present,
        Kind::Tie if read.order.is_empty() => Kind::Present,
        Kind::Absent | Kind::Hot if !found_by && !ranged => Kind::Present,
        other => other,
    }
}

/// Whether a test asks for more than single values.
pub(super) fn is_range(test: &Test) -> bool {
    match test {
        Test::Compare { comparison, .. } => *comparison != Comparison::Equal,
        Test::Row { .. } => true,
        _ => false,
    }
}

/// Values as they are chosen.
struct Chooser<'a> {
    concept: &'a Concept,
    read: &'a Read,
    facts: &'a Facts,
    kind: Kind,
    witness: Option<Witness<'a>>,
    values: Vec<Datum>,
}

impl Chooser<'_> {
    /// A parameter gets the value that is chosen for it first.
    fn set(&mut self, parameter: ParameterId, value: Datum) {
        if let Some(place @ None) = self.values.get_mut(parameter.index()) {
            *place = value;
        }
    }

    fn domain(&self, column: Column) -> Option<&Domain> {
        let source = self.read.sources.at(column.source)?;
        self.facts.domains.get(source.entity.index())?.get(column.attribute.index())
    }

    /// The value of a column in the witness; one of its domain where that is null, or there is none.
    fn shown(&self, column: Column, random: &mut Random) -> Datum {
        let witness = self.witness.as_ref();
        let of = witness.and_then(|witness| witness.of(self.concept, self.read, column));
        match of {
            Some((Some(value), _)) => Some(value.clone()),
            _ => Some(self.domain(column)?.element(random)),
        }
    }

    /// The value of a column in any row.
    fn other(&self, column: Column, random: &mut Random) -> Datum {
        let source = self.read.sources.at(column.source)?;
        let (_, row) = self.facts.stores.get(source.entity.index())?.any(random)?;
        row.get(column.attribute.index())?.clone()
    }

    fn type_of(&self, column: Column) -> Option<Type> {
        let entity = self.concept.entities.at(self.read.sources.at(column.source)?.entity)?;
        Some(entity.attributes.at(column.attribute)?.ty.clone())
    }

    fn test(&mut self, test: &Test, random: &mut Random) {
        match test {
            Test::Compare { column, comparison, value: Value::Parameter(at) } => {
                let value = match comparison {
                    Comparison::Equal => self.shown(*column, random),
                    other => self.bound(*column, *other, random),
                };
                self.set(*at, value);
            }
            Test::In { column, values } => {
                let lucky = random.below(values.len());
                for (position, value) in values.iter().enumerate() {
                    let Value::Parameter(at) = value else { continue };
                    let chosen = if position == lucky {
                        self.shown(*column, random)
                    } else {
                        self.other(*column, random).or_else(|| self.shown(*column, random))
                    };
                    self.set(*at, chosen);
                }
            }
            Test::AnyOf { column, parameter } => {
                let list = self.list(*column, random);
                self.set(*parameter, list);
            }
            Test::Holds { column, value: Value::Parameter(at) } => {
                let element = self.held(*column, random);
                self.set(*at, element);
            }
            Test::Row { columns, comparison, values } => {
                self.position(columns, *comparison, values, random);
            }
            Test::Prefix { column, value: Value::Parameter(at) } => {
                let text = self.shown(*column, random).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                let length = 1 + random.below(text.chars().count());
                let prefix: String = text.chars().take(length).collect();
                self.set(*at, Some(prefix.into_bytes()));
            }
            _ => {}
        }
    }

    /// The end of a range: at the witness, directly beside it, or at another row, the witness inside.
    fn bound(&self, column: Column, comparison: Comparison, random: &mut Random) -> Datum {
        let own = self.shown(column, random)?;
        let ty = self.type_of(column)?;
        let lower = matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual);
        if self.kind == Kind::Edge {
            return Some(match random.below(4) {
                0 => neighbour(&ty, &own, true),
                1 => neighbour(&ty, &own, false),
                _ => own,
            });
        }
        let Some(other) = self.other(column, random).filter(|_| random.chance(0.8)) else {
            return Some(own);
        };
        let is_below = value::compare(&ty, &other, &own).is_le();
        Some(if is_below == lower { other } else { own })
    }

    /// A position among rows: that of the witness, or of a row behind which the witness stands.
    fn position(
        &mut self,
        columns: &[Column],
        comparison: Comparison,
        values: &[Value],
        random: &mut Random,
    ) {
        let own: Vec<Datum> = columns.iter().map(|it| self.shown(*it, random)).collect();
        let first = columns.first().map_or(SourceId::new(0), |column| column.source);
        let source = self.read.sources.at(first);
        let store = source.and_then(|source| self.facts.stores.get(source.entity.index()));
        let other = store.and_then(|store| store.any(random));
        let other: Option<Vec<Datum>> = other.map(|(_, row)| {
            columns
                .iter()
                .map(|column| row.get(column.attribute.index()).cloned().flatten())
                .collect()
        });
        let less = matches!(comparison, Comparison::Less | Comparison::LessOrEqual);
        let behind = |other: &Vec<Datum>| {
            let types = columns.first().and_then(|column| self.type_of(*column));
            let pair = other.first().cloned().flatten().zip(own.first().cloned().flatten());
            let alone = columns.iter().all(|column| column.source == first);
            types.zip(pair).is_some_and(|(ty, (other, own))| {
                alone && value::compare(&ty, &other, &own).is_gt() == less
            })
        };
        let exact = matches!(self.kind, Kind::Edge | Kind::Tie) || random.chance(0.3);
        let chosen = other.filter(|other| !exact && behind(other)).unwrap_or(own);
        for (value, chosen) in values.iter().zip(chosen) {
            if let Value::Parameter(at) = value {
                self.set(*at, chosen);
            }
        }
    }

    /// A list of values: none, one, several, some of them twice.
    fn list(&self, column: Column, random: &mut Random) -> Datum {
        let mut parts = Vec::new();
        let wanted = if self.kind == Kind::Absent { 0 } else { random.below(5) + random.below(2) };
        if wanted > 0 {
            parts.push(self.shown(column, random));
        }
        for _ in 1..wanted {
            let again = parts.first().cloned().flatten().filter(|_| random.chance(0.2));
            parts.push(again.or_else(|| self.other(column, random)));
        }
        parts.retain(Option::is_some);
        let ty = Type::List(std::sync::Arc::new(self.type_of(column)?), cql::types::Frozen::No);
        Some(joined(&ty, &parts))
    }

    /// An element of the witness's array.
    fn held(&self, column: Column, random: &mut Random) -> Datum {
        let witness = self.witness.as_ref();
        let array = witness.and_then(|it| it.of(self.concept, self.read, column));
        let held = array.map(|(array, ty)| elements(ty, array)).unwrap_or_default();
        let held = random.pick(&held).cloned();
        held.or_else(|| Some(self.domain(column)?.element(random)))
    }

    /// Makes one of the values by which rows are found one that no row has; else moves a range away.
    fn miss(&mut self, random: &mut Random) {
        let mut ways: Vec<(ParameterId, Column)> = Vec::new();
        for condition in &self.read.conditions {
            match &condition.test {
                Test::Compare { column, value: Value::Parameter(at), .. }
                | Test::Holds { column, value: Value::Parameter(at) }
                | Test::Prefix { column, value: Value::Parameter(at) } => ways.push((*at, *column)),
                Test::Row { columns, comparison, values } => {
                    let above =
                        matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual);
                    let first = columns.first().and_then(|column| self.type_of(*column));
                    let far = first.and_then(|ty| extreme(&ty, above));
                    if let (Some(Value::Parameter(at)), Some(far)) = (values.first(), far)
                        && let Some(place) = self.values.get_mut(at.index())
                    {
                        *place = Some(far);
                    }
                }
                Test::In { column, values } => {
                    for value in values {
                        if let Value::Parameter(at) = value {
                            let fresh = self.domain(*column).map(|it| it.fresh(random));
                            if let Some(place) = self.values.get_mut(at.index()) {
                                *place = fresh;
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let Some(&(at, column)) = random.pick(&ways) else { return };
        let fresh = self.domain(column).map(|domain| domain.fresh(random));
        if let Some(place) = self.values.get_mut(at.index()) {
            *place = fresh;
        }
    }

    /// The limit, and what no condition asks for.
    fn rest(&mut self, random: &mut Random) {
        if let Some(Limit::Parameter(at)) = self.read.limit {
            let most = [1_i32, 2, 3, 5, 10, 100];
            let limit = random.pick(&most).copied().unwrap_or(1);
            if let Some(place) = self.values.get_mut(at.index()) {
                *place = Some(limit.to_be_bytes().to_vec());
            }
        }
        for (value, parameter) in self.values.iter_mut().zip(&self.read.parameters) {
            if value.is_none() {
                let number = random.next() % 8;
                let ty = match &parameter.ty {
                    Type::Native(NativeType::Counter) => &Type::Native(NativeType::Bigint),
                    other => other,
                };
                *value = Some(numbered(ty, number, 0));
            }
        }
    }
}
