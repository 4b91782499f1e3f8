//! The data from which estimates are rendered, as text and as JSON.

use design::Options;
use design::estimate::{Estimate, SplitAlternative};
use model::assumption::Assumption;
use model::concept::Concept;

use crate::calendar::Date;

/// The estimates of a model file or schema.
pub(crate) struct EstimateReport<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) options: &'a Options,
    pub(crate) as_of: Date,
    pub(crate) tables: Vec<(Estimate, Vec<SplitAlternative>)>,
    pub(crate) assumptions: &'a [Assumption],
}
