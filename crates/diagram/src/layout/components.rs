//! The connected components of a graph, and how they are packed into one picture.

use super::super::geometry::{Point, Rect, Size};
use super::coordinates::BOX_GAP;
use super::{Graph, Net, Plan, Port, Route};

/// Width of a picture for a height of 1.
const ASPECT: f64 = 1.5;
/// No picture is wrapped to less than this.
const LEAST_WIDTH: f64 = 900.0;
/// Between two rows of parts.
const ROW_GAP: f64 = 34.0;
/// The widths tried, as multiples of the side of a square of the same area.
const WIDTH_FACTORS: [f64; 12] = [0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0, 2.3, 2.6];
/// The most columns of a grid.
const MOST_COLUMNS: usize = 12;
/// Height of a layer beside its boxes, roughly.
const CHANNEL: f64 = 80.0;

/// A component: its graph, and the positions of its boxes and nets in the whole graph.
pub(super) struct Component {
    pub(super) graph: Graph,
    nodes: Vec<usize>,
    nets: Vec<usize>,
}

/// The components, in the order of their first boxes.
pub(super) fn split_components(graph: &Graph) -> Vec<Component> {
    let mut leaders: Vec<_> = (0..graph.nodes.len()).collect();
    for net in &graph.nets {
        let mut ends = net.sources.iter().chain(&net.targets).map(|port| port.node);
        if let Some(first) = ends.next() {
            for other in ends {
                let (a, b) = (find_root(&mut leaders, first), find_root(&mut leaders, other));
                leaders[a.max(b)] = a.min(b);
            }
        }
    }
    let mut parts: Vec<Component> = Vec::new();
    let mut part_of = vec![(0, 0); graph.nodes.len()];
    for node in 0..graph.nodes.len() {
        let leader = find_root(&mut leaders, node);
        let part = if leader == node {
            parts.push(Component { graph: Graph::default(), nodes: Vec::new(), nets: Vec::new() });
            parts.len() - 1
        } else {
            part_of[leader].0
        };
        part_of[node] = (part, parts[part].nodes.len());
        parts[part].nodes.push(node);
        parts[part].graph.nodes.push(graph.nodes[node]);
    }
    for (at, net) in graph.nets.iter().enumerate() {
        let Some(first) = net.targets.first().or(net.sources.first()) else { continue };
        let part = &mut parts[part_of[first.node].0];
        let local = |ports: &[Port]| {
            ports.iter().map(|port| Port { node: part_of[port.node].1, ..*port }).collect()
        };
        part.graph.nets.push(Net { sources: local(&net.sources), targets: local(&net.targets) });
        part.nets.push(at);
    }
    parts
}

/// The first box of the component that a box is in, as far as known (union-find).
fn find_root(leaders: &mut [usize], node: usize) -> usize {
    let mut node = node;
    while leaders[node] != node {
        leaders[node] = leaders[leaders[node]];
        node = leaders[node];
    }
    node
}

/// The width that gives the picture about the aspect ratio wanted.
pub(super) fn goal_width(graph: &Graph) -> f64 {
    let area: f64 =
        graph.nodes.iter().map(|size| (size.width + BOX_GAP) * (size.height + CHANNEL)).sum();
    let widest = graph.nodes.iter().map(|size| size.width).fold(0.0, f64::max);
    (area * ASPECT).sqrt().max(LEAST_WIDTH).max(widest)
}

/// Packs the components as near as possible to the aspect ratio wanted: those of several boxes, and
/// a grid of the single ones.
pub(super) fn pack(graph: &Graph, parts: &[Component], plans: &[Plan]) -> Plan {
    let single = |at: &usize| parts[*at].nodes.len() == 1;
    let (singles, several): (Vec<_>, Vec<_>) = (0..parts.len()).partition(single);
    let sizes = |which: &[usize]| which.iter().map(|at| plans[*at].size).collect::<Vec<_>>();
    let (small, large) = (sizes(&singles), sizes(&several));
    let mut best: Option<(f64, Vec<Point>, Grid)> = None;
    for columns in 1..=singles.len().clamp(1, MOST_COLUMNS) {
        let grid = Grid::new(&small, columns);
        let mut blocks = large.clone();
        blocks.extend((!small.is_empty()).then_some(grid.size));
        let (shape, mut corners) = best_corners(&blocks);
        let at = if small.is_empty() { None } else { corners.pop() };
        corners.extend(grid.corners.iter().map(|cell| cell.translate(at.unwrap_or_default())));
        if best.as_ref().is_none_or(|(least, ..)| shape < *least) {
            best = Some((shape, corners, grid));
        }
    }
    let (_, corners, grid) = best.unwrap_or_default();
    let mut whole = Plan {
        size: Size::default(),
        nodes: vec![Rect::default(); graph.nodes.len()],
        routes: vec![Route::default(); graph.nets.len()],
    };
    for (position, (part, at)) in several.iter().chain(&singles).zip(corners).enumerate() {
        let mut plan = plans[*part].clone();
        if let Some(width) = position.checked_sub(several.len()).map(|cell| grid.width(cell)) {
            plan.widen(width);
        }
        plan.shift(at);
        whole.size.width = whole.size.width.max(at.x + plan.size.width);
        whole.size.height = whole.size.height.max(at.y + plan.size.height);
        copy_component(&mut whole, &parts[*part], plan);
    }
    whole
}

