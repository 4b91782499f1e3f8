//! Makes a program smaller without losing its cheapest solution.

mod choices;
mod dominance;
mod merge;
mod trivial_nodes;

use super::graph::{Choice, Graph, Node, normalise_needs};
use super::id::{Id, NodeId};
use super::{DemandId, IdVec};

/// A program while it is made smaller: nodes and demands keep their positions, what is gone is marked.
#[derive(Debug)]
pub(super) struct Reduction {
    graph: Graph,
    /// Nodes that may still be had and are not had already.
    open: IdVec<NodeId, bool>,
    /// Demands that are still to be decided.
    undecided: IdVec<DemandId, bool>,
    always: IdVec<DemandId, bool>,
    /// Nodes that are ways of demands still to be decided.
    way: IdVec<NodeId, bool>,
    /// The way taken of each demand that is decided, as a node.
    taken: Choice,
    /// What is had in any case costs this much.
    base: f64,
}

/// A smaller program, and how to get back.
#[derive(Clone, Debug, Default)]
pub(super) struct ReducedProgram {
    /// The smaller program.
    pub(super) graph: Graph,
    /// For each of its nodes the node that it was.
    pub(super) node_was: IdVec<NodeId, NodeId>,
    /// For each of its demands the demand that it was.
    pub(super) demand_was: IdVec<DemandId, DemandId>,
    /// For each demand that was the way decided on, as a node, if it is decided.
    pub(super) taken: Choice,
    /// What is had in any case costs this much.
    pub(super) base: f64,
}

/// Why a program has no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Infeasibility {
    /// A demand that is always to be met cannot be.
    Demand(DemandId),
    /// What is had in any case weighs this much against a bound, which is too much.
    Bound(usize, f64),
}

/// Rounds of making smaller; each is worth less than the one before.
const ROUNDS: usize = 12;

/// Makes a program smaller.
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
            open: IdVec::from_elem(true, graph.nodes.len()),
            undecided: IdVec::from_elem(true, graph.demands.len()),
            always,
            way,
            taken: Choice::from_elem(None, graph.demands.len()),
            base: 0.0,
            graph,
        }
    }

    /// Nodes that are still open.
    fn open_nodes(&self) -> Vec<NodeId> {
        self.open.ids().filter(|&node| self.open[node]).collect()
    }

    /// Demands that are still to be decided.
    fn open_demands(&self) -> Vec<DemandId> {
        self.undecided.ids().filter(|&demand| self.undecided[demand]).collect()
    }

    /// For each node the open nodes that need it.
    fn users(&self) -> IdVec<NodeId, Vec<NodeId>> {
        let mut users = IdVec::<NodeId, Vec<NodeId>>::from_elem(Vec::new(), self.open.len());
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
            IdVec::<DemandId, Vec<NodeId>>::from_elem(Vec::new(), self.undecided.len());
        for raiser in self.open_nodes() {
            for &demand in &self.graph.nodes[raiser].raises {
                raisers[demand].push(raiser);
            }
        }
        raisers
    }

    /// Forgets what is no longer open in what open nodes need and raise, and in the ways of demands.
    fn sweep(&mut self) {
        let (open, asked) = (&self.open, &self.undecided);
        for (id, node) in self.graph.nodes.enumerate_ids_mut() {
            if open[id] {
                node.needs.retain(|&needed| open[needed]);
                node.raises.retain(|&demand| asked[demand]);
            }
        }
        for (demand, ways) in self.graph.demands.enumerate_ids_mut() {
            if asked[demand] {
                ways.retain(|&way| open[way]);
            } else {
                ways.clear();
            }
        }
    }

    /// The smaller program, its nodes and demands without gaps.
    fn finish(self) -> ReducedProgram {
        let (node_was, node_is) = renumber(self.open_nodes(), self.open.len());
        let (demand_was, demand_is) = renumber(self.open_demands(), self.undecided.len());
        // What is still open leads to nothing but what is open, hence `filter_map` leaves nothing out.
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
            graph: Graph { nodes, demands, always, most: self.graph.most },
            node_was,
            demand_was,
            taken: self.taken,
            base: self.base,
        }
    }
}

/// For each id that is kept what it was, and for each of so many what it is now, if it is kept.
fn renumber<I: Id>(kept: Vec<I>, len: usize) -> (IdVec<I, I>, IdVec<I, Option<I>>) {
    let was: IdVec<I, I> = kept.into_iter().collect();
    let mut is = IdVec::from_elem(None, len);
    for (id, &was) in was.enumerate_ids() {
        is[was] = Some(id);
    }
    (was, is)
}
