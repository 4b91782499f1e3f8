//! Layered layout (the framework of Sugiyama, Tagawa and Toda) with orthogonal lines: boxes in
//! layers, lines in the channels between them.
//!
//! Connected components are laid out separately and then packed ([`components`]). Within one:
//!
//! 1. [`layers`] assigns boxes to layers (cycles broken, wide layers wrapped).
//!
//! 2. [`ladder`] gives a line that must pass a layer a lane there, so that it is ordered and placed
//!    like a box.
//!
//! 3. [`order`] arranges boxes and lanes within layers for few crossings.
//!
//! 4. [`coordinates`] and [`ports`] find their positions and where lines leave and enter boxes.
//!
//! 5. [`tracks`] stacks the horizontal pieces within each channel; [`port_moves`] moves ports where
//!    two lines would overlap whatever the order of their tracks.
//!
//! 6. [`routes`] builds the paths.
//!
//! A line runs only in channels and lanes, so none can pass through a box.

mod components;
mod coordinates;
mod ladder;
mod layers;
mod order;
mod port_moves;
mod ports;
mod routes;
mod tracks;

use self::ladder::Ladder;
use self::ports::PortPositions;
use self::tracks::Tracks;
use super::geometry::{Point, Rect, Size};

/// Boxes and what connects them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Size>,
    pub(crate) nets: Vec<Net>,
}

/// A line from every source to every target. Without sources it is an entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Net {
    pub(crate) sources: Vec<Port>,
    pub(crate) targets: Vec<Port>,
}

/// Where a net leaves or enters a box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Port {
    pub(crate) node: usize,
    /// The size of the text beside it.
    pub(crate) label: Size,
    /// How much straight line its tip needs.
    pub(crate) tip: f64,
}

/// Where everything is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) size: Size,
    /// The boxes; wider than asked where their ports need it.
    pub(crate) nodes: Vec<Rect>,
    /// The nets.
    pub(crate) routes: Vec<Route>,
}

/// Where a net runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Route {
    pub(crate) sources: Vec<Anchor>,
    pub(crate) targets: Vec<Anchor>,
    /// A path for each pair of source and target, from edge to edge.
    pub(crate) paths: Vec<Vec<Point>>,
}

/// One end of a net.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Anchor {
    /// On the edge of the box.
    pub(crate) at: Point,
    /// Where the text beside it is.
    pub(crate) label: Rect,
}

/// How often ports of a channel give way.
const PORT_MOVES_MAX: usize = 6;
/// A component with more boxes is laid out in one width only.
const SINGLE_PASS_BOXES: usize = 40;
/// Room between a line and the text beside it.
const LABEL_GAP: f64 = 7.0;

/// Lays out a graph.
pub(crate) fn place(graph: &Graph) -> Plan {
    let parts = components::split_components(graph);
    let plans: Vec<_> = parts.iter().map(|part| best_plan(&part.graph)).collect();
    components::pack(graph, &parts, &plans)
}

/// Lays out one component in the width, of those tried, that comes nearest to the aspect ratio
/// wanted.
fn best_plan(graph: &Graph) -> Plan {
    let width = components::goal_width(graph);
    let tried: &[f64] =
        if graph.nodes.len() > SINGLE_PASS_BOXES { &[1.3] } else { &[2.5, 1.8, 1.3, 1.0] };
    let plans = tried.iter().map(|factor| part_plan(graph, width * factor));
    let shaped = plans.map(|plan| (components::aspect_width(plan.size), plan));
    let best = shaped.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|(_, plan)| plan).unwrap_or_default()
}

/// Lays out one component.
fn part_plan(graph: &Graph, width: f64) -> Plan {
    let sizes = ports::widen_boxes(graph);
    let layers = layers::assign(graph, &sizes, width);
    let mut ladder = Ladder::new(graph, &sizes, &layers);
    order::arrange(&mut ladder);
    let mut centres = coordinates::assign_centres(&ladder);
    let ports = ports::assign(graph, &sizes, &ladder, &centres);
    coordinates::straighten(&ladder, &mut centres, &ports);
    let mut ports = ports::assign(graph, &sizes, &ladder, &centres);
    ports::nudge(graph, &ladder, &mut centres, &mut ports);
    coordinates::straighten(&ladder, &mut centres, &ports);
    let mut ports = ports::assign(graph, &sizes, &ladder, &centres);
    ports::round(&mut centres, &mut ports);
    ports::snap(&ladder, &centres, &mut ports);
    let tracks = (0..ladder.channels.len())
        .map(|channel| stack(graph, &ladder, &centres, &mut ports, channel))
        .collect();
    routes::plan(graph, &sizes, &ladder, (&centres, &ports), tracks)
}

/// Stacks the pieces in a channel, moving ports where lines would overlap.
fn stack(
    graph: &Graph,
    ladder: &Ladder,
    centres: &[f64],
    ports: &mut PortPositions,
    channel: usize,
) -> Tracks {
    let mut dodges = 0;
    loop {
        let (tracks, clashes) = tracks::stack(ladder, channel, ports, centres);
        dodges += 1;
        let moved = clashes.iter().filter(|clash| {
            dodges <= PORT_MOVES_MAX
                && port_moves::move_port(graph, ladder, centres, ports, channel, clash)
        });
        if moved.count() == 0 {
            return tracks;
        }
    }
}

impl Port {
    /// Room that its tip and text need beside the box.
    fn reach(&self) -> f64 {
        let text = if self.label.height > 0.0 { self.label.height + 4.0 } else { 0.0 };
        self.tip.max(text) + 4.0
    }

    /// The least distance to the next port on the right.
    fn pitch(&self) -> f64 {
        let text = if self.label.width > 0.0 { self.label.width + 2.0 * LABEL_GAP } else { 0.0 };
        text.max(16.0)
    }
}
