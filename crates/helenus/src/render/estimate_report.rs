//! The data from which estimates are rendered, as text and as JSON.

use design::Options;
use design::capacity::NodeLoad;
use design::estimate::{Estimate, SplitAlternative};
use model::assumption::Assumption;
use model::concept::Concept;

use super::planning_dates;
use crate::calendar::Date;

/// The estimates of a model file or schema.
pub(crate) struct EstimateReport<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) options: &'a Options,
    pub(crate) as_of: Date,
    /// Days after which sizes are shown; none where each table has its own.
    pub(crate) dates: Vec<f64>,
    pub(crate) tables: Vec<(Estimate, Vec<SplitAlternative>)>,
    pub(crate) assumptions: &'a [Assumption],
    /// The hottest node and the name of the table with most of its requests, where there are any.
    pub(crate) load: Option<&'a (NodeLoad, String)>,
}

impl EstimateReport<'_> {
    /// The dates for which the sizes of a table are shown, in days, today first.
    pub(crate) fn dates_for(&self, estimate: &Estimate) -> Vec<f64> {
        let later = if self.dates.is_empty() {
            planning_dates::list_dates([&estimate.table.volume])
        } else {
            self.dates.clone()
        };
        std::iter::once(0.0).chain(later).collect()
    }
}
