//! What the estimates of a file are rendered from.

use design::Options;
use design::estimate::{Estimate, SplitAlternative};
use model::assumption::Assumption;
use model::concept::Concept;

use crate::calendar::Date;

/// A file's estimates, as they are shown.
pub(crate) struct EstimateReport<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) options: &'a Options,
    pub(crate) as_of: Date,
    pub(crate) tables: Vec<(Estimate, Vec<SplitAlternative>)>,
    pub(crate) assumptions: &'a [Assumption],
}
