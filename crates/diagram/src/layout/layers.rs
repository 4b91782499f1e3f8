//! Assigns boxes to layers: sources above their targets.

use super::super::geometry::{Size, to_measure};
use super::Graph;
use super::coordinates::BOX_GAP;

/// Passes of pulling boxes towards what they are connected with.
const PASSES: usize = 4;

/// The layer of each box.
pub(super) fn assign(graph: &Graph, sizes: &[Size], width: f64) -> Vec<usize> {
    let edges = edges(graph);
    let (order, ahead) = acyclic(graph, &edges);
    let mut layers = longest_paths(&order, &ahead);
    pull_together(&order, &ahead, &mut layers);
    wrap(sizes, &ahead, &layers, width)
}

/// The boxes that each box leads to, each once, in order.
fn edges(graph: &Graph) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); graph.nodes.len()];
    for net in &graph.nets {
        for source in &net.sources {
            edges[source.node].extend(net.targets.iter().map(|target| target.node));
        }
    }
    for (at, to) in edges.iter_mut().enumerate() {
        to.sort_unstable();
        to.dedup();
        to.retain(|target| *target != at);
    }
    edges
}

/// Leaves out the edges that lead back towards the entries and those that close a cycle; returns a
/// topological order of the rest.
fn acyclic(graph: &Graph, edges: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let count = graph.nodes.len();
    let roots = roots(graph, edges);
    let steps = steps(&roots, edges);
    let mut ahead = vec![Vec::new(); count];
    let mut order = Vec::with_capacity(count);
    let mut open = vec![false; count];
    let mut seen = vec![false; count];
    for root in roots {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        open[root] = true;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.pop() {
            let Some(&target) = edges[node].get(next) else {
                open[node] = false;
                order.push(node);
                continue;
            };
            path.push((node, next + 1));
            if open[target] || steps[target] < steps[node] {
                continue;
            }
            ahead[node].push(target);
            if !seen[target] {
                seen[target] = true;
                open[target] = true;
                path.push((target, 0));
            }
        }
    }
    order.reverse();
    (order, ahead)
}

/// The number of steps of each box from the entries. What no entry leads to starts from its own
/// root.
fn steps(roots: &[usize], edges: &[Vec<usize>]) -> Vec<usize> {
    let mut led_to = vec![false; edges.len()];
    edges.iter().flatten().for_each(|target| led_to[*target] = true);
    let mut steps = vec![usize::MAX; edges.len()];
    let starts: Vec<_> = roots.iter().copied().filter(|root| !led_to[*root]).collect();
    let starts = std::iter::once(starts).chain(roots.iter().map(|root| vec![*root]));
    for starts in starts {
        let mut front: Vec<_> =
            starts.into_iter().filter(|start| steps[*start] == usize::MAX).collect();
        for start in &front {
            steps[*start] = 0;
        }
        let mut step = 0;
        while !front.is_empty() {
            step += 1;
            let mut next = Vec::new();
            for target in front.iter().flat_map(|node| &edges[*node]) {
                if steps[*target] == usize::MAX {
                    steps[*target] = step;
                    next.push(*target);
                }
            }
            front = next;
        }
    }
    steps
}

/// Where to start: what only entries lead to, other entries, what nothing leads to, the rest.
fn roots(graph: &Graph, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut led_to = vec![false; graph.nodes.len()];
    edges.iter().flatten().for_each(|target| led_to[*target] = true);
    let mut entry = vec![false; graph.nodes.len()];
    for net in graph.nets.iter().filter(|net| net.sources.is_empty()) {
        net.targets.iter().for_each(|target| entry[target.node] = true);
    }
    let mut roots: Vec<_> = (0..graph.nodes.len()).collect();
    roots.sort_by_key(|node| (led_to[*node], !entry[*node], *node));
    roots
}

fn longest_paths(order: &[usize], ahead: &[Vec<usize>]) -> Vec<usize> {
    let mut layers = vec![0; ahead.len()];
    for &node in order {
        for &target in &ahead[node] {
            layers[target] = layers[target].max(layers[node] + 1);
        }
    }
    layers
}

/// Moves boxes with more targets than sources down, the others up, as far as their connections
/// allow.
fn pull_together(order: &[usize], ahead: &[Vec<usize>], layers: &mut [usize]) {
    let mut behind = vec![Vec::new(); ahead.len()];
    for (node, targets) in ahead.iter().enumerate() {
        for target in targets {
            behind[*target].push(node);
        }
    }
    for _ in 0..PASSES {
        for &node in order.iter().rev() {
            let below = ahead[node].iter().map(|target| layers[*target]).min();
            if let Some(below) = below.filter(|_| ahead[node].len() > behind[node].len()) {
                layers[node] = below - 1;
            }
        }
        for &node in order {
            let above = behind[node].iter().map(|source| layers[*source]).max();
            if let Some(above) = above.filter(|_| behind[node].len() >= ahead[node].len()) {
                layers[node] = above + 1;
            }
        }
    }
}

/// Splits layers that are too wide into several, boxes without targets first, and leaves no layer
/// empty.
fn wrap(sizes: &[Size], ahead: &[Vec<usize>], layers: &[usize], width: f64) -> Vec<usize> {
    let depth = layers.iter().max().map_or(0, |deepest| deepest + 1);
    let mut members = vec![Vec::new(); depth];
    layers.iter().enumerate().for_each(|(node, layer)| members[*layer].push(node));
    let mut result = vec![0; layers.len()];
    let mut next = 0;
    for mut members in members.into_iter().filter(|members| !members.is_empty()) {
        let total: f64 = members.iter().map(|node| sizes[*node].width + BOX_GAP).sum();
        let rows = (total / width).ceil().max(1.0);
        members.sort_by_key(|node| (!ahead[*node].is_empty(), *node));
        let share = total / rows;
        let mut filled = 0.0;
        let mut row = 0;
        for node in members {
            let own = sizes[node].width + BOX_GAP;
            if filled > 0.0 && filled + own / 2.0 > share * (to_measure(row) + 1.0) {
                row += 1;
            }
            filled += own;
            result[node] = next + row;
        }
        next += row + 1;
    }
    result
}
