//! The facts as they are now, so arranged that values for parameters are found fast.

use model::concept::Concept;
use model::plan::Design;
use model::workload::{Workload, Write};

use crate::data::{Data, Datum};
use crate::prove::Settings;

/// The facts as they are now.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    data: Data,
}

impl Facts {
    /// These facts.
    pub(crate) fn new(
        concept: &Concept,
        workload: &Workload,
        design: &Design,
        settings: &Settings,
        data: &Data,
    ) -> Self {
        let _ = (concept, workload, design, settings);
        Self { data: data.clone() }
    }

    /// Does what a write does with these values. To be called after every write that was run.
    pub(crate) fn apply(&mut self, concept: &Concept, write: &Write, values: &[Datum]) {
        let _ = (concept, write, values, &mut self.data);
    }
}
