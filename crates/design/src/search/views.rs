//! Candidates that the server keeps up: materialized views of other candidates.
//!
//! A view has all columns of its base's key in its own and at most one more; rows of one entity, none left out, none
//! twice; no buckets or shards. Its columns are those of the base, so having one means having it there.

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
    /// The frame of the base.
    pub(super) base: CandidateId,
    /// The source of the base that has the rows.
    source: SourceId,
    /// The column of its key that is not in the base's key.
    added: Option<Column>,
}

/// A frame that may be a view or a base.
struct ViewCandidate<'a> {
    frame: &'a CandidateTable,
    filled: CompleteTable,
    entity: EntityId,
    /// The attributes of its key.
    key: BTreeSet<AttributeId>,
}

/// All views that frames could be of one another.
pub(super) fn find_views(
    context: Context<'_>,
    frames: &[CandidateTable],
) -> Vec<(CandidateTable, ViewBase)> {
    let plain: Vec<(CandidateId, ViewCandidate<'_>)> = frames
        .enumerate_ids()
        .filter_map(|(at, frame)| Some((at, ViewCandidate::from_candidate(context, frame)?)))
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

    /// The source of a table made of the base that has the rows; `sources` has the place of each of the frame's.
    pub(super) fn source_in(&self, sources: &[Option<SourceId>]) -> SourceId {
        sources.member(self.source).copied().flatten().unwrap_or(self.source)
    }

    /// Columns that the base must have beside its key, for the view's key and these columns of it.
    pub(super) fn base_columns<'c>(
        &self,
        columns: impl IntoIterator<Item = &'c Column>,
    ) -> BTreeSet<Column> {
        let all = columns.into_iter().copied().chain(self.added);
        all.map(|column| self.base_column(column)).collect()
    }
}

impl<'a> ViewCandidate<'a> {
    /// The frame, if it has rows of one entity by a key of plain attributes.
    fn from_candidate(context: Context<'_>, frame: &'a CandidateTable) -> Option<Self> {
        let forced = partition_split::is_forced(&frame.table);
        if forced || frame.table.is_counter() || frame.can_be_split(context) {
            return None;
        }
        let filled = frame.table_with(context, &BTreeSet::new());
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
        whole.then_some(Self { frame, filled, entity, key })
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

    /// The frame with the one source alone.
    fn bare_candidate(&self) -> CandidateTable {
        let mut table = self.filled.table.clone();
        for (column, own) in table.columns.iter_mut().zip(&self.frame.table.columns) {
            column.reasons.clone_from(&own.reasons);
        }
        CandidateTable { table }
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
