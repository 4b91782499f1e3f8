//! Values for one run of a read.

use cql::types::{NativeType, Type};
use cql::value;
use model::concept::Concept;
use model::id::{IdList, ParameterId, SourceId};
use model::workload::{Column, Comparison, Limit, Predicate, Read, Value};

use super::change::elements;
use super::domain::ValueDomain;
use super::facts::Facts;
use super::random::Random;
use super::value::{extreme, join_parts, neighbour, nth_value};
use super::witness::Witness;
use super::{ArgumentKind, Arguments};
use crate::dataset::Datum;

/// Values for one run of a read.
pub(super) fn draw_arguments(
    concept: &Concept,
    read: &Read,
    facts: &Facts,
    random: &mut Random,
) -> Arguments {
    let kind = match random.next_below(20) {
        0..=7 => ArgumentKind::Present,
        8..=10 => ArgumentKind::Hot,
        11..=13 => ArgumentKind::Edge,
        14..=16 => ArgumentKind::Tie,
        _ => ArgumentKind::Absent,
    };
    let kind = possible_kind(kind, read);
    let witness = match kind {
        ArgumentKind::Hot | ArgumentKind::Tie => {
            Witness::find_popular(concept, read, facts, random)
        }
        _ => Witness::find(concept, read, facts, random),
    };
    let kind = if witness.is_none() { ArgumentKind::Absent } else { kind };
    let mut chooser =
        ReadArgumentChooser { concept, read, facts, kind, witness, values: Vec::new() };
    chooser.values = vec![None; read.parameters.len()];
    for condition in &read.conditions {
        chooser.choose_operands(&condition.predicate, random);
    }
    if kind == ArgumentKind::Absent {
        chooser.miss_rows(random);
    }
    chooser.choose_rest(random);
    Arguments { values: chooser.values, kind }
}

/// The kind, replaced where the read does not allow it.
fn possible_kind(kind: ArgumentKind, read: &Read) -> ArgumentKind {
    let has =
        |wanted: fn(&Predicate) -> bool| read.conditions.iter().any(|it| wanted(&it.predicate));
    let ranged = has(is_range);
    let is_null_test =
        |test: &Predicate| matches!(test, Predicate::NotNull { .. } | Predicate::Null { .. });
    let found_by =
        read.conditions.iter().any(|it| !is_range(&it.predicate) && !is_null_test(&it.predicate));
    match kind {
        ArgumentKind::Edge if !ranged => ArgumentKind::Present,
        ArgumentKind::Tie if read.order.is_empty() => ArgumentKind::Present,
        ArgumentKind::Absent | ArgumentKind::Hot if !found_by && !ranged => ArgumentKind::Present,
        other => other,
    }
}

/// Whether a predicate is a range.
pub(super) fn is_range(test: &Predicate) -> bool {
    match test {
        Predicate::Compare { comparison, .. } => *comparison != Comparison::Equal,
        Predicate::Row { .. } => true,
        _ => false,
    }
}

/// The values chosen so far.
struct ReadArgumentChooser<'a> {
    concept: &'a Concept,
    read: &'a Read,
    facts: &'a Facts,
    kind: ArgumentKind,
    witness: Option<Witness<'a>>,
    values: Vec<Datum>,
}

