//! The terms of a read that can be placed in a key: everything given, and constants.

use std::collections::{BTreeMap, BTreeSet};

use model::concept::AttributeRef;
use model::dependency::{Dependencies, Determinant};
use model::id::AttributeId;
use model::workload::{Column, Comparison, Condition, Predicate, Source, Write, WriteKind};

use super::super::read_shape::{Equality, ReadShape};

/// The terms of a read that can be placed in a key.
#[derive(Clone, Debug)]
pub(super) struct KeyTerms {
    /// What is given, in the order written, then the constants.
    pub(super) terms: Vec<KeyTerm>,
    /// The positions of the conditions that are ranges.
    pub(super) ranges: BTreeSet<usize>,
    /// For each other read and each write of the workload the attributes that it gives, and the keys
    /// by which rows are looked up.
    others: Vec<BTreeSet<AttributeRef>>,
}

/// What a term is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermValue {
    /// One value that is given.
    Parameter,
    /// One of several values.
    List,
    /// A constant.
    Constant,
}

/// Something given, or a constant.
#[derive(Clone, Debug)]
pub(super) struct KeyTerm {
    pub(super) known: Determinant,
    /// The attribute, whatever source shows it.
    attribute: AttributeRef,
    /// Its conditions, by position.
    pub(super) conditions: Vec<usize>,
    /// What it is compared with.
    pub(super) value: TermValue,
    /// Whether it can be in a key (a constant in any comparison but equality cannot).
    pub(super) in_keys: bool,
    /// It comes first in every partition key.
    pub(super) is_tenant: bool,
}

impl KeyTerm {
    pub(super) const fn is_constant(&self) -> bool {
        matches!(self.value, TermValue::Constant)
    }
}

impl KeyTerms {
    pub(super) fn new(shape: &ReadShape<'_>) -> Self {
        let mut terms: Vec<KeyTerm> =
            shape.equalities.iter().map(|equality| parameter_term(shape, *equality)).collect();
        let constants = shape.read.conditions.iter().enumerate();
        let constants = constants.filter(|(_, condition)| shape.holds.filters.contains(condition));
        terms.extend(
            constants.filter_map(|(at, condition)| constant_term(shape, at, &condition.predicate)),
        );
        let ranges = shape.read.conditions.iter().enumerate().filter(|(_, condition)| {
            let ranged = match &condition.predicate {
                Predicate::Compare { comparison, .. } => *comparison != Comparison::Equal,
                Predicate::Row { .. } | Predicate::Prefix { .. } => true,
                _ => false,
            };
            ranged && !shape.holds.filters.contains(condition)
        });
        let workload = shape.context.workload;
        let others = workload.reads.iter().filter(|other| *other != shape.read);
        let others = others.map(|other| attributes_given(shape, &other.sources, &other.conditions));
        let writes = workload.writes.iter().map(attributes_selected);
        let lookups = shape.read.sources.iter().flat_map(|source| row_keys(shape, source));
        Self {
            terms,
            ranges: ranges.map(|(at, _)| at).collect(),
            others: others.chain(writes).chain(lookups).collect(),
        }
    }

    /// Whether exactly these of what this read is given are given to another read or write; with
    /// `alone`, and nothing else.
    pub(super) fn is_given_elsewhere(&self, terms: &[&KeyTerm], alone: bool) -> bool {
        let wanted: BTreeSet<AttributeRef> = terms.iter().map(|term| term.attribute).collect();
        let own: BTreeSet<AttributeRef> = self.terms.iter().map(|term| term.attribute).collect();
        self.others.iter().any(|other| other & &own == wanted && (!alone || *other == wanted))
    }

