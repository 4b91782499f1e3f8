//! Candidates that the server keeps up: materialized views of other candidates.
//!
//! A view has all columns of its base's key in its own and at most one more; rows of one entity, none left out, none
//! twice; no buckets or shards. Its columns are those of the base, so having one means having it there.

use std::collections::BTreeSet;

use model::concept::Entity;
use model::id::{AttributeId, EntityId, Numbered, SourceId};
use model::plan::{Derivation, PlannedTable};
use model::workload::Column;

use crate::frame::{Filled, Frame, FrameId};
use crate::{Context, splitting};

/// What a candidate is a view of.
#[derive(Clone, Debug)]
pub(super) struct KeptByServer {
    /// The frame of the base.
    pub(super) base: FrameId,
    /// The source of the base that has the rows.
    source: SourceId,
    /// The column of its key that is not in the base's key.
    added: Option<Column>,
}

/// A frame that may be a view or a base.
struct Plain<'a> {
    frame: &'a Frame,
    filled: Filled,
    entity: EntityId,
    /// The attributes of its key.
    key: BTreeSet<AttributeId>,
}

/// All views that frames could be of one another.
pub(super) fn of(context: Context<'_>, frames: &[Frame]) -> Vec<(Frame, KeptByServer)> {
    let plain: Vec<(FrameId, Plain<'_>)> = frames
        .numbered()
        .filter_map(|(at, frame)| Some((at, Plain::of(context, frame)?)))
        .collect();
    let mut views = Vec::new();
    for (at, view) in &plain {
        for (base, of) in plain.iter().filter(|(base, _)| base != at) {
            if let Some(kept) = view.as_view_of(context, *base, of) {
                views.push((view.bare(), kept));
            }
        }
    }
    views
}

impl KeptByServer {
    /// A column of the view as one of the base.
    pub(super) fn in_base(&self, column: Column) -> Column {
        Column { source: self.source, ..column }
    }

    /// The source of a table made of the base that has the rows; `sources` has the place of each of the frame's.
    pub(super) fn source_in(&self, sources: &[Option<SourceId>]) -> SourceId {
        sources.at(self.source).copied().flatten().unwrap_or(self.source)
    }

    /// Columns that the base must have beside its key, for the view's key and these columns of it.
    pub(super) fn of_base<'c>(
        &self,
        columns: impl IntoIterator<Item = &'c Column>,
    ) -> BTreeSet<Column> {
        let all = columns.into_iter().copied().chain(self.added);
        all.map(|column| self.in_base(column)).collect()
    }
}

impl<'a> Plain<'a> {
    /// The frame, if it has rows of one entity by a key of plain attributes.
    fn of(context: Context<'_>, frame: &'a Frame) -> Option<Self> {
        let forced = splitting::is_forced(&frame.table);
        if forced || frame.table.is_counter() || frame.could_be_split(context) {
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
            && context.concept.entities.at(entity)?.retain.is_none();
        whole.then_some(Self { frame, filled, entity, key })
    }

    fn as_view_of(&self, context: Context<'_>, at: FrameId, base: &Self) -> Option<KeptByServer> {
        let entity: &Entity = context.concept.entities.at(self.entity)?;
        let set = |at: &AttributeId| entity.attributes.at(*at).is_some_and(|one| !one.nullable);
        let mut added = self.key.difference(&base.key);
        let first = added.next();
        let fits = self.entity == base.entity
            && base.key.is_subset(&self.key)
            && base.key.iter().all(set)
            && added.next().is_none();
        let source = base.filled.sources.find_id(|place| *place == Some(SourceId::new(0)))?;
        let added =
            first.map(|attribute| Column { source: SourceId::new(0), attribute: *attribute });
        fits.then_some(KeptByServer { base: at, source, added })
    }

    /// The frame with the one source alone.
    fn bare(&self) -> Frame {
        let mut table = self.filled.table.clone();
        for (column, own) in table.columns.iter_mut().zip(&self.frame.table.columns) {
            column.reasons.clone_from(&own.reasons);
        }
        Frame { table }
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