/// Rectangles in rows of so many, in columns as wide as needed.
#[derive(Default)]
struct Grid {
    size: Size,
    corners: Vec<Point>,
    widths: Vec<f64>,
}

impl Grid {
    fn new(sizes: &[Size], columns: usize) -> Self {
        let mut widths = vec![0.0_f64; columns];
        for (at, size) in sizes.iter().enumerate() {
            widths[at % columns] = widths[at % columns].max(size.width);
        }
        let mut corners = Vec::with_capacity(sizes.len());
        let mut y = 0.0;
        for row in sizes.chunks(columns) {
            let mut x = 0.0;
            for width in widths.iter().take(row.len()) {
                corners.push(Point { x, y });
                x += width + BOX_GAP;
            }
            y += row.iter().map(|size| size.height).fold(0.0, f64::max) + ROW_GAP;
        }
        let width = widths.iter().map(|width| width + BOX_GAP).sum::<f64>() - BOX_GAP;
        Self { size: Size { width, height: y - ROW_GAP }, corners, widths }
    }

    /// The width of the column of a cell.
    fn width(&self, cell: usize) -> f64 {
        self.widths.get(cell % self.widths.len().max(1)).copied().unwrap_or(0.0)
    }
}

impl Plan {
    /// Makes the only box as wide as the column it stands in, where no line runs beside it.
    fn widen(&mut self, width: f64) {
        if let [node] = self.nodes.as_mut_slice()
            && self.routes.iter().all(|route| route.sources.is_empty())
        {
            node.width = node.width.max(width);
            self.size.width = self.size.width.max(width);
        }
    }
}

/// Cost of a size: the width of the smallest picture with the aspect ratio wanted that holds it.
pub(super) fn aspect_width(size: Size) -> f64 {
    size.width.max(size.height * ASPECT)
}

/// The corners of rectangles packed into the width, of those tried, that comes nearest to the
/// aspect ratio wanted.
fn best_corners(sizes: &[Size]) -> (f64, Vec<Point>) {
    let widest = sizes.iter().map(|size| size.width).fold(0.0, f64::max);
    let area: f64 = sizes.iter().map(|size| (size.width + BOX_GAP) * (size.height + ROW_GAP)).sum();
    let spread = |corners: &[Point]| {
        let ends = || corners.iter().zip(sizes);
        let width = ends().map(|(at, size)| at.x + size.width).fold(0.0, f64::max);
        let height = ends().map(|(at, size)| at.y + size.height).fold(0.0, f64::max);
        aspect_width(Size { width, height })
    };
    let tried = WIDTH_FACTORS.iter().map(|factor| corners(sizes, widest.max(area.sqrt() * factor)));
    let best = tried.map(|corners| (spread(&corners), corners));
    best.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
}

/// The corners of rectangles, packed by the skyline heuristic: each goes to the highest, then
/// leftmost position below those before it.
fn corners(sizes: &[Size], width: f64) -> Vec<Point> {
    // The skyline: where each stretch starts and how far down it is filled.
    let mut skyline = vec![Point::default()];
    let mut corners = Vec::with_capacity(sizes.len());
    for size in sizes {
        let fits = |start: &&Point| start.x + size.width <= width + 0.5;
        let candidates = skyline.iter().filter(fits).map(|start| {
            let under = skyline.iter().enumerate().filter(|(at, stretch)| {
                let end = skyline.get(at + 1).map_or(f64::MAX, |next| next.x);
                stretch.x < start.x + size.width + BOX_GAP && end > start.x
            });
            Point { x: start.x, y: under.map(|(_, stretch)| stretch.y).fold(0.0, f64::max) }
        });
        let best = candidates.min_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        let corner = best.unwrap_or_default();
        fill_skyline(&mut skyline, corner, size);
        corners.push(corner);
    }
    corners
}

/// Fills the skyline below a rectangle and its gaps.
fn fill_skyline(skyline: &mut Vec<Point>, corner: Point, size: &Size) {
    let end = corner.x + size.width + BOX_GAP;
    let after = skyline.iter().rev().find(|stretch| stretch.x <= end).map_or(0.0, |last| last.y);
    skyline.retain(|stretch| stretch.x < corner.x || stretch.x > end);
    skyline.push(Point { x: corner.x, y: corner.y + size.height + ROW_GAP });
    skyline.push(Point { x: end, y: after });
    skyline.sort_by(|a, b| a.x.total_cmp(&b.x));
}

/// Copies the layout of a component into the whole.
fn copy_component(whole: &mut Plan, part: &Component, plan: Plan) {
    for (node, rect) in part.nodes.iter().zip(plan.nodes) {
        whole.nodes[*node] = rect;
    }
    for (net, route) in part.nets.iter().zip(plan.routes) {
        whole.routes[*net] = route;
    }
}
