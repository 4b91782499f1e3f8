//! Reductions: make a graph smaller without losing its cheapest solution.
//!
//! Each reduction keeps the optimal cost (plus [`ReducedProgram::base`]) and lets every solution of
//! the smaller graph be mapped back; not every solution of the larger graph survives. They follow
//! the idea of the reduction tests for Steiner problems (Duin and Volgenant) and facility location:
//!
//! - `trivial_nodes`: what cannot be selected, costs nothing, must be selected, or is never
//!   reached.
//! - `choices`: demands with one way; what all ways of a demand share moves to whatever raises it.
//! - `merge`: nodes that can only be selected together become one.
//! - `dominance`: a way that another way of its demand is never worse than.
//!
//! They enable one another, so they run in rounds until none applies; branch and bound runs them
//! again after each decision.

mod choices;
mod dominance;
mod merge;
mod trivial_nodes;

use super::graph::{Choice, Graph, Node, normalise_needs};
use super::id::{Id, NodeId};
use super::{DemandId, IdVec};

/// A graph while it is reduced: nodes and demands keep their positions, what is gone is marked.
#[derive(Debug)]
pub(super) struct Reduction {
    graph: Graph,
    /// Nodes that can still be selected and are not fixed yet.
    node_open: IdVec<NodeId, bool>,
    /// Demands whose way is still open.
    demand_open: IdVec<DemandId, bool>,
    always: IdVec<DemandId, bool>,
    /// Nodes that are ways of open demands. A node that was a way of a decided demand becomes an
    /// ordinary node, which others may come to need.
    is_way: IdVec<NodeId, bool>,
    /// For each decided demand the way to take if it is raised.
    taken: Choice,
    /// The cost of what is selected in any case.
    base: f64,
}

/// A reduced graph, and how to map its solutions back.
#[derive(Clone, Debug, Default)]
pub(super) struct ReducedProgram {
    /// The reduced graph.
    pub(super) graph: Graph,
    /// For each of its nodes the original node. A merged node keeps the identity of the one it was
    /// merged into; what was merged follows from the needs of the original graph.
    pub(super) node_was: IdVec<NodeId, NodeId>,
    /// For each of its demands the original demand.
    pub(super) demand_was: IdVec<DemandId, DemandId>,
    /// For each original demand the way that was decided, if any.
    pub(super) taken: Choice,
    /// The cost of what is selected in any case.
    pub(super) base: f64,
}

/// Why a program has no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Infeasibility {
    /// A demand that is always raised has no way left.
    Demand(DemandId),
    /// What is selected in any case exceeds a bound; the value is what is left of its limit, below
    /// zero.
    Bound(usize, f64),
}

/// Rounds at most. Each removes less than the one before; the last few only matter to large
/// programs.
const ROUNDS: usize = 12;

/// Reduces a graph.
pub(super) fn reduce(graph: Graph) -> Result<ReducedProgram, Infeasibility> {
    let mut reduction = Reduction::new(graph);
    reduction.drop_impossible()?;
    for _ in 0..ROUNDS {
        reduction.take_free();
        let mut changed = reduction.force()?;
        reduction.drop_unreached();
        changed |= reduction.decide_single();
        changed |= reduction.merge_cycles();
        changed |= reduction.hoist();
        changed |= reduction.drop_raiser_needs();
        changed |= reduction.merge_into_only_user();
        changed |= reduction.merge_twins();
        changed |= reduction.drop_dominated();
        if !changed {
            break;
        }
    }
    reduction.take_free();
    reduction.force()?;
    reduction.drop_unreached();
    Ok(reduction.finish())
}

impl Reduction {
    fn new(graph: Graph) -> Self {
        let mut always = IdVec::<DemandId, bool>::from_elem(false, graph.demands.len());
        for &demand in &graph.always {
            always[demand] = true;
        }
        let mut way = IdVec::<NodeId, bool>::from_elem(false, graph.nodes.len());
        for &node in graph.demands.iter().flatten() {
            way[node] = true;
        }
        Self {
            node_open: IdVec::from_elem(true, graph.nodes.len()),
            demand_open: IdVec::from_elem(true, graph.demands.len()),
            always,
            is_way: way,
            taken: Choice::from_elem(None, graph.demands.len()),
            base: 0.0,
            graph,
        }
    }

