//! Whether a candidate has all rows of a read, and which of its sources are those of the read.

use model::concept::Concept;
use model::id::{IdList, ReferenceId, SourceId};
use model::plan::{Derivation, PlannedTable, RowDefinition};
use model::workload::{Column, OutputValue, Predicate, Read, Source};

use crate::read_plan::columns::ReadView;

/// For each source of a read the matching source of a candidate; `None` where it has none.
pub(super) type SourceMapping = Vec<Option<SourceId>>;

/// A step from a source to a neighbour.
#[derive(Clone, Copy)]
pub(super) struct ReferenceHop {
    pub(super) to: SourceId,
    pub(super) reference: ReferenceId,
    /// The reference is held where the hop starts: it leads to one row.
    pub(super) to_one: bool,
    /// There is a joined row even where it leads to none.
    pub(super) optional: bool,
}

/// The steps to the neighbours of a source.
pub(super) fn hops(sources: &[Source], from: SourceId) -> Vec<ReferenceHop> {
    let joins = sources.enumerate_ids().filter_map(|(at, source)| Some((at, source.join?)));
    joins
        .filter_map(|(at, join)| {
            let reference = join.reference;
            if join.with == from {
                Some(ReferenceHop {
                    to: at,
                    reference,
                    to_one: join.to_one,
                    optional: join.optional,
                })
            } else if at == from {
                let (to, to_one) = (join.with, !join.to_one);
                Some(ReferenceHop { to, reference, to_one, optional: false })
            } else {
                None
            }
        })
        .collect()
}

/// The sources that make the rows: no other refers to them.
pub(super) fn makers(sources: &[Source]) -> Vec<SourceId> {
    let refers = |from: SourceId, to: SourceId| {
        hops(sources, from).iter().any(|hop| hop.to == to && hop.to_one)
    };
    let all = sources.ids();
    all.clone().filter(|to| !all.clone().any(|from| refers(from, *to))).collect()
}

/// The mapping under which a candidate has all rows of a read; `None` when there is none.
pub(super) fn map_sources(
    concept: &Concept,
    table: &PlannedTable,
    read: &Read,
) -> Option<SourceMapping> {
    let theirs = &table.holds.sources;
    let first = *makers(&read.sources).first()?;
    let entity = read.sources.member(first)?.entity;
    // A cheap test that rules out most tables.
    if !theirs.iter().any(|source| source.entity == entity) {
        return None;
    }
    let anchors = makers(theirs);
    if anchors.len() != makers(&read.sources).len() {
        return None;
    }
    let mut anchors = anchors.into_iter().filter(|at| theirs[*at].entity == entity);
    anchors.find_map(|anchor| {
        let sources = embed(&read.sources, theirs, (first, anchor))?;
        has_all_rows(ReadView::for_candidate(concept, table, read, &sources)).then_some(sources)
    })
}

/// Embeds the read's join graph into the candidate's. What only one of them joins must lead to a
/// single row, so that it neither multiplies nor merges rows.
fn embed(
    ours: &[Source],
    theirs: &[Source],
    (first, anchor): (SourceId, SourceId),
) -> Option<SourceMapping> {
    let mut places: SourceMapping = vec![None; ours.len()];
    let mut seen = vec![false; ours.len()];
    let mut used = vec![false; theirs.len()];
    places[first] = Some(anchor);
    seen[first.index()] = true;
    used[anchor.index()] = true;
    let mut open = vec![first];
    while let Some(from) = open.pop() {
        for hop in hops(ours, from) {
            if std::mem::replace(seen.get_mut(hop.to.index())?, true) {
                continue;
            }
            let same = |other: &ReferenceHop| {
                other.reference == hop.reference
                    && other.to_one == hop.to_one
                    && !used[other.to.index()]
                    && theirs[other.to].entity == ours[hop.to].entity
            };
            let like = places[from].and_then(|at| hops(theirs, at).into_iter().find(same));
            match like {
                Some(other) => {
                    places[hop.to] = Some(other.to);
                    used[other.to.index()] = true;
                }
                None if hop.to_one => {}
                None => return None,
            }
            open.push(hop.to);
        }
    }
    has_only_single_rows(theirs, &mut used).then_some(places)
}

/// Whether what only the candidate joins leads to one row each.
fn has_only_single_rows(theirs: &[Source], used: &mut [bool]) -> bool {
    let mut open: Vec<SourceId> = theirs.ids().filter(|at| used[at.index()]).collect();
    while let Some(from) = open.pop() {
        for hop in hops(theirs, from) {
            if used[hop.to.index()] {
                continue;
            }
            if !hop.to_one {
                return false;
            }
            used[hop.to.index()] = true;
            open.push(hop.to);
        }
    }
    used.iter().all(|used| *used)
}

