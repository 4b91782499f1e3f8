//! The finished layout of one component: heights of channels and layers, boxes, and paths of the
//! lines.

use super::super::geometry::{Point, Rect, Size, to_measure};
use super::ladder::Ladder;
use super::ports::PortPositions;
use super::tracks::Tracks;
use super::{Anchor, Graph, LABEL_GAP, Plan, Port, Route};

/// Between two tracks.
const TRACK: f64 = 11.0;
/// Above and below the tracks of a channel.
const CHANNEL_MARGIN: f64 = 10.0;
/// Beside everything.
const SIDE: f64 = 8.0;

/// Builds the paths of one component.
struct RouteBuilder<'a> {
    graph: &'a Graph,
    ladder: &'a Ladder,
    centres: &'a [f64],
    ports: &'a PortPositions,
    tracks: Vec<Tracks>,
    /// The y of the first track of each channel.
    channels: Vec<f64>,
    /// The y of the top of each layer.
    layers: Vec<f64>,
}

/// Assigns all positions.
pub(super) fn plan(
    graph: &Graph,
    sizes: &[Size],
    ladder: &Ladder,
    (centres, ports): (&[f64], &PortPositions),
    tracks: Vec<Tracks>,
) -> Plan {
    let mut sheet = RouteBuilder {
        graph,
        ladder,
        centres,
        ports,
        tracks,
        channels: Vec::new(),
        layers: Vec::new(),
    };
    let height = sheet.stack(sizes);
    let nodes: Vec<_> = (0..graph.nodes.len()).map(|node| sheet.node(sizes, node)).collect();
    let routes = (0..graph.nets.len()).map(|net| sheet.route(&nodes, net)).collect();
    trim(Plan { size: Size { width: 0.0, height }, nodes, routes })
}

impl RouteBuilder<'_> {
    /// Computes the heights; returns that of the whole.
    fn stack(&mut self, sizes: &[Size]) -> f64 {
        let depth = self.ladder.layers.len();
        let (above, below, heights) = self.reaches(sizes, depth);
        let mut y = 0.0;
        for channel in 0..=depth {
            let count = self.tracks.get(channel).map_or(0, |tracks| tracks.count);
            let edge = channel == 0 || channel == depth;
            let margin = if edge && count == 0 { 0.0 } else { CHANNEL_MARGIN };
            y += margin;
            self.channels.push(y);
            y += to_measure(count.saturating_sub(1)) * TRACK + margin;
            if channel < depth {
                y += above[channel];
                self.layers.push(y);
                y += heights[channel] + below[channel];
            }
        }
        y
    }

    /// The room that ports need above and below each layer, and the height of each.
    fn reaches(&self, sizes: &[Size], depth: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let mut heights = vec![0.0_f64; depth];
        for (size, item) in sizes.iter().zip(&self.ladder.items) {
            heights[item.layer] = heights[item.layer].max(size.height);
        }
        let (mut above, mut below) = (vec![0.0_f64; depth], vec![0.0_f64; depth]);
        for net in &self.graph.nets {
            for port in &net.targets {
                let layer = self.ladder.items[port.node].layer;
                above[layer] = above[layer].max(port.reach());
            }
            for port in &net.sources {
                let layer = self.ladder.items[port.node].layer;
                let room = heights[layer] - sizes[port.node].height;
                below[layer] = below[layer].max(port.reach() - room);
            }
        }
        (above, below, heights)
    }

    fn node(&self, sizes: &[Size], node: usize) -> Rect {
        let y = self.layers[self.ladder.items[node].layer];
        Rect::new(Point { x: self.centres[node] - sizes[node].width / 2.0, y }, sizes[node])
    }

    fn route(&self, nodes: &[Rect], net: usize) -> Route {
        let ends = &self.graph.nets[net];
        let source = |(end, port): (usize, &Port)| {
            let at = Point { x: self.ports.sources[net][end], y: nodes[port.node].bottom() };
            Anchor { at, label: label(port, at, 4.0) }
        };
        let target = |(end, port): (usize, &Port)| {
            let at = Point { x: self.ports.targets[net][end], y: nodes[port.node].y };
            Anchor { at, label: label(port, at, -port.label.height - 4.0) }
        };
        let sources: Vec<_> = ends.sources.iter().enumerate().map(source).collect();
        let targets: Vec<_> = ends.targets.iter().enumerate().map(target).collect();
        let paths = if sources.is_empty() {
            let stub = |(anchor, port): (&Anchor, &Port)| {
                vec![Point { y: anchor.at.y - port.reach(), ..anchor.at }, anchor.at]
            };
            targets.iter().zip(&ends.targets).map(stub).collect()
        } else {
            let pairs = (0..sources.len()).flat_map(|s| (0..targets.len()).map(move |t| (s, t)));
            pairs.map(|(s, t)| self.path(net, (s, sources[s].at), (t, targets[t].at))).collect()
        };
        Route { sources, targets, paths }
    }

    /// The path from a source to a target: down into its channel, through lanes to the channel of
    /// the target, and in.
    fn path(&self, net: usize, from: (usize, Point), to: (usize, Point)) -> Vec<Point> {
        let ends = &self.graph.nets[net];
        let layer = |port: &Port| self.ladder.items[port.node].layer;
        let start = layer(&ends.sources[from.0]) + 1;
        let end = layer(&ends.targets[to.0]);
        let mut points = vec![from.1];
        let (first, lanes) = &self.ladder.lanes[net];
        let mut channel = start;
        let mut x = from.1.x;
        loop {
            let next = match channel.cmp(&end) {
                std::cmp::Ordering::Equal => to.1.x,
                // The lane of a layer joins the channel above it and the one below.
                std::cmp::Ordering::Less => self.centres[lanes[channel - first]],
                std::cmp::Ordering::Greater => self.centres[lanes[channel - 1 - first]],
            };
            if let Some(y) = self.track(channel, net) {
                points.push(Point { x, y });
                points.push(Point { x: next, y });
            }
            x = next;
            match channel.cmp(&end) {
                std::cmp::Ordering::Equal => break,
                std::cmp::Ordering::Less => channel += 1,
                std::cmp::Ordering::Greater => channel -= 1,
            }
        }
        points.push(to.1);
        simplify(points)
    }

    /// The y of a net's track in a channel.
    fn track(&self, channel: usize, net: usize) -> Option<f64> {
        let at = self.ladder.channels[channel].binary_search_by_key(&net, |taps| taps.net).ok()?;
        let track = self.tracks[channel].by_net[at]?;
        Some(self.channels[channel] + to_measure(track) * TRACK)
    }
}