impl ReadArgumentChooser<'_> {
    /// Sets a parameter, unless it has a value already.
    fn set_value(&mut self, parameter: ParameterId, value: Datum) {
        if let Some(place @ None) = self.values.get_mut(parameter.index()) {
            *place = value;
        }
    }

    fn domain(&self, column: Column) -> Option<&ValueDomain> {
        let source = self.read.sources.member(column.source)?;
        self.facts.domains.get(source.entity.index())?.get(column.attribute.index())
    }

    /// The value of a column in the witness; one of its domain without a witness or where it is
    /// null.
    fn witness_value(&self, column: Column, random: &mut Random) -> Datum {
        let witness = self.witness.as_ref();
        let of = witness.and_then(|witness| witness.value(self.concept, self.read, column));
        match of {
            Some((Some(value), _)) => Some(value.clone()),
            _ => Some(self.domain(column)?.draw_element(random)),
        }
    }

    /// The value of a column in any row.
    fn other_value(&self, column: Column, random: &mut Random) -> Datum {
        let source = self.read.sources.member(column.source)?;
        let (_, row) = self.facts.stores.get(source.entity.index())?.draw_row(random)?;
        row.get(column.attribute.index())?.clone()
    }

    fn type_of(&self, column: Column) -> Option<Type> {
        let entity =
            self.concept.entities.member(self.read.sources.member(column.source)?.entity)?;
        Some(entity.attributes.member(column.attribute)?.ty.clone())
    }

    fn choose_operands(&mut self, test: &Predicate, random: &mut Random) {
        match test {
            Predicate::Compare { column, comparison, value: Value::Parameter(at) } => {
                let value = match comparison {
                    Comparison::Equal => self.witness_value(*column, random),
                    other => self.draw_bound(*column, *other, random),
                };
                self.set_value(*at, value);
            }
            Predicate::In { column, values } => {
                let lucky = random.next_below(values.len());
                for (position, value) in values.iter().enumerate() {
                    let Value::Parameter(at) = value else { continue };
                    let chosen = if position == lucky {
                        self.witness_value(*column, random)
                    } else {
                        self.other_value(*column, random)
                            .or_else(|| self.witness_value(*column, random))
                    };
                    self.set_value(*at, chosen);
                }
            }
            Predicate::AnyOf { column, parameter } => {
                let list = self.draw_list(*column, random);
                self.set_value(*parameter, list);
            }
            Predicate::Holds { column, value: Value::Parameter(at) } => {
                let element = self.witness_element(*column, random);
                self.set_value(*at, element);
            }
            Predicate::Row { columns, comparison, values } => {
                self.choose_position(columns, *comparison, values, random);
            }
            Predicate::Prefix { column, value: Value::Parameter(at) } => {
                let mut text = self.witness_value(*column, random).unwrap_or_default();
                if text.is_empty() && self.facts.needs_prefix.contains(&self.read.name) {
                    text = nth_value(&NativeType::Text.into(), 1, 0);
                }
                let text = String::from_utf8_lossy(&text).into_owned();
                let length = 1 + random.next_below(text.chars().count());
                let prefix: String = text.chars().take(length).collect();
                self.set_value(*at, Some(prefix.into_bytes()));
            }
            _ => {}
        }
    }

    /// The bound of a range that contains the witness: at it, next to it, or at another row.
    fn draw_bound(&self, column: Column, comparison: Comparison, random: &mut Random) -> Datum {
        let own = self.witness_value(column, random)?;
        let ty = self.type_of(column)?;
        let lower = matches!(comparison, Comparison::Greater | Comparison::GreaterOrEqual);
        if self.kind == ArgumentKind::Edge {
            return Some(match random.next_below(4) {
                0 => neighbour(&ty, &own, true),
                1 => neighbour(&ty, &own, false),
                _ => own,
            });
        }
        let Some(other) = self.other_value(column, random).filter(|_| random.next_bool(0.8)) else {
            return Some(own);
        };
        let is_below = value::compare(&ty, &other, &own).is_le();
        Some(if is_below == lower { other } else { own })
    }

    /// A position among rows: that of the witness, or of a row before it.
    fn choose_position(
        &mut self,
        columns: &[Column],
        comparison: Comparison,
        values: &[Value],
        random: &mut Random,
    ) {
        let own: Vec<Datum> = columns.iter().map(|it| self.witness_value(*it, random)).collect();
        let first = columns.first().map_or(SourceId::new(0), |column| column.source);
        let source = self.read.sources.member(first);
        let store = source.and_then(|source| self.facts.stores.get(source.entity.index()));
        let other = store.and_then(|store| store.draw_row(random));
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
        let exact =
            matches!(self.kind, ArgumentKind::Edge | ArgumentKind::Tie) || random.next_bool(0.3);
        let chosen = other.filter(|other| !exact && behind(other)).unwrap_or(own);
        for (value, chosen) in values.iter().zip(chosen) {
            if let Value::Parameter(at) = value {
                self.set_value(*at, chosen);
            }
        }
    }

    /// A list of values: empty, one, several, some with duplicates.
    fn draw_list(&self, column: Column, random: &mut Random) -> Datum {
        let mut parts = Vec::new();
        let wanted = if self.kind == ArgumentKind::Absent {
            0
        } else {
            random.next_below(5) + random.next_below(2)
        };
        if wanted > 0 {
            parts.push(self.witness_value(column, random));
        }
        for _ in 1..wanted {
            let again = parts.first().cloned().flatten().filter(|_| random.next_bool(0.2));
            parts.push(again.or_else(|| self.other_value(column, random)));
        }
        parts.retain(Option::is_some);
        let ty = Type::List(std::sync::Arc::new(self.type_of(column)?), cql::types::Frozenness::No);
        Some(join_parts(&ty, &parts))
    }

    /// An element of the witness's array.
    fn witness_element(&self, column: Column, random: &mut Random) -> Datum {
        let witness = self.witness.as_ref();
        let array = witness.and_then(|it| it.value(self.concept, self.read, column));
        let held = array.map(|(array, ty)| elements(ty, array)).unwrap_or_default();
        let held = random.pick(&held).cloned();
        held.or_else(|| Some(self.domain(column)?.draw_element(random)))
    }

    /// Replaces one of the equality values with one that no row has; else moves a range away.
    fn miss_rows(&mut self, random: &mut Random) {
        let mut ways: Vec<(ParameterId, Column)> = Vec::new();
        for condition in &self.read.conditions {
            match &condition.predicate {
                Predicate::Compare { column, value: Value::Parameter(at), .. }
                | Predicate::Holds { column, value: Value::Parameter(at) }
                | Predicate::Prefix { column, value: Value::Parameter(at) } => {
                    ways.push((*at, *column));
                }
                Predicate::Row { columns, comparison, values } => {
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
                Predicate::In { column, values } => {
                    for value in values {
                        if let Value::Parameter(at) = value {
                            let fresh = self.domain(*column).map(|it| it.draw_fresh(random));
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
        let fresh = self.domain(column).map(|domain| domain.draw_fresh(random));
        if let Some(place) = self.values.get_mut(at.index()) {
            *place = fresh;
        }
    }

    /// Sets the limit, and the parameters without a condition.
    fn choose_rest(&mut self, random: &mut Random) {
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
                *value = Some(nth_value(ty, number, 0));
            }
        }
    }
}
