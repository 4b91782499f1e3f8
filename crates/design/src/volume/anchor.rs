//! Anchors: what the partition key of a table fixes, rows of other entities or values of
//! attributes.
//!
//! A table holds a join. The rows of the join are those of its *tip*, the source that refers, over
//! any number of steps, to all others. A partition holds the rows of the tip under the row or value
//! that each anchor stands for.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use model::concept::Concept;
use model::id::{AttributeId, EntityId, IdList, ReferenceId, SourceId};
use model::plan::{Derivation, PlannedTable};
use model::workload::Source;

/// References are followed no further than this: no partition key has as many parts.
const STEPS_MAX: usize = 12;

/// Something that the partition key fixes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Anchor {
    pub(super) fixes: AnchorKind,
    /// The references that lead from the tip to it.
    pub(super) path: Vec<ReferenceStep>,
}

/// A step along a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReferenceStep {
    /// The entity that refers.
    pub(super) entity: EntityId,
    /// Its reference.
    pub(super) reference: ReferenceId,
}

/// What an anchor stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AnchorKind {
    /// One row of an entity, by this key of it.
    Row { entity: EntityId, key: Vec<AttributeId> },
    /// One value of an attribute.
    Value { entity: EntityId, attribute: AttributeId },
    /// One element of an array.
    Element { entity: EntityId, attribute: AttributeId },
    /// The first characters of an attribute.
    Prefix { entity: EntityId, attribute: AttributeId, length: usize },
}

/// The sources of a table, how they refer to one another, and what the partition key says of each.
pub(super) struct SourceGraph<'a> {
    concept: &'a Concept,
    list: &'a [Source],
    /// For each source the references that joins follow from it, with the source each leads to.
    parents: Vec<Vec<(ReferenceId, SourceId)>>,
    /// For each source its attributes that the partition key fixes.
    known: Vec<BTreeSet<AttributeId>>,
    /// For each source its elements and prefixes in the partition key.
    parts: Vec<Vec<AnchorKind>>,
}

impl<'a> SourceGraph<'a> {
    pub(super) fn new(concept: &'a Concept, table: &'a PlannedTable) -> Self {
        let sources = &*table.holds.sources;
        let mut parents = vec![Vec::new(); sources.len()];
        for (at, source) in sources.enumerate_ids() {
            let Some(join) = source.join else { continue };
            let (child, parent) = if join.to_one { (join.with, at) } else { (at, join.with) };
            if let Some(list) = parents.get_mut(child.index()) {
                list.push((join.reference, parent));
            }
        }
        let mut this = Self {
            concept,
            list: sources,
            parents,
            known: vec![BTreeSet::new(); sources.len()],
            parts: vec![Vec::new(); sources.len()],
        };
        this.read_key(table);
        this.equate();
        this
    }

    /// Records what the partition key itself fixes.
    fn read_key(&mut self, table: &PlannedTable) {
        for column in table.partition_key() {
            let (of, part) = match &column.derivation {
                Derivation::Attribute(of) | Derivation::Coalesced(of, _) => (*of, None),
                Derivation::Element(of) => (*of, Some(None)),
                Derivation::Prefix(of, length) => (*of, Some(Some(*length))),
                _ => continue,
            };
            let Some(source) = self.list.member(of.source) else { continue };
            let (entity, attribute) = (source.entity, of.attribute);
            match part {
                None => {
                    self.known[of.source.index()].insert(attribute);
                }
                Some(None) => {
                    self.parts[of.source.index()].push(AnchorKind::Element { entity, attribute });
                }
                Some(Some(length)) => {
                    self.parts[of.source.index()].push(AnchorKind::Prefix {
                        entity,
                        attribute,
                        length,
                    });
                }
            }
        }
    }

    /// Propagates along references: what refers is equal to what is referred to.
    fn equate(&mut self) {
        for _ in 0..self.list.len() {
            let mut found = false;
            for child in self.list.ids() {
                for (reference, parent) in self.parents[child.index()].clone() {
                    found |= self.equate_along(child, reference, parent);
                }
            }
            if !found {
                return;
            }
        }
    }

    fn equate_along(&mut self, child: SourceId, reference: ReferenceId, parent: SourceId) -> bool {
        let entity = &self.concept.entities[self.list[child].entity];
        let Some(reference) = entity.references.member(reference) else { return false };
        let mut found = false;
        for (own, other) in reference.attributes.iter().zip(&reference.target_attributes) {
            if self.known[child.index()].contains(own) {
                found |= self.known[parent.index()].insert(*other);
            } else if self.known[parent.index()].contains(other) {
                found |= self.known[child.index()].insert(*own);
            }
        }
        found
    }

