//! Completes the figures that the file does not give: derived from others where possible, else
//! assumed, with the place where the file could state them.
//!
//! | figure | without a directive |
//! |---|---|
//! | rows | the rows referred to times `@each`, else 1M |
//! | growth | the rate of the INSERTs, else `@each` per time, else none |
//! | fan-out | mean from the rows, p99 ten times that, max a hundred times; 1 where the reference is a key |
//! | distinct values | of a key the rows, of a reference the rows referred to, else by its name, use or type (`guess`), never more than there are rows |
//! | bytes | by type |
//! | items | 10 |

pub(crate) mod column;
mod fan_out;
mod growth;
mod guess;
mod rows;

pub(super) use column::DEFAULT_TEXT_BYTES;

use cql::Span;

use super::draft::ModelDraft;
use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::{Concept, Origin};
use crate::workload::Workload;

/// Figures that differ by more are reported as contradictory.
const CONTRADICTION_FACTOR: f64 = 2.0;

/// Completes the figures.
pub(super) fn complete(draft: &mut ModelDraft, concept: &mut Concept, workload: &Workload) {
    rows::complete(draft, &mut concept.entities);
    growth::complete(draft, &mut concept.entities, workload);
    fan_out::complete(draft, &mut concept.entities);
    column::complete(draft, &mut concept.entities, workload);
}

fn assume(draft: &mut ModelDraft, span: Span, topic: AssumptionTopic) {
    draft.assumptions.push(Assumption { topic, span });
}

/// The origin of a figure that is derived from one of this origin.
fn derive_origin(origin: Origin) -> Origin {
    if origin == Origin::Assumed { Origin::Assumed } else { Origin::Derived }
}
