//! What of a read can be left out of the table of its rows, to be looked up by key for each of them.

use std::collections::BTreeSet;

use model::id::{Numbered, SourceId};
use model::plan::Part;
use model::workload::{Column, OutputValue, Read};

use super::Asks;
use super::fit::{hops, makers};
use super::synthetic::{self, Excerpt};
use crate::Context;

/// Something that is looked up together: columns of a source, and of those that its row leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit {
    /// The source by whose key it is looked up.
    pub(super) root: SourceId,
    /// The sources whose columns are shown, itself among them.
    pub(super) members: Vec<SourceId>,
}

/// All that can be left out, each a list of what is then looked up.
pub(super) fn variants(read: &Read) -> Vec<Vec<Unit>> {
    let plain = |value: &OutputValue| matches!(value, OutputValue::Column(_));
    let [maker] = makers(&read.sources)[..] else { return Vec::new() };
    if !read.outputs.iter().all(|output| plain(&output.value)) {
        return Vec::new();
    }
    let shown: BTreeSet<SourceId> = read
        .outputs
        .iter()
        .filter_map(|output| match output.value {
            OutputValue::Column(column) => Some(column.source),
            _ => None,
        })
        .collect();
    let own = |root: SourceId| Unit { root, members: vec![root] };
    let mut variants: Vec<Vec<Unit>> = shown.iter().map(|source| vec![own(*source)]).collect();
    for root in read.sources.ids() {
        let members = beyond(read, root);
        if members.iter().filter(|member| shown.contains(member)).count() > 0 && members.len() > 1 {
            variants.push(vec![Unit { root, members }]);
        }
    }
    variants.push(shown.iter().filter(|source| **source != maker).map(|one| own(*one)).collect());
    variants.push(shown.iter().map(|one| own(*one)).collect());
    let mut seen = BTreeSet::new();
    variants.retain(|variant| !variant.is_empty() && seen.insert(variant.clone()));
    variants
}

/// A source and all that its row leads to by references.
pub(super) fn beyond(read: &Read, root: SourceId) -> Vec<SourceId> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&from) = found.get(next) {
        for hop in hops(&read.sources, from) {
            if hop.to_one && !found.contains(&hop.to) {
                found.push(hop.to);
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found
}

/// The columns by which the row of a source is looked up: what refers to it does so by them, or its key.
pub(super) fn key(context: Context<'_>, read: &Read, root: SourceId) -> Vec<Column> {
    let Some(source) = read.sources.at(root) else { return Vec::new() };
    let holder = read.sources.ids().find_map(|from| {
        let hop = hops(&read.sources, from).into_iter().find(|hop| hop.to == root && hop.to_one)?;
        let entity = context.concept.entities.at(read.sources.at(from)?.entity)?;
        Some(entity.references.at(hop.reference)?.target_attributes.clone())
    });
    let entity = context.concept.entities.at(source.entity);
    let primary = || entity.map_or_else(Vec::new, |entity| entity.primary_key().to_vec());
    let attributes = holder.unwrap_or_else(primary);
    attributes.into_iter().map(|attribute| Column { source: root, attribute }).collect()
}

/// The lookup of these columns.
pub(super) fn lookup(
    context: Context<'_>,
    read: &Read,
    unit: &Unit,
    columns: &BTreeSet<Column>,
    (part, times): (Part, f64),
) -> Option<Asks> {
    let key = key(context, read, unit.root);
    let wanted = unit.members.iter().copied().filter(|member| {
        *member == unit.root || columns.iter().any(|column| leads(read, *member, column.source))
    });
    let wanted: Vec<SourceId> = wanted.collect();
    let excerpt = Excerpt::of(read, unit.root, &wanted)?;
    let mut lookup = synthetic::read_of(context, read, &excerpt, columns.iter().copied());
    lookup.many = false;
    for column in &key {
        synthetic::give(context, &mut lookup, excerpt.column(*column)?);
    }
    if lookup.outputs.is_empty() {
        // Nothing is wanted but that there is a row.
        let outputs = synthetic::read_of(context, read, &excerpt, key.iter().copied()).outputs;
        lookup.outputs = outputs;
    }
    (!key.is_empty()).then_some(Asks { read: lookup, sources: excerpt.of, times, part })
}

/// Whether the row of a source leads to another, or is it.
fn leads(read: &Read, from: SourceId, to: SourceId) -> bool {
    beyond(read, from).contains(&to)
}

/// Whether a column of a read is stored as a counter.
pub(super) fn is_counter(context: Context<'_>, read: &Read, column: Column) -> bool {
    let source = read.sources.at(column.source);
    let entity = source.and_then(|source| context.concept.entities.at(source.entity));
    let attribute = entity.and_then(|entity| entity.attributes.at(column.attribute));
    attribute.is_some_and(|attribute| attribute.counter)
}
