//! The cost of a design. The constants are in [`crate::prices`].
//!
//! Everything that runs is counted as an [`Effort`](model::plan::Effort) (by `read_plan::price` and
//! `write_plan::statements::effort`) and priced by [`crate::prices::Prices::price`]; everything
//! that is stored is priced per table (`table_cost`). Both are sums, so that the search can price
//! the parts of a design one by one.

pub mod calibration;
mod fan_out;
mod heat;
mod indexes;
mod storage;
#[cfg(test)]
mod tests;
pub(crate) mod tombstones;
mod views;

pub(crate) use fan_out::{excess_partitions, parallel_effort};
pub(crate) use heat::hot_reads;
pub(crate) use indexes::index_entry_effort;
pub(crate) use storage::{bucket_table_cost, table_cost};
pub(crate) use views::view_row_effort;

use model::concept::Concept;
use model::plan::{Design, DesignCost, PriceParts};
use model::workload::Workload;

use crate::{Context, Options};

/// The cost of a design, at the prices of the options.
pub fn design_cost(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
    options: &Options,
) -> DesignCost {
    price_parts(Context { concept, workload, options }, design).total()
}

/// The same by reads, writes and tables.
pub(crate) fn price_parts(context: Context<'_>, design: &Design) -> PriceParts {
    let prices = &context.options.search.prices;
    let reads = context.workload.reads.iter().zip(&design.reads);
    let writes = context.workload.writes.iter().zip(&design.writes);
    PriceParts {
        reads: reads.map(|(read, plan)| read.rate.value * prices.price(&plan.effort)).collect(),
        writes: writes.map(|(write, plan)| write.rate.value * prices.price(&plan.effort)).collect(),
        tables: design.tables.iter().map(|table| table_cost(context, table)).collect(),
    }
}
