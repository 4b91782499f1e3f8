//! Candidates that the server maintains: materialized views of other candidates.
//!
//! Cassandra's rules for views: all columns of the base's key are in the view's key, and at most
//! one other. Ours in addition: rows of one entity, none left out and none twice; no buckets or
//! shards. A view's columns are those of its base, so selecting one there selects it in the base,
//! too.

use std::collections::BTreeSet;

use model::concept::Entity;
use model::id::{AttributeId, EntityId, IdList, SourceId};
use model::plan::{Derivation, PlannedTable};
use model::workload::Column;

use crate::candidate::{CandidateId, CandidateTable, CompleteTable};
use crate::{Context, partition_split};

/// What a candidate is a view of.
#[derive(Clone, Debug)]
pub(super) struct ViewBase {
    /// The candidate of the base.
    pub(super) base: CandidateId,
    /// The source of the base that has the rows.
    source: SourceId,
    /// The column of its key that is not in the base's key.
    added: Option<Column>,
}

/// A candidate that may be a view or a base.
struct ViewCandidate<'a> {
    candidate: &'a CandidateTable,
    filled: CompleteTable,
    entity: EntityId,
    /// The attributes of its key.
    key: BTreeSet<AttributeId>,
}

/// All pairs of candidates of which one can be a view of the other.
pub(super) fn find_views(
    context: Context<'_>,
    candidates: &[CandidateTable],
) -> Vec<(CandidateTable, ViewBase)> {
    let plain: Vec<(CandidateId, ViewCandidate<'_>)> = candidates
        .enumerate_ids()
        .filter_map(|(at, candidate)| {
            Some((at, ViewCandidate::from_candidate(context, candidate)?))
        })
        .collect();
    let mut views = Vec::new();
    for (at, view) in &plain {
        for (base, of) in plain.iter().filter(|(base, _)| base != at) {
            if let Some(kept) = view.as_view_of(context, *base, of) {
                views.push((view.bare_candidate(), kept));
            }
        }
    }
    views
}

impl ViewBase {
    /// A column of the view as one of the base.
    pub(super) fn base_column(&self, column: Column) -> Column {
        Column { source: self.source, ..column }
    }

    /// The source with the rows in a table built from the base; `sources` maps the candidate's
    /// sources.
    pub(super) fn source_in(&self, sources: &[Option<SourceId>]) -> SourceId {
        sources.member(self.source).copied().flatten().unwrap_or(self.source)
    }

    /// Columns that the base must store beside its key, for the view's key and these columns of it.
    pub(super) fn base_columns<'c>(
        &self,
        columns: impl IntoIterator<Item = &'c Column>,
    ) -> BTreeSet<Column> {
        let all = columns.into_iter().copied().chain(self.added);
        all.map(|column| self.base_column(column)).collect()
    }
}

impl<'a> ViewCandidate<'a> {
    /// The candidate, if it has rows of one entity by a key of plain attributes.
    fn from_candidate(context: Context<'_>, candidate: &'a CandidateTable) -> Option<Self> {
        let forced = partition_split::is_forced(&candidate.table);
        if forced || candidate.table.is_counter() || candidate.can_be_split(context) {
            return None;
        }
        let filled = candidate.table_with(context, &BTreeSet::new());
        let holds = &filled.table.holds;
        let [source] = holds.sources.as_slice() else { return None };
        let entity = source.entity;
        let key: Option<BTreeSet<AttributeId>> = filled
            .table
            .columns
            .iter()
            .map(|column| match column.derivation {
                Derivation::Attribute(of) => Some(of.attribute),
                _ => None,
            })
            .collect();
        let key = key?;
        let whole = holds.filters.is_empty()
            && holds.elements.is_empty()
            && holds.not_null.iter().all(|column| key.contains(&column.attribute))
            && context.concept.entities.member(entity)?.retain.is_none();
        whole.then_some(Self { candidate, filled, entity, key })
    }

    fn as_view_of(&self, context: Context<'_>, at: CandidateId, base: &Self) -> Option<ViewBase> {
        let entity: &Entity = context.concept.entities.member(self.entity)?;
        let set = |at: &AttributeId| entity.attributes.member(*at).is_some_and(|one| !one.nullable);
        let mut added = self.key.difference(&base.key);
        let first = added.next();
        let fits = self.entity == base.entity
            && base.key.is_subset(&self.key)
            && base.key.iter().all(set)
            && added.next().is_none();
        let source = base.filled.sources.find_id(|place| *place == Some(SourceId::new(0)))?;
        let added =
            first.map(|attribute| Column { source: SourceId::new(0), attribute: *attribute });
        fits.then_some(ViewBase { base: at, source, added })
    }

    /// The candidate with the one source alone.
    fn bare_candidate(&self) -> CandidateTable {
        let mut table = self.filled.table.clone();
        for (column, own) in table.columns.iter_mut().zip(&self.candidate.table.columns) {
            column.reasons.clone_from(&own.reasons);
        }
        CandidateTable::new(table)
    }
}

/// Gives the columns of a view the names that they have in its base.
pub(super) fn name_as_in_base(view: &mut PlannedTable, base: &PlannedTable, source: SourceId) {
    for column in &mut view.columns {
        let Derivation::Attribute(of) = column.derivation else { continue };
        let same = Derivation::Attribute(Column { source, ..of });
        if let Some(there) = base.columns.iter().find(|one| one.derivation == same) {
            column.name.clone_from(&there.name);
        }
    }
}
