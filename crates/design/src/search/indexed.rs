//! What an index costs the program, beside the table and the column that it is on.

use model::id::ReadId;
use model::plan::Part;
use model::workload::Column;

use super::build::Builder;
use super::terms::{Rate, Terms};
use super::ways;
use crate::cost;
use crate::frame::FrameId;
use crate::writing::upkeep;

impl Builder<'_, '_> {
    /// What the index on a column of a frame costs: its entries, and what writes do more for them.
    pub(super) fn terms_of_index(&mut self, frame: FrameId, column: Column) -> Option<Terms> {
        let context = self.space.context;
        let kept = self.space.kept(frame, Some(column))?.clone();
        let mut with = kept.filled.table.clone();
        let serves: Vec<(ReadId, Part)> = Vec::new();
        let index = ways::index_on(context, &with, &kept.filled.sources, (column, serves))?;
        with.indexes.push(index);
        let more = cost::of_table(context, &with) - cost::of_table(context, &kept.filled.table);
        let mut terms = Terms::fixed(more);
        let before = kept.upkeep.unwrap_or_default();
        for upkeep in upkeep::of(context, &with, kept.filled.memory.as_ref())? {
            let base = before.iter().find(|other| other.write == upkeep.write);
            let base = base.map_or(0.0, |base| self.price(&base.effort));
            terms.add(Rate::Write(upkeep.write), self.price(&upkeep.effort) - base);
        }
        Some(terms)
    }
}
