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
mod guess;
mod rows;

pub(super) use column::DEFAULT_TEXT_BYTES;

use cql::Span;

use super::draft::ModelDraft;
use crate::assumption::{Assumption, AssumptionTopic};
use crate::concept::{Concept, DAY, Entity, Figure, Origin};
use crate::id::{EntityId, IdList};
use crate::workload::Workload;

/// Completes the figures.
pub(super) fn complete(draft: &mut ModelDraft, concept: &mut Concept, workload: &Workload) {
    rows::complete(draft, &mut concept.entities);
    complete_growth(draft, &mut concept.entities, workload);
    fan_out::complete(draft, &mut concept.entities);
    column::complete(draft, &mut concept.entities, workload);
}

fn assume(draft: &mut ModelDraft, span: Span, topic: AssumptionTopic) {
    draft.assumptions.push(Assumption { topic, span });
}

/// New rows per day.
fn complete_growth(draft: &mut ModelDraft, entities: &mut [Entity], workload: &Workload) {
    let inserted = insert_rates(entities.len(), workload);
    for (position, inserted) in entities.ids().zip(inserted) {
        let each = reference_growth(entities, position);
        let entity = &mut entities[position];
        if entity.grows.origin == Origin::Given {
            continue;
        }
        entity.grows = match (inserted, each) {
            (Some(rate), _) if rate.origin != Origin::Assumed => {
                Figure::from_derivation(rate.value * DAY)
            }
            (_, Some(each)) => each,
            (Some(rate), None) => Figure::from_assumption(rate.value * DAY),
            (None, None) => {
                let topic = AssumptionTopic::NoGrowth { entity: entity.name.clone() };
                assume(draft, entity.span, topic);
                Figure::from_assumption(0.0)
            }
        };
    }
}

/// The rates of the INSERTs into each entity: assumed where one of them is.
fn insert_rates(entities: usize, workload: &Workload) -> Vec<Option<Figure<f64>>> {
    let mut inserted: Vec<Option<Figure<f64>>> = vec![None; entities];
    for write in workload.list_stated_writes().iter().filter(|it| it.row_rate() > 0.0) {
        let Some(sum) = inserted.get_mut(write.entity.index()) else { continue };
        let rate = Figure { value: write.rate.value * write.row_rate(), ..write.rate };
        *sum = Some(match *sum {
            None => rate,
            Some(sum) => {
                let value = sum.value + rate.value;
                let origin = if sum.origin == Origin::Assumed { sum.origin } else { rate.origin };
                Figure { value, origin }
            }
        });
    }
    inserted
}

/// The growth that follows from an `@each` given as a rate.
fn reference_growth(entities: &[Entity], position: EntityId) -> Option<Figure<f64>> {
    let entity = &entities[position];
    let mut given = entity.references.iter().filter(|it| it.fan_out.origin == Origin::Given);
    given.find_map(|reference| {
        let parents = entities[reference.target].rows;
        let value = parents.value * reference.fan_out.mean * DAY / reference.fan_out.per?;
        Some(Figure { value, origin: derive_origin(parents.origin) })
    })
}

/// The origin of a figure that is derived from one of this origin.
fn derive_origin(origin: Origin) -> Origin {
    if origin == Origin::Assumed { Origin::Assumed } else { Origin::Derived }
}
