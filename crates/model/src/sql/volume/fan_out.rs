//! The fan-outs of references.

use super::super::draft::ModelDraft;
use super::assume;
use crate::assumption::AssumptionTopic;
use crate::concept::{Entity, FanOut, Origin};
use crate::id::{EntityId, IdList, ReferenceId};

/// The assumed p99 and max, as multiples of the mean.
const P99_FACTOR: f64 = 10.0;
const MAX_FACTOR: f64 = 100.0;

/// Completes the fan-outs of all references.
pub(super) fn complete(draft: &mut ModelDraft, entities: &mut [Entity]) {
    for position in entities.ids() {
        for number in entities[position].references.ids() {
            let reference = &entities[position].references[number];
            if reference.fan_out.origin == Origin::Given {
                continue;
            }
            let fan_out = estimate_fan_out(draft, entities, position, number);
            entities[position].references[number].fan_out = fan_out;
        }
    }
}

fn estimate_fan_out(
    draft: &mut ModelDraft,
    entities: &[Entity],
    position: EntityId,
    number: ReferenceId,
) -> FanOut {
    let entity = &entities[position];
    let reference = &entity.references[number];
    let target = &entities[reference.target];
    let (rows, parents) = (entity.rows.value, target.rows.value);
    let mean = rows / parents.max(1.0);
    if reference.is_unique(entity) {
        return FanOut {
            mean: mean.min(1.0),
            p99: 1.0,
            max: 1.0,
            p999: None,
            per: None,
            origin: Origin::Derived,
        };
    }
    let max = (mean * MAX_FACTOR).clamp(1.0, rows.max(1.0));
    let p99 = (mean * P99_FACTOR).min(max);
    let columns = reference.attributes.iter().map(|&at| entity.attributes[at].name.clone());
    let topic = AssumptionTopic::FanOut {
        target: target.name.clone(),
        entity: entity.name.clone(),
        columns: columns.collect(),
        mean,
        p99,
        max,
    };
    assume(draft, reference.span, topic);
    FanOut { mean, p99, max, p999: None, per: None, origin: Origin::Assumed }
}
