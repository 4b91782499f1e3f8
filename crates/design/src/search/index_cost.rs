//! The cost of an index, in addition to its table and column.

use model::id::ReadId;
use model::plan::ReadPart;
use model::workload::Column;

use super::program::ProgramBuilder;
use super::rate_dependent_cost::{RateDependentCost, RateId};
use super::ways;
use crate::candidate::CandidateId;
use crate::cost;
use crate::write_plan::upkeep;

impl ProgramBuilder<'_, '_> {
    /// The cost of an index on a column of a candidate: its entries, and their upkeep by writes.
    pub(super) fn index_cost(
        &mut self,
        candidate: CandidateId,
        column: Column,
    ) -> Option<RateDependentCost> {
        let context = self.space.context;
        let kept = self.space.candidate_upkeep(candidate, Some(column))?.clone();
        let mut with = kept.filled.table.clone();
        let serves: Vec<(ReadId, ReadPart)> = Vec::new();
        let index = ways::index_on(context, &with, &kept.filled.sources, (column, serves))?;
        with.indexes.push(index);
        let more = cost::table_cost(context, &with) - cost::table_cost(context, &kept.filled.table);
        let mut terms = RateDependentCost::from_constant(more);
        let before = kept.upkeep.unwrap_or_default();
        for upkeep in upkeep::table_upkeep(context, &with, kept.filled.memory.as_ref())? {
            let base = before.iter().find(|other| other.write == upkeep.write);
            let base = base.map_or(0.0, |base| self.price(&base.effort));
            terms.add(RateId::Write(upkeep.write), self.price(&upkeep.effort) - base);
        }
        Some(terms)
    }
}
