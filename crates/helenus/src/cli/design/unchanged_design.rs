//! The design of a model file as it is, to compare a changed workload or key with.

use design::{Options, comparison, cost};
use model::plan::Design;
use model::sql::ModelFile;
use model::workload::Workload;

use crate::render::design::difference::ChangedDesign;

/// The design without the changes of the command line.
pub(super) struct UnchangedDesign {
    workload: Workload,
    design: Design,
    options: Options,
    /// Whether a key is among the changes.
    has_keys: bool,
}

impl UnchangedDesign {
    pub(super) fn new(file: &ModelFile, options: Options, has_keys: bool) -> Self {
        let design = design::design(&file.concept, &file.workload, &options);
        Self { workload: file.workload.clone(), design, options, has_keys }
    }

    /// What the design of the changed file does otherwise.
    pub(super) fn compare(&self, changed: &ModelFile, designed: &Design) -> ChangedDesign<'_> {
        let ModelFile { concept, workload, .. } = changed;
        // With the same statements, the plans serve the changed rates, too.
        let is_same = workload.reads.len() == self.workload.reads.len()
            && workload.writes.len() == self.workload.writes.len();
        let kept = || cost::design_cost(concept, workload, &self.design, &self.options).total();
        ChangedDesign {
            before: &self.design,
            difference: comparison::compare((&self.workload, &self.design), (workload, designed)),
            kept: (is_same && !self.has_keys).then(kept),
        }
    }
}