    /// Sorts terms by how many other reads are given them as well, the most first.
    pub(super) fn sort_by_sharing(&self, terms: &[Determinant]) -> Vec<Determinant> {
        let mut times: BTreeMap<Determinant, usize> = BTreeMap::new();
        for term in &self.terms {
            let sharing = self.others.iter().filter(|other| other.contains(&term.attribute));
            times.insert(term.known, sharing.count());
        }
        let mut sorted = terms.to_vec();
        sorted.sort_by_key(|known| std::cmp::Reverse(times.get(known).copied().unwrap_or(0)));
        sorted
    }
}

fn parameter_term(shape: &ReadShape<'_>, equality: Equality) -> KeyTerm {
    let known = equality.known;
    let matching = shape.read.conditions.iter().enumerate().filter(|(_, condition)| {
        !shape.holds.filters.contains(condition)
            && match &condition.predicate {
                Predicate::Compare { column, comparison: Comparison::Equal, .. }
                | Predicate::In { column, .. }
                | Predicate::AnyOf { column, .. } => shape.is_same(known, *column),
                Predicate::Holds { column, .. } => known == Determinant::Element(*column),
                _ => false,
            }
    });
    let (Determinant::Value(column) | Determinant::Element(column)) = known;
    let tenant = shape.context.concept.tenant.as_ref();
    let is_tenant = |name: &String| {
        let members = shape.dependencies.equal_columns(column);
        members.iter().any(|member| shape.attribute(*member).name == *name)
    };
    KeyTerm {
        known,
        attribute: attribute_ref(&shape.read.sources, column),
        conditions: matching.map(|(at, _)| at).collect(),
        value: if equality.several { TermValue::List } else { TermValue::Parameter },
        in_keys: true,
        is_tenant: matches!(known, Determinant::Value(_)) && tenant.is_some_and(is_tenant),
    }
}

fn constant_term(shape: &ReadShape<'_>, at: usize, test: &Predicate) -> Option<KeyTerm> {
    let column = *test.columns().first()?;
    let column = shape.dependencies.canonical_column(column);
    let equality = match test {
        Predicate::Compare { comparison, .. } => *comparison == Comparison::Equal,
        Predicate::In { .. } => true,
        _ => false,
    };
    Some(KeyTerm {
        known: Determinant::Value(column),
        attribute: attribute_ref(&shape.read.sources, column),
        conditions: vec![at],
        value: TermValue::Constant,
        in_keys: equality && !shape.is_given(column),
        is_tenant: false,
    })
}

/// The keys by which rows of a source may be looked up.
fn row_keys(shape: &ReadShape<'_>, source: &Source) -> Vec<BTreeSet<AttributeRef>> {
    let keys = shape.context.concept.entities[source.entity].keys.iter();
    let key = |key: &Vec<AttributeId>| {
        let attributes = key.iter();
        attributes.map(|at| AttributeRef { entity: source.entity, attribute: *at }).collect()
    };
    keys.map(key).collect()
}

/// What a write that changes or deletes rows selects them by.
fn attributes_selected(write: &Write) -> BTreeSet<AttributeRef> {
    let conditions = match &write.kind {
        WriteKind::Update(_, conditions) | WriteKind::Delete(conditions) => conditions,
        WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => return BTreeSet::new(),
    };
    let equal = conditions.iter().filter_map(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. } => Some(column.attribute),
        _ => None,
    });
    equal.map(|attribute| AttributeRef { entity: write.entity, attribute }).collect()
}

/// What another read is given.
fn attributes_given(
    shape: &ReadShape<'_>,
    sources: &[Source],
    conditions: &[Condition],
) -> BTreeSet<AttributeRef> {
    let dependencies = Dependencies::new(shape.context.concept, sources);
    let given = conditions.iter().filter_map(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, .. }
        | Predicate::In { column, .. }
        | Predicate::AnyOf { column, .. } => Some(dependencies.canonical_column(*column)),
        _ => None,
    });
    given.map(|column| attribute_ref(sources, column)).collect()
}

fn attribute_ref(sources: &[Source], column: Column) -> AttributeRef {
    AttributeRef { entity: sources[column.source].entity, attribute: column.attribute }
}