    /// The sources that no other source refers to, the one of which the key fixes most first.
    pub(super) fn tips(&self) -> Vec<SourceId> {
        let referred: BTreeSet<SourceId> =
            self.parents.iter().flatten().map(|(_, parent)| *parent).collect();
        let mut tips: Vec<SourceId> = self.list.ids().filter(|at| !referred.contains(at)).collect();
        tips.sort_by_key(|at| Reverse(self.known[at.index()].len() + self.parts[at.index()].len()));
        tips
    }

    /// The path from one tip up to the first source that another tip refers to as well.
    pub(super) fn path_to_shared(&self, tip: SourceId, other: SourceId) -> Vec<ReferenceStep> {
        let mut shared = BTreeSet::from([other]);
        let mut open = vec![other];
        while let Some(at) = open.pop() {
            for (_, parent) in &self.parents[at.index()] {
                if shared.insert(*parent) {
                    open.push(*parent);
                }
            }
        }
        let mut seen = BTreeSet::from([tip]);
        let mut ways = vec![(tip, Vec::new())];
        while let Some((at, path)) = ways.pop() {
            if shared.contains(&at) {
                return path;
            }
            for (reference, parent) in &self.parents[at.index()] {
                if seen.insert(*parent) {
                    let link =
                        ReferenceStep { entity: self.list[at].entity, reference: *reference };
                    let mut longer = path.clone();
                    longer.push(link);
                    ways.push((*parent, longer));
                }
            }
        }
        Vec::new()
    }

    /// What the partition key fixes, seen from a tip.
    pub(super) fn anchors(&self, tip: SourceId) -> Vec<Anchor> {
        let mut found = Vec::new();
        let entity = self.list[tip].entity;
        self.collect(entity, Some(tip), &self.known[tip.index()], &mut Vec::new(), &mut found);
        found
    }

    /// The anchors at or above one row of `entity` whose attributes `known` are fixed; `source` is
    /// its source, where it has one.
    fn collect(
        &self,
        entity: EntityId,
        source: Option<SourceId>,
        known: &BTreeSet<AttributeId>,
        path: &mut Vec<ReferenceStep>,
        found: &mut Vec<Anchor>,
    ) {
        let this = &self.concept.entities[entity];
        let is_known =
            |key: &&Vec<AttributeId>| !key.is_empty() && key.iter().all(|at| known.contains(at));
        if let Some(key) = this.keys.iter().find(is_known) {
            let fixes = AnchorKind::Row { entity, key: key.clone() };
            found.push(Anchor { fixes, path: path.clone() });
            return;
        }
        let mut open = known.clone();
        for at in self.references_by_knowledge(entity, known) {
            let reference = &this.references[at];
            let shared = || reference.attributes.iter().filter(|own| known.contains(own));
            let joined = source.and_then(|source| self.join_target(source, at));
            let above: BTreeSet<AttributeId> = match joined {
                Some(parent) => self.known[parent.index()].clone(),
                None => propagate_known(&reference.attributes, &reference.target_attributes, known),
            };
            let says_more = shared().any(|own| open.contains(own))
                || above.len() > shared().count()
                || joined.is_some_and(|parent| !self.parts[parent.index()].is_empty());
            let goes_on = joined.is_some() || !above.is_empty();
            if !says_more || !goes_on || path.len() >= STEPS_MAX {
                continue;
            }
            open.retain(|own| !reference.attributes.contains(own));
            path.push(ReferenceStep { entity, reference: at });
            self.collect(reference.target, joined, &above, path, found);
            path.pop();
        }
        let values = open.into_iter().map(|attribute| AnchorKind::Value { entity, attribute });
        let parts = source.map_or(&[][..], |source| &*self.parts[source.index()]);
        let fixes = values.chain(parts.iter().cloned());
        found.extend(fixes.map(|fixes| Anchor { fixes, path: path.clone() }));
    }

    /// The references of an entity, those first of which all is known, and among them those of
    /// which most is.
    fn references_by_knowledge(
        &self,
        entity: EntityId,
        known: &BTreeSet<AttributeId>,
    ) -> Vec<ReferenceId> {
        let references = &self.concept.entities[entity].references;
        let mut order: Vec<ReferenceId> = references.ids().collect();
        order.sort_by_key(|at| {
            let attributes = &references[*at].attributes;
            let count = attributes.iter().filter(|own| known.contains(own)).count();
            (count < attributes.len(), Reverse(count))
        });
        order
    }

    /// The source that a reference of a source is joined to.
    fn join_target(&self, source: SourceId, reference: ReferenceId) -> Option<SourceId> {
        let list = self.parents.get(source.index())?;
        list.iter().find(|(at, _)| *at == reference).map(|(_, parent)| *parent)
    }
}

/// What is known of the row referred to, from what is known of the one that refers.
fn propagate_known(
    own: &[AttributeId],
    targets: &[AttributeId],
    known: &BTreeSet<AttributeId>,
) -> BTreeSet<AttributeId> {
    own.iter().zip(targets).filter(|(own, _)| known.contains(own)).map(|(_, at)| *at).collect()
}
