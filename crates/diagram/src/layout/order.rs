//! The order of boxes and lanes within layers: barycentre sweeps, then sifting (moves of single
//! items), as long as the number of crossings falls.

use super::super::geometry::to_measure;
use super::ladder::{Ladder, Tap};

/// Sweeps over all layers, down and up in turn.
const SWEEPS: usize = 24;
/// Lines examined while sifting: bounds the time that large pictures take.
const BUDGET: usize = 3_000_000;
/// The weight of line length against crossings.
const LENGTH_WEIGHT: f64 = 0.002;

/// Arranges the items of every layer.
pub(super) fn arrange(ladder: &mut Ladder) {
    let mut places = places(ladder);
    let mut best = ladder.layers.clone();
    let mut least = total_cost(ladder, &places);
    for sweep in 0..SWEEPS {
        let depth = ladder.layers.len();
        for step in 0..depth {
            let layer = if sweep % 2 == 0 { step } else { depth - 1 - step };
            sort_layer(ladder, &mut places, layer, sweep % 2 == 0);
        }
        let cost = total_cost(ladder, &places);
        if cost < least {
            least = cost;
            best.clone_from(&ladder.layers);
        }
    }
    ladder.layers = best;
    let mut places = self::places(ladder);
    sift(ladder, &mut places);
}

/// The centre of each item when its layer is packed tightly around 0.
fn places(ladder: &Ladder) -> Vec<f64> {
    let mut places = vec![0.0; ladder.items.len()];
    for layer in 0..ladder.layers.len() {
        place_layer(ladder, &mut places, layer);
    }
    places
}

fn place_layer(ladder: &Ladder, places: &mut [f64], layer: usize) {
    let items = &ladder.layers[layer];
    let mut at = 0.0;
    for (position, &item) in items.iter().enumerate() {
        if position > 0 {
            at += ladder.distance(items[position - 1], item);
        }
        places[item] = at;
    }
    for item in items {
        places[*item] -= at / 2.0;
    }
}

