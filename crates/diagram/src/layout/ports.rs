//! Ports: where lines leave and enter boxes.

use super::super::geometry::{Size, to_measure};
use super::coordinates::{fit_positions, free_range};
use super::ladder::{Ladder, Tap, Taps};
use super::{Graph, LABEL_GAP, Port};

/// The least distance of a port from the side of its box.
pub(super) const MARGIN: f64 = 11.0;
/// How far a box is moved to make lines straight.
const NUDGE: f64 = 28.0;
/// Lines that are out of line by no more than this are made straight.
const SNAP_DISTANCE: f64 = 3.0;
/// Rounds of moving ports towards one another.
const ROUNDS: usize = 4;

/// Where the ends of each net are, from left to right.
#[derive(Debug)]
pub(super) struct PortPositions {
    pub(super) sources: Vec<Vec<f64>>,
    pub(super) targets: Vec<Vec<f64>>,
}

/// The sizes of the boxes, made wide enough for their ports.
pub(super) fn widen_boxes(graph: &Graph) -> Vec<Size> {
    let mut sizes = graph.nodes.clone();
    let (above, below) = sides(graph);
    for side in [above, below] {
        for (node, ends) in side.iter().enumerate() {
            let needed: f64 = ends.iter().map(|end| end.port.pitch()).sum();
            let least = needed + 2.0 * MARGIN;
            sizes[node].width = sizes[node].width.max(least);
        }
    }
    sizes
}

/// An end of a net at a box.
#[derive(Clone, Copy)]
struct PortEnd<'a> {
    net: usize,
    end: usize,
    port: &'a Port,
}

/// For each box the ends at its top and at its bottom.
fn sides(graph: &Graph) -> (Vec<Vec<PortEnd<'_>>>, Vec<Vec<PortEnd<'_>>>) {
    let mut above = vec![Vec::new(); graph.nodes.len()];
    let mut below = vec![Vec::new(); graph.nodes.len()];
    for (net, ends) in graph.nets.iter().enumerate() {
        for (end, port) in ends.targets.iter().enumerate() {
            above[port.node].push(PortEnd { net, end, port });
        }
        for (end, port) in ends.sources.iter().enumerate() {
            below[port.node].push(PortEnd { net, end, port });
        }
    }
    (above, below)
}

impl PortPositions {
    /// Where a tap meets the channel.
    pub(super) fn place(&self, net: usize, tap: Tap, from_above: bool, centres: &[f64]) -> f64 {
        match tap.end {
            None => centres[tap.item],
            Some(end) if from_above => self.sources[net][end],
            Some(end) => self.targets[net][end],
        }
    }

    /// Where a net meets the channel from above and from below.
    pub(super) fn places(&self, taps: &Taps, centres: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let places = |side: &[Tap], from_above| {
            side.iter().map(|tap| self.place(taps.net, *tap, from_above, centres)).collect()
        };
        (places(&taps.above, true), places(&taps.below, false))
    }
}

/// Finds the places of all ports.
pub(super) fn assign(
    graph: &Graph,
    sizes: &[Size],
    ladder: &Ladder,
    centres: &[f64],
) -> PortPositions {
    let places = |ends: &[Port]| ends.iter().map(|port| centres[port.node]).collect::<Vec<_>>();
    let mut ports = PortPositions {
        sources: graph.nets.iter().map(|net| places(&net.sources)).collect(),
        targets: graph.nets.iter().map(|net| places(&net.targets)).collect(),
    };
    let (above, below) = sides(graph);
    for _ in 0..ROUNDS {
        for node in 0..graph.nodes.len() {
            let middle = centres[node];
            let reach = (middle - sizes[node].width / 2.0, middle + sizes[node].width / 2.0);
            for (ends, at_top) in [(&above[node], true), (&below[node], false)] {
                align(&mut ports, ladder, centres, ends, (reach, at_top));
            }
        }
    }
    ports
}

/// Moves boxes a little where that makes more of their lines straight.
pub(super) fn nudge(
    graph: &Graph,
    ladder: &Ladder,
    centres: &mut [f64],
    ports: &mut PortPositions,
) {
    let (above, below) = sides(graph);
    for node in 0..graph.nodes.len() {
        let layer = ladder.items[node].layer;
        let mut offsets = Vec::new();
        for (ends, channel) in [(&above[node], layer), (&below[node], layer + 1)] {
            offsets
                .extend(ends.iter().filter_map(|end| offset(ports, ladder, centres, end, channel)));
        }
        let straight = |by: f64| offsets.iter().filter(|offset| (*offset - by).abs() < 0.5).count();
        let (low, high) = free_range(ladder, centres, node);
        let allowed = offsets
            .iter()
            .copied()
            .filter(|by| by.abs() <= NUDGE && (low..=high).contains(&(centres[node] + by)));
        let best = allowed
            .max_by(|a, b| straight(*a).cmp(&straight(*b)).then(b.abs().total_cmp(&a.abs())));
        if let Some(by) = best.filter(|by| straight(*by) > straight(0.0)) {
            centres[node] += by;
            for (ends, side) in
                [(&above[node], &mut ports.targets), (&below[node], &mut ports.sources)]
            {
                for end in ends {
                    side[end.net][end.end] += by;
                }
            }
        }
    }
}