    /// The open nodes.
    fn open_nodes(&self) -> Vec<NodeId> {
        self.node_open.ids().filter(|&node| self.node_open[node]).collect()
    }

    /// Demands whose way is still open.
    fn open_demands(&self) -> Vec<DemandId> {
        self.demand_open.ids().filter(|&demand| self.demand_open[demand]).collect()
    }

    /// For each node the open nodes that need it.
    fn users(&self) -> IdVec<NodeId, Vec<NodeId>> {
        let mut users = IdVec::<NodeId, Vec<NodeId>>::from_elem(Vec::new(), self.node_open.len());
        for user in self.open_nodes() {
            for &needed in &self.graph.nodes[user].needs {
                users[needed].push(user);
            }
        }
        users
    }

    /// For each demand the open nodes that raise it.
    fn raisers(&self) -> IdVec<DemandId, Vec<NodeId>> {
        let mut raisers =
            IdVec::<DemandId, Vec<NodeId>>::from_elem(Vec::new(), self.demand_open.len());
        for raiser in self.open_nodes() {
            for &demand in &self.graph.nodes[raiser].raises {
                raisers[demand].push(raiser);
            }
        }
        raisers
    }

    /// Removes what is no longer open from the needs and raises of open nodes and from the ways of
    /// demands.
    fn sweep(&mut self) {
        let (node_open, demand_open) = (&self.node_open, &self.demand_open);
        for (id, node) in self.graph.nodes.enumerate_ids_mut() {
            if node_open[id] {
                node.needs.retain(|&needed| node_open[needed]);
                node.raises.retain(|&demand| demand_open[demand]);
            }
        }
        for (demand, ways) in self.graph.demands.enumerate_ids_mut() {
            if demand_open[demand] {
                ways.retain(|&way| node_open[way]);
            } else {
                ways.clear();
            }
        }
    }

    /// The reduced graph, its nodes and demands numbered without gaps.
    fn finish(self) -> ReducedProgram {
        let (node_was, node_is) = renumber(self.open_nodes(), self.node_open.len());
        let (demand_was, demand_is) = renumber(self.open_demands(), self.demand_open.len());
        // After `sweep` open nodes refer to open nodes and demands only, so `filter_map` drops
        // nothing.
        let renamed_nodes =
            |nodes: &[NodeId]| nodes.iter().filter_map(|&was| node_is[was]).collect::<Vec<_>>();
        let smaller = |(id, &was): (NodeId, &NodeId)| {
            let node = &self.graph.nodes[was];
            let mut needs = renamed_nodes(&node.needs);
            normalise_needs(&mut needs, id);
            let raises = node.raises.iter().filter_map(|&demand| demand_is[demand]).collect();
            Node { cost: node.cost, weights: node.weights.clone(), needs, raises }
        };
        let nodes = node_was.enumerate_ids().map(smaller).collect();
        let demands =
            demand_was.iter().map(|&was| renamed_nodes(&self.graph.demands[was])).collect();
        let always = demand_was.ids().filter(|&demand| self.always[demand_was[demand]]).collect();
        ReducedProgram {
            graph: Graph { nodes, demands, always, limits: self.graph.limits },
            node_was,
            demand_was,
            taken: self.taken,
            base: self.base,
        }
    }
}

/// The old id of each id kept, and the new id of each old one (of `len`) that is kept.
fn renumber<I: Id>(kept: Vec<I>, len: usize) -> (IdVec<I, I>, IdVec<I, Option<I>>) {
    let was: IdVec<I, I> = kept.into_iter().collect();
    let mut is = IdVec::from_elem(None, len);
    for (id, &was) in was.enumerate_ids() {
        is[was] = Some(id);
    }
    (was, is)
}
