//! The growth of entities, and what the file states about it more than once: `@grows`, the rates of
//! the INSERTs and `@each` per time.

use super::super::draft::ModelDraft;
use super::{CONTRADICTION_FACTOR, assume, derive_origin};
use crate::assumption::AssumptionTopic;
use crate::concept::{DAY, Entity, Figure, Origin, Reference};
use crate::directive::quantity::spell;
use crate::figures::format_days;
use crate::id::{EntityId, IdList};
use crate::workload::{Workload, Write, WriteKind};

/// How many times faster than what they refer to rows may grow whose number for each is settled.
const SETTLED_FACTOR: f64 = 10.0;

/// The rows that the writes of the file add to an entity, and whether they remove some.
#[derive(Clone, Copy, Debug, Default)]
struct RowSupply {
    /// Rows per second by all INSERTs; assumed where one of their rates is.
    inserted: Option<Figure<f64>>,
    /// Those that certainly are new rows: INSERTs without ON CONFLICT.
    new: f64,
    /// Whether rows are deleted, so that fewer stay than are inserted.
    deletes: bool,
}

/// Completes the new rows per day of all entities.
pub(super) fn complete(draft: &mut ModelDraft, entities: &mut [Entity], workload: &Workload) {
    let supplies = sum_writes(entities.len(), workload);
    for (position, supply) in entities.ids().zip(supplies) {
        adopt_courses(draft, &mut entities[position]);
        let each = reference_growth(entities, position);
        let entity = &mut entities[position];
        if entity.grows.origin != Origin::Given {
            // With ON CONFLICT, an INSERT need not add a row: a stated growth is more than a bound.
            let is_bound = supply.inserted.is_some_and(|rate| supply.new < rate.value)
                && each.is_some_and(|each| each.origin != Origin::Assumed);
            entity.grows = match (supply.inserted, each) {
                // The rate of today says nothing of later ones.
                (_, Some(each)) if !entity.curve.is_linear() => each,
                (Some(rate), _) if rate.origin != Origin::Assumed && !is_bound => {
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
        warn_inserts(draft, &entities[position], supply);
        warn_fan_outs(draft, entities, position, supply);
        warn_rows(draft, &entities[position], supply);
    }
    for position in entities.ids() {
        warn_settled(draft, entities, position);
    }
}

/// Lets an entity grow along the course of its `@each`.
fn adopt_courses(draft: &mut ModelDraft, entity: &mut Entity) {
    let courses: Vec<_> = entity.references.iter().map(|it| (it.course, it.span)).collect();
    for (course, span) in courses {
        if let Err((message, help)) = course.apply_to(entity) {
            draft.report("MF106", span, message, help);
        }
    }
}

/// What the writes do to the rows of each entity.
fn sum_writes(entities: usize, workload: &Workload) -> Vec<RowSupply> {
    let mut supplies = vec![RowSupply::default(); entities];
    for write in workload.list_stated_writes() {
        let Some(supply) = supplies.get_mut(write.entity.index()) else { continue };
        supply.deletes |= matches!(write.kind, WriteKind::Delete(_));
        if write.row_rate() <= 0.0 {
            continue;
        }
        let rate = Figure { value: write.rate.value * write.row_rate(), ..write.rate };
        supply.new += if is_plain_insert(write) { rate.value } else { 0.0 };
        supply.inserted = Some(match supply.inserted {
            None => rate,
            Some(sum) => {
                let value = sum.value + rate.value;
                let origin = if sum.origin == Origin::Assumed { sum.origin } else { rate.origin };
                Figure { value, origin }
            }
        });
    }
    supplies
}

/// Whether each row of an INSERT is a new one.
fn is_plain_insert(write: &Write) -> bool {
    match &write.kind {
        WriteKind::Insert(_) => true,
        WriteKind::Rows(rows) => rows.iter().all(|row| matches!(row, WriteKind::Insert(_))),
        _ => false,
    }
}

/// The growth that follows from an `@each` given as a rate.
fn reference_growth(entities: &[Entity], position: EntityId) -> Option<Figure<f64>> {
    let entity = &entities[position];
    entity.references.iter().find_map(|reference| fan_out_growth(entities, reference))
}

/// New rows per day by the `@each` of one reference.
fn fan_out_growth(entities: &[Entity], reference: &Reference) -> Option<Figure<f64>> {
    let fan_out = reference.fan_out;
    if fan_out.origin != Origin::Given {
        return None;
    }
    let parents = entities[reference.target].rows;
    let value = parents.value * fan_out.mean * DAY / fan_out.per?;
    Some(Figure { value, origin: derive_origin(parents.origin) })
}

/// Warns where `@grows` and the rates of the INSERTs contradict each other. INSERTs may add more
/// where rows are deleted as well, and ON CONFLICT need not add any.
fn warn_inserts(draft: &mut ModelDraft, entity: &Entity, supply: RowSupply) {
    let Some(inserted) = supply.inserted.filter(|it| it.origin != Origin::Assumed) else { return };
    // Along a curve, the rate of today is not that of later.
    if entity.grows.origin != Origin::Given || !entity.curve.is_linear() {
        return;
    }
    let (grows, most, least) = (entity.grows.value, inserted.value * DAY, supply.new * DAY);
    let more = !supply.deletes && least > grows * CONTRADICTION_FACTOR;
    if more || most * CONTRADICTION_FACTOR < grows {
        let message = format!(
            "{} grows by {}/day, but its INSERTs add {}/day",
            entity.name,
            spell(grows),
            spell(most)
        );
        let help = format!("change the @rate of the INSERTs, or write @grows {}/day", spell(most));
        draft.warn("MF263", entity.span, message, help);
    }
}

/// Warns where an `@each` per time contradicts the growth of the table, which `@grows` or the
/// INSERTs state.
fn warn_fan_outs(
    draft: &mut ModelDraft,
    entities: &[Entity],
    position: EntityId,
    supply: RowSupply,
) {
    let entity = &entities[position];
    let is_given = entity.grows.origin == Origin::Given;
    let is_inserted = supply.inserted.is_some_and(|it| it.origin != Origin::Assumed);
    if !(is_given || is_inserted) || !entity.curve.is_linear() {
        return;
    }
    let grows = entity.grows.value;
    for reference in &entity.references {
        let Some(each) = fan_out_growth(entities, reference) else { continue };
        let target = &entities[reference.target];
        let is_upper_bound =
            reference.nullable || !is_given && (supply.deletes || supply.new * DAY < grows);
        let fewer = !is_upper_bound && each.value * CONTRADICTION_FACTOR < grows;
        if each.origin == Origin::Assumed || !(fewer || each.value > grows * CONTRADICTION_FACTOR) {
            continue;
        }
        let (states, change) = if is_given {
            ("@grows states", "@grows")
        } else {
            ("its INSERTs add", "the @rate of the INSERTs")
        };
        let per_parent = |rows: f64| spell(rows / target.rows.value.max(1.0));
        let message = format!(
            "{}/day for each of {} {} make {}/day in {}, but {states} {}/day",
            per_parent(each.value),
            spell(target.rows.value),
            target.name,
            spell(each.value),
            entity.name,
            spell(grows),
        );
        let help = format!("change {change}, or write @each {}/day", per_parent(grows));
        draft.warn("MF263", reference.span, message, help);
    }
}

/// Warns where `@rows` is not what arrives within the retention. Fewer rows are a table that is still
/// young; the sizes are those of a full one.
fn warn_rows(draft: &mut ModelDraft, entity: &Entity, supply: RowSupply) {
    let (Some(retain), Origin::Given) = (entity.retain, entity.rows.origin) else { return };
    let can_be_fewer = supply.deletes || supply.new * DAY < entity.grows.value;
    if entity.grows.origin == Origin::Assumed || !entity.curve.is_linear() || can_be_fewer {
        return;
    }
    let (rows, kept) = (entity.rows.value, entity.grows.value * retain / DAY);
    if kept > rows * CONTRADICTION_FACTOR || kept * CONTRADICTION_FACTOR < rows {
        let message = format!(
            "{} has {} rows, but {}/day that are kept for {} make {}",
            entity.name,
            spell(rows),
            spell(entity.grows.value),
            format_days(retain / DAY),
            spell(kept)
        );
        let help = format!("write @rows {}, or change the growth or @retain", spell(kept));
        draft.warn("MF263", entity.span, message, help);
    }
}

/// Warns where an entity grows much faster than those that it refers to, although the rows for each
/// of them are stated to be settled: they then grow as well.
fn warn_settled(draft: &mut ModelDraft, entities: &[Entity], position: EntityId) {
    let entity = &entities[position];
    if entity.grows.origin == Origin::Assumed || entity.retain.is_some() {
        return;
    }
    for reference in &entity.references {
        let (fan_out, target) = (reference.fan_out, &entities[reference.target]);
        let is_settled = fan_out.origin == Origin::Given && fan_out.per.is_none();
        let is_known =
            target.grows.origin != Origin::Assumed && target.rows.origin != Origin::Assumed;
        if !is_settled || !is_known || reference.nullable || reference.target == position {
            continue;
        }
        let (grows, settled) = (entity.grows.value, target.grows.value * fan_out.mean);
        if settled * SETTLED_FACTOR >= grows {
            continue;
        }
        let message = format!(
            "{} grows by {}/day and {} by {}/day, so {} for each are not settled",
            entity.name,
            spell(grows),
            target.name,
            spell(target.grows.value),
            spell(fan_out.mean)
        );
        let each = spell(grows / target.rows.value.max(1.0));
        let help = format!("write @each {each}/day, or state other growth");
        draft.warn("MF263", reference.span, message, help);
    }
}
