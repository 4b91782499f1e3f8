//! What of a read can have its place in a key: everything given, and constants.

use std::collections::{BTreeMap, BTreeSet};

use model::concept::AttributeRef;
use model::dependency::{Dependencies, Known};
use model::workload::{Column, Comparison, Read, Test};

use super::super::asked::Asked;

/// What of a read can have its place in a key.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// What is given, in the order written, then the constants.
    pub(super) things: Vec<Thing>,
    /// The positions of the conditions that are ranges.
    pub(super) ranges: BTreeSet<usize>,
    /// For each other read of the workload the attributes that it gives, with how many do so.
    others: Vec<BTreeSet<AttributeRef>>,
}

/// Something given, or a constant.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) known: Known,
    /// The attribute, whatever source shows it.
    attribute: AttributeRef,
    /// The conditions that say so.
    pub(super) conditions: Vec<usize>,
    pub(super) constant: bool,
    /// Whether it can be in a key (a constant that is compared otherwise than by equality cannot).
    pub(super) in_keys: bool,
    /// It leads every partition key.
    pub(super) is_tenant: bool,
}

impl Places {
    pub(super) fn of(asked: &Asked<'_>) -> Self {
        let mut things: Vec<Thing> =
            asked.equalities.iter().map(|equality| given(asked, equality.known)).collect();
        let constants = asked.read.conditions.iter().enumerate();
        let constants = constants.filter(|(_, condition)| asked.holds.filters.contains(condition));
        things.extend(constants.filter_map(|(at, condition)| constant(asked, at, &condition.test)));
        let ranges = asked.read.conditions.iter().enumerate().filter(|(_, condition)| {
            let ranged = match &condition.test {
                Test::Compare { comparison, .. } => *comparison != Comparison::Equal,
                Test::Row { .. } | Test::Prefix { .. } => true,
                _ => false,
            };
            ranged && !asked.holds.filters.contains(condition)
        });
        let others = asked.context.workload.reads.iter().filter(|other| *other != asked.read);
        Self {
            things,
            ranges: ranges.map(|(at, _)| at).collect(),
            others: others.map(|other| given_by(asked, other)).collect(),
        }
    }

    /// Whether another read is given just these.
    pub(super) fn are_given_elsewhere(&self, things: &[&Thing]) -> bool {
        let wanted: BTreeSet<AttributeRef> = things.iter().map(|thing| thing.attribute).collect();
        self.others.contains(&wanted)
    }

    /// Things in the order of how many other reads are given them too, the most first.
    pub(super) fn most_shared(&self, things: &[Known]) -> Vec<Known> {
        let mut times: BTreeMap<Known, usize> = BTreeMap::new();
        for thing in &self.things {
            let sharing = self.others.iter().filter(|other| other.contains(&thing.attribute));
            times.insert(thing.known, sharing.count());
        }
        let mut sorted = things.to_vec();
        sorted.sort_by_key(|known| std::cmp::Reverse(times.get(known).copied().unwrap_or(0)));
        sorted
    }
}

fn given(asked: &Asked<'_>, known: Known) -> Thing {
    let said = asked.read.conditions.iter().enumerate().filter(|(_, condition)| {
        !asked.holds.filters.contains(condition)
            && match &condition.test {
                Test::Compare { column, comparison: Comparison::Equal, .. }
                | Test::In { column, .. }
                | Test::AnyOf { column, .. } => asked.is_same(known, *column),
                Test::Holds { column, .. } => known == Known::Element(*column),
                _ => false,
            }
    });
    let (Known::Value(column) | Known::Element(column)) = known;
    let tenant = asked.context.concept.tenant.as_ref();
    let is_tenant = |name: &String| {
        let members = asked.dependencies.members(column);
        members.iter().any(|member| asked.attribute(*member).name == *name)
    };
    Thing {
        known,
        attribute: attribute(&asked.read.sources, column),
        conditions: said.map(|(at, _)| at).collect(),
        constant: false,
        in_keys: true,
        is_tenant: matches!(known, Known::Value(_)) && tenant.is_some_and(is_tenant),
    }
}

fn constant(asked: &Asked<'_>, at: usize, test: &Test) -> Option<Thing> {
    let column = *test.columns().first()?;
    let column = asked.dependencies.nearest(column);
    let equality = match test {
        Test::Compare { comparison, .. } => *comparison == Comparison::Equal,
        Test::In { .. } => true,
        _ => false,
    };
    Some(Thing {
        known: Known::Value(column),
        attribute: attribute(&asked.read.sources, column),
        conditions: vec![at],
        constant: true,
        in_keys: equality && !asked.is_given(column),
        is_tenant: false,
    })
}

/// What another read is given.
fn given_by(asked: &Asked<'_>, other: &Read) -> BTreeSet<AttributeRef> {
    let dependencies = Dependencies::new(asked.context.concept, &other.sources);
    let given = other.conditions.iter().filter_map(|condition| match &condition.test {
        Test::Compare { column, comparison: Comparison::Equal, .. }
        | Test::In { column, .. }
        | Test::AnyOf { column, .. } => Some(dependencies.nearest(*column)),
        _ => None,
    });
    given.map(|column| attribute(&other.sources, column)).collect()
}

fn attribute(sources: &[model::workload::Source], column: Column) -> AttributeRef {
    AttributeRef { entity: sources[column.source].entity, attribute: column.attribute }
}
