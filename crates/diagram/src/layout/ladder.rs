//! Layers with all that stands or passes in them, and the channels between: channel `l` is above
//! layer `l`.

use super::super::geometry::Size;
use super::Graph;

/// Boxes and lanes in layers, and how nets meet in channels.
#[derive(Debug)]
pub(super) struct Ladder {
    /// The boxes in the order of the graph, then the lanes.
    pub(super) items: Vec<LayerItem>,
    /// The items of each layer, from left to right.
    pub(super) layers: Vec<Vec<usize>>,
    /// One more than layers.
    pub(super) channels: Vec<Vec<Taps>>,
    /// For each net the first channel it is in, and its lanes from there down.
    pub(super) lanes: Vec<(usize, Vec<usize>)>,
    /// For each item the channel and position among its taps of each net that meets it.
    pub(super) touching: Vec<Vec<(usize, usize)>>,
}

/// A box, or the place where a net passes a layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerItem {
    pub(super) layer: usize,
    pub(super) width: f64,
    /// The net, of a lane.
    pub(super) lane: Option<usize>,
}

/// Where a net meets a channel.
#[derive(Debug, Default)]
pub(super) struct Taps {
    pub(super) net: usize,
    /// From above: sources, and the lane of the layer above.
    pub(super) above: Vec<Tap>,
    /// From below: targets, and the lane of the layer below.
    pub(super) below: Vec<Tap>,
}

/// One of the places where a net meets a channel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tap {
    pub(super) item: usize,
    /// Which source or target of the net; `None` for a lane.
    pub(super) end: Option<usize>,
}

impl Ladder {
    pub(super) fn new(graph: &Graph, sizes: &[Size], layers: &[usize]) -> Self {
        let depth = layers.iter().max().map_or(0, |deepest| deepest + 1);
        let boxes = layers.iter().zip(sizes);
        let mut ladder = Self {
            items: boxes
                .map(|(layer, size)| LayerItem { layer: *layer, width: size.width, lane: None })
                .collect(),
            layers: vec![Vec::new(); depth],
            channels: (0..=depth).map(|_| Vec::new()).collect(),
            lanes: vec![(0, Vec::new()); graph.nets.len()],
            touching: Vec::new(),
        };
        for net in 0..graph.nets.len() {
            ladder.add_net(graph, net);
        }
        for (at, item) in ladder.items.iter().enumerate() {
            ladder.layers[item.layer].push(at);
        }
        ladder.index_taps();
        ladder
    }

    /// Gives a net its lanes and taps.
    fn add_net(&mut self, graph: &Graph, net: usize) {
        let ends = &graph.nets[net];
        if ends.sources.is_empty() || ends.targets.is_empty() {
            return;
        }
        let sources: Vec<_> =
            ends.sources.iter().map(|port| self.items[port.node].layer + 1).collect();
        let targets: Vec<_> = ends.targets.iter().map(|port| self.items[port.node].layer).collect();
        let used = || sources.iter().chain(&targets);
        let first = used().min().copied().unwrap_or(0);
        let last = used().max().copied().unwrap_or(0);
        let mut taps: Vec<_> = (first..=last).map(|_| Taps { net, ..Taps::default() }).collect();
        for (end, (port, channel)) in ends.sources.iter().zip(&sources).enumerate() {
            taps[channel - first].above.push(Tap { item: port.node, end: Some(end) });
        }
        for (end, (port, channel)) in ends.targets.iter().zip(&targets).enumerate() {
            taps[channel - first].below.push(Tap { item: port.node, end: Some(end) });
        }
        self.lanes[net].0 = first;
        for layer in first..last {
            let item = self.items.len();
            self.items.push(LayerItem { layer, width: 0.0, lane: Some(net) });
            self.lanes[net].1.push(item);
            taps[layer - first].below.push(Tap { item, end: None });
            taps[layer - first + 1].above.push(Tap { item, end: None });
        }
        for (taps, channel) in taps.into_iter().zip(first..) {
            self.channels[channel].push(taps);
        }
    }

    fn index_taps(&mut self) {
        self.touching = vec![Vec::new(); self.items.len()];
        for (channel, nets) in self.channels.iter().enumerate() {
            for (at, taps) in nets.iter().enumerate() {
                for tap in taps.above.iter().chain(&taps.below) {
                    self.touching[tap.item].push((channel, at));
                }
            }
        }
    }

    /// The least distance between the centres of two neighbours.
    pub(super) fn distance(&self, left: usize, right: usize) -> f64 {
        let (left, right) = (self.items[left], self.items[right]);
        let gap = match (left.lane, right.lane) {
            (Some(_), Some(_)) => super::coordinates::LANE_GAP,
            (None, None) => super::coordinates::BOX_GAP,
            _ => super::coordinates::SIDE_GAP,
        };
        f64::midpoint(left.width, right.width) + gap
    }
}
