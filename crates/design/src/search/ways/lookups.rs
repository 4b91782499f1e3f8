//! Parts of a read that can be left out of the table of its rows and looked up by key instead.

use std::collections::BTreeSet;

use model::id::{IdList, SourceId};
use model::plan::ReadPart;
use model::workload::{Column, OutputValue, Read};

use super::FurtherRead;
use super::fit::{hops, makers};
use super::synthetic::{self, SubJoin};
use crate::Context;

/// Columns that are looked up together: of a source, and of sources that its row refers to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LookupUnit {
    /// The source by whose key it is looked up.
    pub(super) root: SourceId,
    /// The sources whose columns are returned, itself among them.
    pub(super) members: Vec<SourceId>,
}

/// The variants of a read: each a list of units that are left out and looked up.
///
/// All subsets of sources would be exponentially many. Tried are each source alone, each with all
/// that its row leads to, all but the one that makes the rows, and all.
pub(super) fn variants(read: &Read) -> Vec<Vec<LookupUnit>> {
    let plain = |value: &OutputValue| matches!(value, OutputValue::Column(_));
    let [maker] = makers(&read.sources)[..] else { return Vec::new() };
    if !read.group.is_empty() || !read.outputs.iter().all(|output| plain(&output.value)) {
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
    let own = |root: SourceId| LookupUnit { root, members: vec![root] };
    let mut variants: Vec<Vec<LookupUnit>> =
        shown.iter().map(|source| vec![own(*source)]).collect();
    for root in read.sources.ids() {
        let members = reachable_sources(read, root);
        if members.iter().filter(|member| shown.contains(member)).count() > 0 && members.len() > 1 {
            variants.push(vec![LookupUnit { root, members }]);
        }
    }
    variants.push(shown.iter().filter(|source| **source != maker).map(|one| own(*one)).collect());
    variants.push(shown.iter().map(|one| own(*one)).collect());
    let mut seen = BTreeSet::new();
    variants.retain(|variant| !variant.is_empty() && seen.insert(variant.clone()));
    variants
}

/// A source and all that its row leads to by references.
pub(super) fn reachable_sources(read: &Read, root: SourceId) -> Vec<SourceId> {
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

/// The columns by which the row of a source is looked up: what refers to it does so by them, or its
/// key.
pub(super) fn lookup_key(context: Context<'_>, read: &Read, root: SourceId) -> Vec<Column> {
    let Some(source) = read.sources.member(root) else { return Vec::new() };
    let holder = read.sources.ids().find_map(|from| {
        let hop = hops(&read.sources, from).into_iter().find(|hop| hop.to == root && hop.to_one)?;
        let entity = context.concept.entities.member(read.sources.member(from)?.entity)?;
        Some(entity.references.member(hop.reference)?.target_attributes.clone())
    });
    let entity = context.concept.entities.member(source.entity);
    let primary = || entity.map_or_else(Vec::new, |entity| entity.primary_key().to_vec());
    let attributes = holder.unwrap_or_else(primary);
    attributes.into_iter().map(|attribute| Column { source: root, attribute }).collect()
}

/// The lookup of these columns.
pub(super) fn lookup_read(
    context: Context<'_>,
    read: &Read,
    unit: &LookupUnit,
    columns: &BTreeSet<Column>,
    (part, times): (ReadPart, f64),
) -> Option<FurtherRead> {
    let key = lookup_key(context, read, unit.root);
    let wanted = unit.members.iter().copied().filter(|member| {
        *member == unit.root
            || columns.iter().any(|column| is_reachable(read, *member, column.source))
    });
    let wanted: Vec<SourceId> = wanted.collect();
    let excerpt = SubJoin::from_root(read, unit.root, &wanted)?;
    let mut lookup = synthetic::build_read(context, read, &excerpt, columns.iter().copied());
    lookup.many = false;
    for column in &key {
        synthetic::add_key_parameter(context, &mut lookup, excerpt.column(*column)?);
    }
    if lookup.outputs.is_empty() {
        // Only the existence of the row matters.
        let outputs = synthetic::build_read(context, read, &excerpt, key.iter().copied()).outputs;
        lookup.outputs = outputs;
    }
    (!key.is_empty()).then_some(FurtherRead { read: lookup, sources: excerpt.of, times, part })
}

/// Whether the row of a source leads to another, or is it.
fn is_reachable(read: &Read, from: SourceId, to: SourceId) -> bool {
    reachable_sources(read, from).contains(&to)
}

/// Whether a column of a read is stored as a counter.
pub(super) fn is_counter(context: Context<'_>, read: &Read, column: Column) -> bool {
    let source = read.sources.member(column.source);
    let entity = source.and_then(|source| context.concept.entities.member(source.entity));
    let attribute = entity.and_then(|entity| entity.attributes.member(column.attribute));
    attribute.is_some_and(|attribute| attribute.counter)
}