/// How far an end is from being straight above or below the only other end of its net in the
/// channel.
fn offset(
    ports: &PortPositions,
    ladder: &Ladder,
    centres: &[f64],
    end: &PortEnd<'_>,
    channel: usize,
) -> Option<f64> {
    let taps = taps(ladder, end, channel)?;
    match (ports.places(taps, centres), end.port.node) {
        ((above, below), node) if above.len() == 1 && below.len() == 1 => {
            let down = below[0] - above[0];
            Some(if taps.above[0].item == node { down } else { -down })
        }
        _ => None,
    }
}

/// Where the net of an end meets a channel.
fn taps<'a>(ladder: &'a Ladder, end: &PortEnd<'_>, channel: usize) -> Option<&'a Taps> {
    let touching = ladder.touching[end.port.node].iter().filter(|(own, _)| *own == channel);
    let mut nets = touching.map(|(_, at)| &ladder.channels[channel][*at]);
    nets.find(|taps| taps.net == end.net)
}

/// Rounds all places, so that what is in line is so exactly.
pub(super) fn round(centres: &mut [f64], ports: &mut PortPositions) {
    for place in centres.iter_mut() {
        *place = place.round();
    }
    for place in ports.sources.iter_mut().chain(&mut ports.targets).flatten() {
        *place = place.round();
    }
}

/// Straightens lines that are almost straight.
pub(super) fn snap(ladder: &Ladder, centres: &[f64], ports: &mut PortPositions) {
    for taps in ladder.channels.iter().flatten() {
        let ([above], [below]) = (taps.above.as_slice(), taps.below.as_slice()) else { continue };
        let upper = ports.place(taps.net, *above, true, centres);
        let lower = ports.place(taps.net, *below, false, centres);
        if (upper - lower).abs() > SNAP_DISTANCE {
            continue;
        }
        match (above.end, below.end) {
            (_, Some(end)) => ports.targets[taps.net][end] = upper,
            (Some(end), None) => ports.sources[taps.net][end] = lower,
            (None, None) => {}
        }
    }
}

/// Places the ports of one side of a box in order, each near to what it is connected with.
fn align(
    ports: &mut PortPositions,
    ladder: &Ladder,
    centres: &[f64],
    ends: &[PortEnd<'_>],
    ((left, right), at_top): ((f64, f64), bool),
) {
    let Some(first) = ends.first() else { return };
    let layer = ladder.items[first.port.node].layer;
    let channel = if at_top { layer } else { layer + 1 };
    let reach = (left + MARGIN, right - MARGIN);
    let wanted = |end: &PortEnd<'_>| target_position(ports, ladder, centres, end, (channel, reach));
    let mut wanted: Vec<_> = ends.iter().map(|end| (wanted(end).unwrap_or(left), *end)).collect();
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.net.cmp(&b.1.net)));
    let distances: Vec<_> = wanted.iter().map(|(_, end)| end.port.pitch()).collect();
    let last = wanted.last().map_or(0.0, |(_, end)| end.port.label.width);
    let text = if last > 0.0 { last + LABEL_GAP } else { 0.0 };
    let bounds = (left + MARGIN, right - MARGIN.max(text + 4.0));
    let places: Vec<_> = wanted.iter().map(|(place, _)| (*place, 1.0)).collect();
    let found = fit_positions(&places, &distances, bounds);
    for ((_, end), place) in wanted.iter().zip(found) {
        let side = if at_top { &mut ports.targets } else { &mut ports.sources };
        side[end.net][end.end] = place;
    }
}

/// The target position of the port of an end: straight above or below another point where its net
/// meets the channel, otherwise the mean of those; `None` for an entry.
fn target_position(
    ports: &PortPositions,
    ladder: &Ladder,
    centres: &[f64],
    end: &PortEnd<'_>,
    (channel, reach): (usize, (f64, f64)),
) -> Option<f64> {
    let taps = taps(ladder, end, channel)?;
    let (above, below) = ports.places(taps, centres);
    let own = |tap: &Tap| tap.item == end.port.node && tap.end == Some(end.end);
    let is_source = taps.above.iter().any(own);
    let opposite = if is_source { &below } else { &above };
    let same = if is_source { (&taps.above, &above) } else { (&taps.below, &below) };
    let same = same.0.iter().zip(same.1).filter(|(tap, _)| !own(tap)).map(|(_, place)| *place);
    let others: Vec<_> = opposite.iter().copied().chain(same).collect();
    if others.is_empty() {
        return Some(f64::midpoint(reach.0, reach.1));
    }
    let mean = others.iter().sum::<f64>() / to_measure(others.len());
    let within = opposite.iter().filter(|place| (reach.0..=reach.1).contains(place));
    let nearest = within.min_by(|a, b| (*a - mean).abs().total_cmp(&(*b - mean).abs()));
    Some(nearest.copied().unwrap_or(mean))
}