/// Where the text of a port is.
fn label(port: &Port, at: Point, down: f64) -> Rect {
    Rect::new(Point { x: at.x + LABEL_GAP, y: at.y + down }, port.label)
}

/// Leaves out points where a path does not turn.
fn simplify(points: Vec<Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for point in points {
        if kept.last() == Some(&point) {
            continue;
        }
        if let [.., a, b] = kept.as_slice()
            && ((is_near(a.x, b.x) && is_near(b.x, point.x))
                || (is_near(a.y, b.y) && is_near(b.y, point.y)))
        {
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Moves everything so that it starts at 0, and measures it.
fn trim(mut plan: Plan) -> Plan {
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    let anchors = |route: &Route| {
        route
            .sources
            .iter()
            .chain(&route.targets)
            .map(|anchor| anchor.label.right())
            .fold(f64::MIN, f64::max)
    };
    for node in &plan.nodes {
        low = low.min(node.x);
        high = high.max(node.right());
    }
    for route in &plan.routes {
        high = high.max(anchors(route));
        for point in route.paths.iter().flatten() {
            low = low.min(point.x - SIDE);
            high = high.max(point.x + SIDE);
        }
    }
    plan.size.width = (high - low).max(0.0);
    plan.shift(Point { x: -low, y: 0.0 });
    plan
}

impl Plan {
    /// Moves everything.
    pub(super) fn shift(&mut self, by: Point) {
        self.nodes.iter_mut().for_each(|node| *node = node.translate(by));
        for route in &mut self.routes {
            for anchor in route.sources.iter_mut().chain(&mut route.targets) {
                anchor.at = anchor.at.translate(by);
                anchor.label = anchor.label.translate(by);
            }
            route.paths.iter_mut().flatten().for_each(|point| *point = point.translate(by));
        }
    }
}