/// Whether the candidate contains each row of the read exactly once.
fn has_all_rows(view: ReadView<'_>) -> bool {
    let RowDefinition { sources, filters, not_null, elements } = &view.table.holds;
    let filtered = filters.iter().all(|filter| {
        let stored = filter.predicate.map_columns(|column| Some(view.canonical_stored(column)));
        let mut conditions = view.read.conditions.iter();
        conditions.any(|condition| {
            condition.predicate.map_columns(|column| view.canonical(column)) == stored
        })
    });
    let one_each = elements.iter().all(|array| {
        let mut conditions = view.read.conditions.iter();
        conditions.any(|condition| match condition.predicate {
            Predicate::Holds { column, .. } => view.is_same_column(column, *array),
            _ => false,
        })
    });
    let joins = sources.ids().filter(|at| !view.sources.contains(&Some(*at)));
    filtered
        && one_each
        && not_null.iter().all(|column| is_never_null(view, *column))
        && clustering_attributes(view)
            .all(|column| is_never_null(view, column) || is_sorted_by(view, column))
        && joins
            .filter(|at| !sources[*at].is_optional())
            .flat_map(|at| reference_columns(view, at))
            .all(|column| is_never_null(view, column))
        && has_same_joins(view)
}

/// Whether what both join is optional in both, or there for every row.
fn has_same_joins(view: ReadView<'_>) -> bool {
    let pairs = view.read.sources.iter().zip(view.sources);
    pairs.filter_map(|(ours, theirs)| Some((ours, (*theirs)?))).all(|(ours, at)| {
        let theirs = view.table.holds.sources.member(at).is_some_and(Source::is_optional);
        match (ours.is_optional(), theirs) {
            // The rows for which nothing is found would have to be dropped.
            (false, true) => false,
            (true, false) => {
                reference_columns(view, at).iter().all(|column| is_never_null(view, *column))
            }
            _ => true,
        }
    })
}

/// The clustering columns of a table, in which no row has a null.
fn clustering_attributes(view: ReadView<'_>) -> impl Iterator<Item = Column> {
    view.table.clustering().filter_map(|column| match column.derivation {
        Derivation::Attribute(of) => Some(of),
        _ => None,
    })
}

/// The columns of the candidate by which a source is referred to.
fn reference_columns(view: ReadView<'_>, at: SourceId) -> Vec<Column> {
    let sources = &view.table.holds.sources;
    let Some(join) = sources.member(at).and_then(|source| source.join) else { return Vec::new() };
    let holder = if join.to_one { join.with } else { at };
    let entity = sources.member(holder).and_then(|of| view.concept.entities.member(of.entity));
    let Some(reference) = entity.and_then(|entity| entity.references.member(join.reference)) else {
        return Vec::new();
    };
    reference.attributes.iter().map(|&attribute| Column { source: holder, attribute }).collect()
}

/// Whether no row of the read has a null in a column of the candidate.
fn is_never_null(view: ReadView<'_>, stored: Column) -> bool {
    let entity = view.table.holds.sources.member(stored.source);
    let entity = entity.and_then(|source| view.concept.entities.member(source.entity));
    let attribute = entity.and_then(|entity| entity.attributes.member(stored.attribute));
    let is_optional =
        view.table.holds.sources.member(stored.source).is_some_and(Source::is_optional);
    if attribute.is_some_and(|attribute| !attribute.nullable && !is_optional) {
        return true;
    }
    let read = view.read;
    let is = |column: &Column| view.is_same_column(*column, stored);
    let compared = read.conditions.iter().any(|condition| {
        !matches!(condition.predicate, Predicate::Null { .. })
            && condition.predicate.columns().iter().any(is)
    });
    let joined = read.sources.ids().any(|at| is_joined_by(view, at, stored));
    let extreme = read.group.is_empty()
        && read.outputs.iter().all(|output| match output.value {
            OutputValue::Least(of) | OutputValue::Greatest(of) => is(&of),
            _ => false,
        });
    compared || joined || extreme
}

/// Whether the read joins a source by a column of the candidate, which leaves out nulls.
fn is_joined_by(view: ReadView<'_>, at: SourceId, stored: Column) -> bool {
    let sources = &view.read.sources;
    let join = sources.member(at).and_then(|source| source.join).filter(|join| !join.optional);
    let Some(join) = join else { return false };
    let holder = if join.to_one { join.with } else { at };
    let entity = sources.member(holder).and_then(|of| view.concept.entities.member(of.entity));
    let reference = entity.and_then(|entity| entity.references.member(join.reference));
    reference.is_some_and(|reference| {
        let mut columns =
            reference.attributes.iter().map(|&attribute| Column { source: holder, attribute });
        columns.any(|column| view.is_same_column(column, stored))
    })
}

/// Whether the read orders or groups by a column of the candidate: it is taken as never null.
fn is_sorted_by(view: ReadView<'_>, stored: Column) -> bool {
    let order = view.read.order.iter().map(|ordering| &ordering.column);
    order.chain(&view.read.group).any(|column| view.is_same_column(*column, stored))
}
