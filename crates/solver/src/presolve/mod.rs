//! Makes a program smaller without losing its cheapest solution.

mod choices;
mod dominated;
mod merging;
mod standing;

use super::graph::{Graph, Node, tidy};

/// A program while it is made smaller: nodes and demands keep their positions, what is gone is marked.
#[derive(Debug)]
pub(super) struct Reduction {
    graph: Graph,
    /// Nodes that may still be had and are not had already.
    open: Vec<bool>,
    /// Demands that are still to be decided.
    asked: Vec<bool>,
    always: Vec<bool>,
    /// Nodes that are ways of demands still to be decided.
    way: Vec<bool>,
    /// The way taken of each demand that is decided, as a node.
    taken: Vec<Option<usize>>,
    /// What is had in any case costs this much.
    base: f64,
}

/// A smaller program, and how to get back.
#[derive(Clone, Debug, Default)]
pub(super) struct Reduced {
    /// The smaller program.
    pub(super) graph: Graph,
    /// For each of its nodes the node that it was.
    pub(super) node_was: Vec<usize>,
    /// For each of its demands the demand that it was.
    pub(super) demand_was: Vec<usize>,
    /// For each demand that was the way decided on, as a node, if it is decided.
    pub(super) taken: Vec<Option<usize>>,
    /// What is had in any case costs this much.
    pub(super) base: f64,
}

/// Why a program has no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stuck {
    /// A demand that is always to be met cannot be.
    Demand(usize),
    /// What is had in any case weighs this much against a bound, which is too much.
    Bound(usize, f64),
}

/// Rounds of making smaller; each is worth less than the one before.
const ROUNDS: usize = 12;

/// Makes a program smaller.
pub(super) fn reduce(graph: Graph) -> Result<Reduced, Stuck> {
    let mut reduction = Reduction::new(graph);
    reduction.drop_impossible()?;
    for _ in 0..ROUNDS {
        reduction.take_what_is_free();
        let mut changed = reduction.force()?;
        reduction.drop_unreached();
        changed |= reduction.decide_single();
        changed |= reduction.merge_cycles();
        changed |= reduction.hoist();
        changed |= reduction.credit();
        changed |= reduction.merge_into_only_user();
        changed |= reduction.merge_twins();
        changed |= reduction.drop_dominated();
        if !changed {
            break;
        }
    }
    reduction.take_what_is_free();
    reduction.force()?;
    reduction.drop_unreached();
    Ok(reduction.finish())
}

impl Reduction {
    fn new(graph: Graph) -> Self {
        let mut always = vec![false; graph.demands.len()];
        for &demand in &graph.always {
            always[demand] = true;
        }
        let mut way = vec![false; graph.nodes.len()];
        for &node in graph.demands.iter().flatten() {
            way[node] = true;
        }
        Self {
            open: vec![true; graph.nodes.len()],
            asked: vec![true; graph.demands.len()],
            always,
            way,
            taken: vec![None; graph.demands.len()],
            base: 0.0,
            graph,
        }
    }

    /// Nodes that are still open.
    fn open_nodes(&self) -> Vec<usize> {
        (0..self.open.len()).filter(|&node| self.open[node]).collect()
    }

    /// Demands that are still to be decided.
    fn asked_demands(&self) -> Vec<usize> {
        (0..self.asked.len()).filter(|&demand| self.asked[demand]).collect()
    }

    /// For each node the open nodes that need it.
    fn users(&self) -> Vec<Vec<usize>> {
        let mut users = vec![Vec::new(); self.open.len()];
        for user in self.open_nodes() {
            for &needed in &self.graph.nodes[user].needs {
                users[needed].push(user);
            }
        }
        users
    }

    /// For each demand the open nodes that raise it.
    fn raisers(&self) -> Vec<Vec<usize>> {
        let mut raisers = vec![Vec::new(); self.asked.len()];
        for raiser in self.open_nodes() {
            for &demand in &self.graph.nodes[raiser].raises {
                raisers[demand].push(raiser);
            }
        }
        raisers
    }

    /// Forgets what is no longer open in what open nodes need and raise, and in the ways of demands.
    fn sweep(&mut self) {
        let (open, asked) = (&self.open, &self.asked);
        for (position, node) in self.graph.nodes.iter_mut().enumerate() {
            if open[position] {
                node.needs.retain(|&needed| open[needed]);
                node.raises.retain(|&demand| asked[demand]);
            }
        }
        for (demand, ways) in self.graph.demands.iter_mut().enumerate() {
            if asked[demand] {
                ways.retain(|&way| open[way]);
            } else {
                ways.clear();
            }
        }
    }

    /// The smaller program, its nodes and demands without gaps.
    fn finish(self) -> Reduced {
        let node_was = self.open_nodes();
        let demand_was = self.asked_demands();
        let mut node_is = vec![usize::MAX; self.open.len()];
        for (position, &was) in node_was.iter().enumerate() {
            node_is[was] = position;
        }
        let mut demand_is = vec![usize::MAX; self.asked.len()];
        for (position, &was) in demand_was.iter().enumerate() {
            demand_is[was] = position;
        }
        let renamed = |list: &[usize], names: &[usize]| {
            list.iter().map(|&was| names[was]).collect::<Vec<usize>>()
        };
        let nodes = node_was
            .iter()
            .map(|&was| {
                let node = &self.graph.nodes[was];
                let mut needs = renamed(&node.needs, &node_is);
                tidy(&mut needs, node_is[was]);
                Node {
                    cost: node.cost,
                    weights: node.weights.clone(),
                    needs,
                    raises: renamed(&node.raises, &demand_is),
                }
            })
            .collect();
        let demands =
            demand_was.iter().map(|&was| renamed(&self.graph.demands[was], &node_is)).collect();
        let always =
            (0..demand_was.len()).filter(|&demand| self.always[demand_was[demand]]).collect();
        Reduced {
            graph: Graph { nodes, demands, always, most: self.graph.most },
            node_was,
            demand_was,
            taken: self.taken,
            base: self.base,
        }
    }
}
