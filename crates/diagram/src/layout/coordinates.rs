//! Positions of items in their layers: as near as possible to what they are connected with, keeping
//! order and distances.

use super::super::geometry::to_measure;
use super::ladder::Ladder;
use super::ports::PortPositions;

/// Between two boxes.
pub(super) const BOX_GAP: f64 = 40.0;
/// Between a box and a lane.
pub(super) const SIDE_GAP: f64 = 18.0;
/// Between two lanes.
pub(super) const LANE_GAP: f64 = 12.0;

/// How far a lane is moved to be in line with a port.
const DETOUR: f64 = 120.0;
/// Rounds over all layers.
const ROUNDS: usize = 12;
/// The weight of a lane's own straightness against its other connections.
const STRAIGHT: f64 = 8.0;

/// The centre of each item.
pub(super) fn assign_centres(ladder: &Ladder) -> Vec<f64> {
    let mut centres = vec![0.0; ladder.items.len()];
    let depth = ladder.layers.len();
    for layer in 0..depth {
        centre_layer(ladder, &mut centres, layer, &[]);
    }
    for round in 0..ROUNDS {
        for step in 0..depth {
            let down = round % 2 == 0;
            let layer = if down { step } else { depth - 1 - step };
            let channels = match (round + 2 < ROUNDS, down) {
                (true, true) => vec![layer],
                (true, false) => vec![layer + 1],
                (false, _) => vec![layer, layer + 1],
            };
            centre_layer(ladder, &mut centres, layer, &channels);
        }
    }
    centres
}

/// Moves the items of a layer towards what they are connected with in these channels.
fn centre_layer(ladder: &Ladder, centres: &mut [f64], layer: usize, channels: &[usize]) {
    let items = &ladder.layers[layer];
    let wanted: Vec<_> =
        items.iter().map(|item| target_position(ladder, centres, *item, channels)).collect();
    let distances: Vec<_> =
        items.windows(2).map(|pair| ladder.distance(pair[0], pair[1])).collect();
    let found = fit_positions(&wanted, &distances, (f64::MIN, f64::MAX));
    items.iter().zip(found).for_each(|(item, centre)| centres[*item] = centre);
}

/// The target position of an item, and its weight.
fn target_position(
    ladder: &Ladder,
    centres: &[f64],
    item: usize,
    channels: &[usize],
) -> (f64, f64) {
    let mut sum = 0.0;
    let mut weight = 0.0;
    let is_lane = ladder.items[item].lane.is_some();
    for &(channel, at) in ladder.touching[item].iter().filter(|(own, _)| channels.contains(own)) {
        let taps = &ladder.channels[channel][at];
        let others = || taps.above.iter().chain(&taps.below).filter(|tap| tap.item != item);
        let lane = others().find(|tap| is_lane && tap.end.is_none());
        let (place, own) = match lane {
            Some(lane) => (centres[lane.item], STRAIGHT),
            None if others().next().is_none() => continue,
            None => {
                let total: f64 = others().map(|tap| centres[tap.item]).sum();
                (total / to_measure(others().count()), 1.0)
            }
        };
        sum += place * own;
        weight += own;
    }
    if weight > 0.0 { (sum / weight, weight) } else { (centres[item], 0.01) }
}

/// Positions in order, each at least its distance after the one before and all between the bounds,
/// with the least weighted sum of squared differences from those wanted: isotonic regression.
pub(super) fn fit_positions(
    wanted: &[(f64, f64)],
    distances: &[f64],
    bounds: (f64, f64),
) -> Vec<f64> {
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut offset = 0.0;
    for at in 0..wanted.len() {
        if at > 0 {
            offset += distances[at - 1];
        }
        offsets.push(offset);
    }
    // With the distances subtracted, the sequence must not fall: pool adjacent violators into their
    // mean.
    let mut pools: Vec<(f64, f64, usize)> = Vec::with_capacity(wanted.len());
    for (&(place, weight), offset) in wanted.iter().zip(&offsets) {
        let mut pool = ((place - offset) * weight, weight, 1);
        while let Some(last) = pools.last().filter(|last| last.0 / last.1 > pool.0 / pool.1) {
            pool = (pool.0 + last.0, pool.1 + last.1, pool.2 + last.2);
            pools.pop();
        }
        pools.push(pool);
    }
    let highest = (bounds.1 - offset).max(bounds.0);
    let places = pools.iter().flat_map(|(sum, weight, count)| {
        std::iter::repeat_n((sum / weight).clamp(bounds.0, highest), *count)
    });
    places.zip(offsets).map(|(place, offset)| place + offset).collect()
}

/// Aligns lanes with one another and with the ports they lead to, where there is room.
pub(super) fn straighten(ladder: &Ladder, centres: &mut [f64], ports: &PortPositions) {
    for (net, (first, lanes)) in ladder.lanes.iter().enumerate() {
        let mut start = 0;
        while start < lanes.len() {
            let (mut low, mut high) = free_range(ladder, centres, lanes[start]);
            let mut end = start + 1;
            while let Some(&lane) = lanes.get(end) {
                let (least, most) = free_range(ladder, centres, lane);
                if low.max(least) > high.min(most) {
                    break;
                }
                (low, high) = (low.max(least), high.min(most));
                end += 1;
            }
            let run = &lanes[start..end];
            let mean = run.iter().map(|lane| centres[*lane]).sum::<f64>() / to_measure(run.len());
            let met = channel_positions(ladder, centres, ports, net, (first + start, first + end));
            let near = |places: &[f64]| {
                let near = places
                    .iter()
                    .copied()
                    .filter(|place| (low..=high).contains(place) && (place - mean).abs() < DETOUR);
                near.min_by(|a, b| (a - mean).abs().total_cmp(&(b - mean).abs()))
            };
            // Sources have less room to move than targets.
            let best = near(&met.0).or_else(|| near(&met.1));
            if low <= high {
                let place = best.unwrap_or_else(|| mean.clamp(low, high));
                for lane in run {
                    centres[*lane] = place;
                }
            }
            start = end;
        }
    }
}

/// Where a net meets the channels at the upper and lower end of a run of its lanes.
fn channel_positions(
    ladder: &Ladder,
    centres: &[f64],
    ports: &PortPositions,
    net: usize,
    (upper, lower): (usize, usize),
) -> (Vec<f64>, Vec<f64>) {
    let taps = |channel: usize| ladder.channels[channel].iter().find(|taps| taps.net == net);
    let above = taps(upper).map(|taps| ports.places(taps, centres).0);
    let below = taps(lower).map(|taps| ports.places(taps, centres).1);
    (above.unwrap_or_default(), below.unwrap_or_default())
}

/// The range in which an item can move while its neighbours stay.
pub(super) fn free_range(ladder: &Ladder, centres: &[f64], item: usize) -> (f64, f64) {
    let layer = &ladder.layers[ladder.items[item].layer];
    let Some(at) = layer.iter().position(|other| *other == item) else {
        return (centres[item], centres[item]);
    };
    let left = at.checked_sub(1).and_then(|at| layer.get(at));
    let low = left.map_or(f64::MIN, |left| centres[*left] + ladder.distance(*left, item));
    let right = layer.get(at + 1);
    let high = right.map_or(f64::MAX, |right| centres[*right] - ladder.distance(item, *right));
    (low, high)
}
