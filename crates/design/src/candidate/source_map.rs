//! Removes sources that a table does not need.

use model::dependency::Dependencies;
use model::id::{AttributeId, IdList, SourceId};
use model::plan::{Derivation, RowDefinition};
use model::workload::{Column, Condition, Join, Source};

/// For each source its position after removing those that are neither used nor restrict the rows.
pub(super) fn map_sources(
    dependencies: &Dependencies<'_>,
    sources: &[Source],
    used: &[bool],
) -> Vec<Option<SourceId>> {
    let makers = dependencies.row_sources();
    let lives = |source: &SourceId| dependencies.entity(*source).retain.unwrap_or(f64::INFINITY);
    let longest = makers.iter().map(lives).fold(f64::INFINITY, f64::min);
    let mut kept = vec![true; sources.len()];
    let needless = |kept: &[bool], at: SourceId| {
        // Only a source that one other refers to, and nothing else is joined to, can be removed.
        let mut joins = sources
            .ids()
            .filter_map(|join| Some((join, dependencies.join_ends(join)?)))
            .filter(|(_, (holder, target))| kept[holder.index()] && kept[target.index()])
            .filter(|(_, (holder, target))| *holder == at || *target == at);
        let (Some((join, (holder, target))), None) = (joins.next(), joins.next()) else {
            return false;
        };
        target == at
            && lives(&at) >= longest
            && (sources[join].is_optional()
                || is_never_null(dependencies, sources[join].join, holder))
    };
    loop {
        let is_used = |at: SourceId| used.get(at.index()).copied().unwrap_or(true);
        let next =
            sources.ids().find(|at| kept[at.index()] && !is_used(*at) && needless(&kept, *at));
        let Some(gone) = next else { break };
        kept[gone.index()] = false;
    }
    let mut next = sources.ids();
    kept.into_iter().map(|kept| if kept { next.next() } else { None }).collect()
}

fn is_never_null(dependencies: &Dependencies<'_>, join: Option<Join>, holder: SourceId) -> bool {
    let entity = dependencies.entity(holder);
    let reference = join.and_then(|join| entity.references.member(join.reference));
    reference.is_some_and(|reference| {
        let null = |at: &AttributeId| entity.attributes.member(*at).is_some_and(|one| one.nullable);
        !reference.nullable && !reference.attributes.iter().any(null)
    })
}

/// What is held, with its sources at these places.
pub(super) fn remap_holds(holds: &RowDefinition, places: &[Option<SourceId>]) -> RowDefinition {
    let kept = holds.sources.iter().zip(places).filter(|(_, place)| place.is_some());
    let source = |source: &Source| {
        let join = source.join.and_then(|join| {
            let with = places.member(join.with).copied().flatten()?;
            Some(Join { with, ..join })
        });
        Source { join, ..source.clone() }
    };
    let moved = |of: &Vec<Column>| of.iter().filter_map(|one| remap_column(*one, places)).collect();
    let filters = holds.filters.iter().filter_map(|filter| {
        let test = filter.predicate.map_columns(|one| remap_column(one, places))?;
        Some(Condition { predicate: test, ..filter.clone() })
    });
    RowDefinition {
        sources: kept.map(|(one, _)| source(one)).collect(),
        filters: filters.collect(),
        not_null: moved(&holds.not_null),
        elements: moved(&holds.elements),
    }
}

/// A column, with its source at its new place.
pub(super) fn remap_column(of: Column, places: &[Option<SourceId>]) -> Option<Column> {
    let source = places.member(of.source).copied().flatten()?;
    Some(Column { source, ..of })
}

/// What a column is made from, with the sources at their new places.
pub(super) fn remap_derivation(of: &Derivation, places: &[Option<SourceId>]) -> Option<Derivation> {
    let moved = |one: &Column| remap_column(*one, places);
    Some(match of {
        Derivation::Attribute(of) => Derivation::Attribute(moved(of)?),
        Derivation::Coalesced(of, null) => Derivation::Coalesced(moved(of)?, null.clone()),
        Derivation::Element(of) => Derivation::Element(moved(of)?),
        Derivation::Bucket(of, bucket) => Derivation::Bucket(moved(of)?, *bucket),
        Derivation::Shard { of, count } => {
            let of = of.iter().map(moved).collect::<Option<_>>()?;
            Derivation::Shard { of, count: *count }
        }
        Derivation::Prefix(of, length) => Derivation::Prefix(moved(of)?, *length),
        Derivation::Count(Some(of)) => Derivation::Count(Some(moved(of)?)),
        Derivation::Sum(of) => Derivation::Sum(moved(of)?),
        Derivation::Count(None)
        | Derivation::Constant
        | Derivation::Oldest(_)
        | Derivation::Newest(_) => of.clone(),
    })
}
