//! How many rows refer to one.

use super::super::table::Reading;
use super::assume;
use crate::concept::{Entity, FanOut, Origin};
use crate::directive::quantity::spell;

/// The assumed p99 and max, as multiples of the mean.
const P99: f64 = 10.0;
const MAX: f64 = 100.0;

/// Completes the fan-outs of all references.
pub(super) fn complete(reading: &mut Reading, entities: &mut [Entity]) {
    for position in 0..entities.len() {
        for number in 0..entities[position].references.len() {
            let reference = &entities[position].references[number];
            if reference.fan_out.origin == Origin::Given {
                continue;
            }
            let fan_out = fan_out(reading, entities, position, number);
            entities[position].references[number].fan_out = fan_out;
        }
    }
}

fn fan_out(reading: &mut Reading, entities: &[Entity], position: usize, number: usize) -> FanOut {
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
    let max = (mean * MAX).clamp(1.0, rows.max(1.0));
    let p99 = (mean * P99).min(max);
    let column = |at: usize| entity.attributes[at].name.as_str();
    let columns: Vec<&str> = reference.attributes.iter().map(|&at| column(at)).collect();
    let figures = format!("{} p99 {} max {}", spell(mean), spell(p99), spell(max));
    let message = format!(
        "a row of {} is taken to have {} rows of {} by {}: {figures}",
        target.name,
        spell(mean),
        entity.name,
        columns.join(", ")
    );
    let help = format!("write @each {figures} at the end of the line of the reference");
    assume(reading, reference.span, message, help);
    FanOut { mean, p99, max, p999: None, per: None, origin: Origin::Assumed }
}