/// Sorts a layer by the barycentres of its items' connections in the channel above (or below) it.
fn sort_layer(ladder: &mut Ladder, places: &mut [f64], layer: usize, above: bool) {
    let channel = if above { layer } else { layer + 1 };
    let wanted = |item: usize| {
        let mut sum = 0.0;
        let mut count = 0.0;
        for &(_, at) in ladder.touching[item].iter().filter(|(own, _)| *own == channel) {
            let taps = &ladder.channels[channel][at];
            let others = taps.above.iter().chain(&taps.below).filter(|tap| tap.item != item);
            let (places, number) = others
                .fold((0.0, 0.0), |(sum, number), tap| (sum + places[tap.item], number + 1.0));
            if number > 0.0 {
                sum += places / number;
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { places[item] }
    };
    let mut keyed: Vec<_> =
        ladder.layers[layer].iter().map(|item| (wanted(*item), *item)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    ladder.layers[layer] = keyed.into_iter().map(|(_, item)| item).collect();
    place_layer(ladder, places, layer);
}

fn total_cost(ladder: &Ladder, places: &[f64]) -> f64 {
    (0..ladder.channels.len()).map(|channel| cost(ladder, places, channel)).sum()
}

/// The cost of a channel: crossings, as far as they are known before lines have tracks, plus a
/// little for length.
fn cost(ladder: &Ladder, places: &[f64], channel: usize) -> f64 {
    let mut lines: Vec<(f64, f64)> = Vec::new();
    let mut length = 0.0;
    // Lines that turn back, and the ends of those that pass, above and below.
    let mut turns: [Vec<(f64, f64)>; 2] = [Vec::new(), Vec::new()];
    let mut passing: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
    for taps in &ladder.channels[channel] {
        let all = taps.above.iter().chain(&taps.below).map(|tap| places[tap.item]);
        let (low, high) =
            all.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
        length += high - low;
        match (mean(&taps.above, places), mean(&taps.below, places)) {
            (Some(top), Some(bottom)) => {
                lines.extend(taps.above.iter().map(|tap| (places[tap.item], bottom)));
                lines.extend(taps.below.iter().map(|tap| (top, places[tap.item])));
                passing[0].extend(taps.above.iter().map(|tap| places[tap.item]));
                passing[1].extend(taps.below.iter().map(|tap| places[tap.item]));
            }
            (Some(_), None) => turns[0].push((low, high)),
            (None, _) => turns[1].push((low, high)),
        }
    }
    let mut crossed = crossings(&mut lines);
    for (turns, mut passing) in turns.into_iter().zip(passing) {
        passing.sort_by(f64::total_cmp);
        for (low, high) in turns {
            let before = passing.partition_point(|place| *place <= low);
            let within = passing.partition_point(|place| *place < high).saturating_sub(before);
            crossed += 2.0 * to_measure(within);
        }
    }
    crossed + length * LENGTH_WEIGHT
}

fn mean(taps: &[Tap], places: &[f64]) -> Option<f64> {
    let sum: f64 = taps.iter().map(|tap| places[tap.item]).sum();
    (!taps.is_empty()).then(|| sum / to_measure(taps.len()))
}

/// The number of pairs of lines whose ends are in opposite order: inversions, counted by merge
/// sort.
fn crossings(lines: &mut [(f64, f64)]) -> f64 {
    lines.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut ends: Vec<_> = lines.iter().map(|line| line.1).collect();
    let mut merged = ends.clone();
    let mut count = 0;
    let mut width = 1;
    while width < ends.len() {
        for start in (0..ends.len()).step_by(2 * width) {
            let middle = (start + width).min(ends.len());
            let end = (start + 2 * width).min(ends.len());
            count += merge(&ends[start..middle], &ends[middle..end], &mut merged[start..end]);
        }
        std::mem::swap(&mut ends, &mut merged);
        width *= 2;
    }
    to_measure(count)
}

/// Merges two sorted runs; counts the pairs of which the right one comes first.
fn merge(left: &[f64], right: &[f64], merged: &mut [f64]) -> usize {
    let (mut at_left, mut at_right, mut count) = (0, 0, 0);
    for slot in merged {
        match (left.get(at_left), right.get(at_right)) {
            (Some(own), Some(other)) if other < own => {
                *slot = *other;
                count += left.len() - at_left;
                at_right += 1;
            }
            (Some(own), _) => {
                *slot = *own;
                at_left += 1;
            }
            (None, Some(other)) => {
                *slot = *other;
                at_right += 1;
            }
            (None, None) => {}
        }
    }
    count
}

/// Moves items to the cheapest position in their layer, until nothing is gained or the budget is
/// used up.
fn sift(ladder: &mut Ladder, places: &mut [f64]) {
    let mut budget = BUDGET;
    let mut changed = true;
    while changed {
        changed = false;
        for layer in 0..ladder.layers.len() {
            for item in ladder.layers[layer].clone() {
                match sift_item(ladder, places, layer, item, &mut budget) {
                    Some(moved) => changed |= moved,
                    None => return,
                }
            }
        }
    }
}

/// Moves one item; whether it moved, or `None` when the budget is used up.
fn sift_item(
    ladder: &mut Ladder,
    places: &mut [f64],
    layer: usize,
    item: usize,
    budget: &mut usize,
) -> Option<bool> {
    let length = ladder.layers[layer].len();
    let lines = ladder.channels[layer].len() + ladder.channels[layer + 1].len();
    *budget = budget.checked_sub(length * (lines * 4 + length))?;
    let start = ladder.layers[layer].iter().position(|other| *other == item)?;
    let price = |ladder: &Ladder, places: &mut [f64]| {
        place_layer(ladder, places, layer);
        cost(ladder, places, layer) + cost(ladder, places, layer + 1)
    };
    let now = price(ladder, places);
    let mut best = (now - 1e-6, start);
    let mut at = start;
    let tried = 0..length;
    for to in tried {
        let moved = ladder.layers[layer].remove(at);
        ladder.layers[layer].insert(to, moved);
        at = to;
        let then = price(ladder, places);
        if then < best.0 {
            best = (then, to);
        }
    }
    let moved = ladder.layers[layer].remove(at);
    ladder.layers[layer].insert(best.1, moved);
    place_layer(ladder, places, layer);
    Some(best.1 != start)
}
