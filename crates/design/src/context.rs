//! The input that every step of a design shares.

use model::concept::Concept;
use model::workload::Workload;

use crate::Options;

/// The input that every step of a design shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) concept: &'a Concept,
    pub(crate) workload: &'a Workload,
    pub(crate) options: &'a Options,
}
