//! Moves ports where a line from above and one to below would overlap whatever the order of their
//! tracks.

use super::ladder::{Ladder, Taps};
use super::ports::{MARGIN, PortPositions};
use super::tracks::{CLEARANCE, Clash};
use super::{Graph, Port};

/// How far a port is moved at most.
const SHIFT_MAX: usize = 60;
/// The minimum distance between two ports of a box after a move.
const PITCH: f64 = 12.0;

/// Moves one of the two ports of a clash; whether one could be moved.
pub(super) fn move_port(
    graph: &Graph,
    ladder: &Ladder,
    centres: &[f64],
    ports: &mut PortPositions,
    channel: usize,
    clash: &Clash,
) -> bool {
    let nets = &ladder.channels[channel];
    let below = NetSide { taps: &nets[clash.goes_below], at_top: true };
    let above = NetSide { taps: &nets[clash.comes_from_above], at_top: false };
    [below, above].into_iter().any(|side| {
        let Some((end, free)) =
            side.find_free_port(graph, ladder, (centres, ports), channel, clash.place)
        else {
            return false;
        };
        let places = if side.at_top { &mut ports.targets } else { &mut ports.sources };
        places[side.taps.net][end] = free;
        true
    })
}

/// The ends of a net at the tops of boxes below a channel, or at the bottoms of those above it.
#[derive(Clone, Copy)]
struct NetSide<'a> {
    taps: &'a Taps,
    at_top: bool,
}

impl NetSide<'_> {
    /// The port at this place, and the nearest place that is free for it.
    fn find_free_port(
        self,
        graph: &Graph,
        ladder: &Ladder,
        (centres, ports): (&[f64], &PortPositions),
        channel: usize,
        place: f64,
    ) -> Option<(usize, f64)> {
        let own = if self.at_top { &self.taps.below } else { &self.taps.above };
        let net = self.taps.net;
        let at = |tap| ports.place(net, tap, !self.at_top, centres);
        let tap =
            own.iter().find(|tap| tap.end.is_some() && (at(**tap) - place).abs() < CLEARANCE)?;
        let end = tap.end?;
        let start = at(*tap);
        // Lines on the other side of the channel, and the other ports of the box.
        let mut taken = Vec::new();
        for taps in ladder.channels[channel].iter().filter(|taps| taps.net != net) {
            let (above, below) = ports.places(taps, centres);
            taken.extend(if self.at_top { above } else { below });
        }
        let siblings = self.siblings(graph, ports, tap.item, end);
        let half = ladder.items[tap.item].width / 2.0 - MARGIN;
        let free = |place: &f64| {
            let (low, high) = (centres[tap.item] - half, centres[tap.item] + half);
            (low..=high).contains(place)
                && taken.iter().all(|other| (other - place).abs() >= CLEARANCE)
                && siblings.iter().all(|(low, high)| *place <= *low || *place >= *high)
        };
        let steps = (1..=SHIFT_MAX).flat_map(|step| {
            let step = super::super::geometry::to_measure(step);
            [start + step, start - step]
        });
        steps.into_iter().find(free).map(|place| (end, place))
    }

    /// The ranges that other ports on the same side of the box occupy, with the text of both.
    fn siblings(
        self,
        graph: &Graph,
        ports: &PortPositions,
        node: usize,
        end: usize,
    ) -> Vec<(f64, f64)> {
        let mut taken = Vec::new();
        let own = &graph.nets[self.taps.net];
        let own = if self.at_top { own.targets.get(end) } else { own.sources.get(end) };
        let before = own.map_or(0.0, Port::pitch).max(PITCH);
        for (net, ends) in graph.nets.iter().enumerate() {
            let (side, places) = if self.at_top {
                (&ends.targets, &ports.targets[net])
            } else {
                (&ends.sources, &ports.sources[net])
            };
            for (at, (port, place)) in side.iter().zip(places).enumerate() {
                if port.node == node && (net, at) != (self.taps.net, end) {
                    taken.push((place - before, place + port.pitch().max(PITCH)));
                }
            }
        }
        taken
    }
}
