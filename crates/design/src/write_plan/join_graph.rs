//! The join graph of a table's sources: which columns are equal, and which steps lead to a single
//! row.

use model::concept::{Concept, Entity, Reference};
use model::id::{AttributeId, IdList, ReferenceId, SourceId};
use model::workload::{Column, Source};

/// The sources of a table or of a request.
#[derive(Clone, Copy)]
pub(super) struct JoinGraph<'a> {
    pub(super) concept: &'a Concept,
    pub(super) sources: &'a [Source],
}

/// A step from one source to a neighbour.
#[derive(Clone, Copy)]
pub(super) struct JoinHop<'a> {
    pub(super) from: SourceId,
    pub(super) to: SourceId,
    /// The reference, and its position among those of its holder.
    pub(super) reference: &'a Reference,
    pub(super) position: ReferenceId,
    /// The reference is held by the source where the step starts: it leads to a single row.
    pub(super) to_one: bool,
    /// There is a joined row even where it leads to none.
    pub(super) optional: bool,
}

/// How many joined rows a row of a source occurs in. It decides how a write to the entity finds
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JoinRole {
    /// At most one: every step from the source leads to a single row.
    Maker,
    /// As many as there are rows that refer to it.
    Parent,
    /// As many as there are rows of another source that refer to the same row.
    Partner,
}

impl<'a> JoinGraph<'a> {
    /// The entity of a source.
    pub(super) fn entity(&self, source: SourceId) -> Option<&'a Entity> {
        self.concept.entities.member(self.sources.member(source)?.entity)
    }

    /// The representative of a column: the equal column of the earliest source. The same for all
    /// columns that the join makes equal.
    pub(super) fn canonical(&self, mut column: Column) -> Column {
        for _ in 0..self.sources.len() {
            let Some(earlier) = self.earlier_column(column) else { break };
            column = earlier;
        }
        column
    }

    /// The column of an earlier source that a column is joined to.
    fn earlier_column(&self, column: Column) -> Option<Column> {
        let hop = self.join(column.source)?;
        let (mine, theirs) = if hop.to_one {
            (&hop.reference.target_attributes, &hop.reference.attributes)
        } else {
            (&hop.reference.attributes, &hop.reference.target_attributes)
        };
        let at = mine.iter().position(|attribute| *attribute == column.attribute)?;
        Some(Column { source: hop.from, attribute: *theirs.get(at)? })
    }

    /// Whether two columns are joined to be equal.
    pub(super) fn is_same(&self, one: Column, other: Column) -> bool {
        one == other || self.canonical(one) == self.canonical(other)
    }

    /// The attribute of `source` that a column is equal to.
    pub(super) fn attribute_at(&self, column: Column, source: SourceId) -> Option<AttributeId> {
        if column.source == source {
            return Some(column.attribute);
        }
        let wanted = self.canonical(column);
        let attributes = &self.entity(source)?.attributes;
        attributes
            .ids()
            .find(|attribute| self.canonical(Column { source, attribute: *attribute }) == wanted)
    }

    /// The hop by which a source is joined to an earlier one.
    fn join(&self, source: SourceId) -> Option<JoinHop<'a>> {
        let join = self.sources.member(source)?.join?;
        let holder = if join.to_one { join.with } else { source };
        let reference = self.entity(holder)?.references.member(join.reference)?;
        let (from, to, to_one) = (join.with, source, join.to_one);
        let (position, optional) = (join.reference, join.optional);
        Some(JoinHop { from, to, reference, position, to_one, optional })
    }

    /// The hops to the neighbours of a source.
    pub(super) fn hops(&self, source: SourceId) -> Vec<JoinHop<'a>> {
        let joins = self.sources.ids().filter_map(|at| self.join(at));
        joins
            .filter_map(|hop| {
                if hop.from == source {
                    Some(hop)
                } else if hop.to == source {
                    let (from, to, to_one) = (hop.to, hop.from, !hop.to_one);
                    Some(JoinHop { from, to, to_one, optional: false, ..hop })
                } else {
                    None
                }
            })
            .collect()
    }

    /// For each source the hop by which it is reached from `start`; `None` for the start itself.
    pub(super) fn routes(&self, start: SourceId) -> Vec<Option<JoinHop<'a>>> {
        let mut routes: Vec<Option<JoinHop<'a>>> = vec![None; self.sources.len()];
        let mut open = vec![start];
        while let Some(source) = open.pop() {
            for hop in self.hops(source) {
                if hop.to != start && routes.get(hop.to.index()).is_some_and(Option::is_none) {
                    routes[hop.to.index()] = Some(hop);
                    open.push(hop.to);
                }
            }
        }
        routes
    }

    /// Whether a row of `source` is in at most one joined row: every way from it is to a single
    /// row.
    pub(super) fn is_maker(&self, source: SourceId) -> bool {
        self.routes(source).into_iter().flatten().all(|hop| hop.to_one)
    }

    /// How rows of `source` stand to joined rows.
    pub(super) fn join_role(&self, source: SourceId) -> JoinRole {
        if self.is_maker(source) {
            JoinRole::Maker
        } else if self.hops(source).iter().any(|hop| !hop.to_one) {
            JoinRole::Parent
        } else {
            JoinRole::Partner
        }
    }

    /// The sources on the far side of a hop, the nearest first, each with the hop that leads to it.
    pub(super) fn hops_beyond(&self, hop: JoinHop<'a>) -> Vec<JoinHop<'a>> {
        let mut reached = vec![hop];
        let mut next = 0;
        while let Some(at) = reached.get(next).copied() {
            next += 1;
            let onward = self.hops(at.to).into_iter();
            reached.extend(onward.filter(|onward| onward.to != at.from));
        }
        reached
    }

    /// How many hops a source is away from `start`.
    pub(super) fn distance(&self, start: SourceId, source: SourceId) -> usize {
        let routes = self.routes(start);
        let mut at = source;
        for distance in 0..=self.sources.len() {
            match routes.get(at.index()).copied().flatten() {
                Some(hop) if at != start => at = hop.from,
                _ => return distance,
            }
        }
        self.sources.len()
    }

    /// Whether a source may be null in a joined row.
    pub(super) fn is_optional(&self, source: SourceId) -> bool {
        self.sources.member(source).is_some_and(Source::is_optional)
    }

    /// The columns of the primary key of a source's entity.
    pub(super) fn key(&self, source: SourceId) -> Vec<Column> {
        let key = self.entity(source).map(Entity::primary_key).unwrap_or_default();
        key.iter().map(|attribute| Column { source, attribute: *attribute }).collect()
    }

    /// Whether the columns given hold a whole key of a source's entity.
    pub(super) fn has_key(&self, source: SourceId, held: impl Fn(Column) -> bool) -> bool {
        let Some(entity) = self.entity(source) else { return false };
        entity.keys.iter().any(|key| {
            !key.is_empty()
                && key.iter().all(|attribute| held(Column { source, attribute: *attribute }))
        })
    }
}
