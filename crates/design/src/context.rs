//! What every step of the method looks at.

use model::concept::Concept;
use model::workload::Workload;

use crate::Options;

/// What every step of the method looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) workload: &'a Workload,
    pub(crate) options: &'a Options,
}
