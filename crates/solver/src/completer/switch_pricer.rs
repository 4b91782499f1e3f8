//! Prices of switching one demand to other ways, without completing the whole choice for each.
//!
//! What only the way of one demand brought into a solution is found by looking at what the way leads
//! to, and taken out of the marks of the completer. Another way of the demand then costs what it adds
//! to the marks. Both take time in proportion to what changes, not to the solution. A switch found
//! to help is completed as a whole by [`Completer::complete`], so that the result is the same as if
//! every switch had been.

use super::super::graph::Choice;
use super::super::id::NodeId;
use super::super::{DemandId, IdVec};
use super::Completer;

/// What a solution has without the way of one demand.
#[derive(Debug)]
pub(crate) struct RestOfSolution {
    demand: DemandId,
    cost: f64,
    /// The weight towards each bound.
    used: Vec<f64>,
    /// What only the way brought.
    gone: Marks,
}

/// Nodes and demands.
#[derive(Debug, Default)]
struct Marks {
    nodes: Vec<NodeId>,
    demands: Vec<DemandId>,
}

/// What a way leads to in a solution. Marks of earlier regions are told apart by `epoch`.
#[derive(Debug)]
pub(super) struct Region {
    epoch: u32,
    nodes: IdVec<NodeId, Place>,
    demands: IdVec<DemandId, Place>,
}

/// The place of a node or demand in a region.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    epoch: u32,
    /// How often the region selects or raises it.
    inside: u32,
    /// It is selected or raised from outside of the region, directly or not.
    stays: bool,
}

impl Region {
    pub(super) fn new(nodes: usize, demands: usize) -> Self {
        Self {
            epoch: 0,
            nodes: IdVec::from_elem(Place::default(), nodes),
            demands: IdVec::from_elem(Place::default(), demands),
        }
    }

    fn enter_node(&mut self, node: NodeId, into: &mut Marks) {
        if self.nodes[node].enter(self.epoch) {
            into.nodes.push(node);
        }
    }

    fn enter_demand(&mut self, demand: DemandId, into: &mut Marks) {
        if self.demands[demand].enter(self.epoch) {
            into.demands.push(demand);
        }
    }
}

impl Place {
    /// Counts an edge that leads here; `true` for the first.
    fn enter(&mut self, epoch: u32) -> bool {
        let first = self.epoch != epoch;
        if first {
            *self = Self { epoch, inside: 0, stays: false };
        }
        self.inside += 1;
        first
    }

    /// Marks it as staying; `true` if it is in the region and was not marked yet.
    fn keep(&mut self, epoch: u32) -> bool {
        self.epoch == epoch && !std::mem::replace(&mut self.stays, true)
    }
}

impl Completer<'_> {
    /// Takes out of the marks what only the way of a demand brought. The marks must be those of
    /// this choice, which must be complete.
    pub(crate) fn detach(&mut self, choice: &Choice, demand: DemandId) -> Option<RestOfSolution> {
        let way = choice[demand]?;
        let mut region = std::mem::replace(&mut self.region, Region::new(0, 0));
        let found = self.explore(&mut region, choice, (demand, way));
        self.keep_supported(&mut region, choice, demand, &found);
        let mut rest = RestOfSolution {
            demand,
            cost: self.total.cost,
            used: self.total.used.clone(),
            gone: Marks::default(),
        };
        for node in found.nodes.into_iter().filter(|&node| !region.nodes[node].stays) {
            rest.cost -= self.graph.nodes[node].cost;
            for (sum, weight) in rest.used.iter_mut().zip(&self.graph.nodes[node].weights) {
                *sum -= weight;
            }
            self.deselect(node);
            rest.gone.nodes.push(node);
        }
        for raised in found.demands.into_iter().filter(|&raised| !region.demands[raised].stays) {
            self.lower(raised);
            rest.gone.demands.push(raised);
        }
        self.region = region;
        Some(rest)
    }

    /// All that a way leads to, without what follows from its own demand.
    fn explore(
        &mut self,
        region: &mut Region,
        choice: &Choice,
        (demand, way): (DemandId, NodeId),
    ) -> Marks {
        region.epoch += 1;
        let mut found = Marks::default();
        region.enter_node(way, &mut found);
        let (mut next_node, mut next_demand) = (0, 0);
        loop {
            self.steps += 1;
            if let Some(&node) = found.nodes.get(next_node) {
                next_node += 1;
                let node = &self.graph.nodes[node];
                for &needed in &node.needs {
                    region.enter_node(needed, &mut found);
                }
                for &raised in node.raises.iter().filter(|&&raised| raised != demand) {
                    region.enter_demand(raised, &mut found);
                }
            } else if let Some(&raised) = found.demands.get(next_demand) {
                next_demand += 1;
                if let Some(way) = choice[raised] {
                    region.enter_node(way, &mut found);
                }
            } else {
                return found;
            }
        }
    }

    /// Marks as staying what is selected or raised from outside of the region, and what follows.
    fn keep_supported(
        &mut self,
        region: &mut Region,
        choice: &Choice,
        demand: DemandId,
        found: &Marks,
    ) {
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut demands: Vec<DemandId> = Vec::new();
        for &node in &found.nodes {
            if self.node_support(node) > region.nodes[node].inside
                && region.nodes[node].keep(region.epoch)
            {
                nodes.push(node);
            }
        }
        for &raised in &found.demands {
            if self.demand_support(raised) > region.demands[raised].inside
                && region.demands[raised].keep(region.epoch)
            {
                demands.push(raised);
            }
        }
        loop {
            self.steps += 1;
            if let Some(node) = nodes.pop() {
                let node = &self.graph.nodes[node];
                let needs = node.needs.iter().copied();
                nodes.extend(needs.filter(|&needed| region.nodes[needed].keep(region.epoch)));
                let raises = node.raises.iter().copied().filter(|&raised| raised != demand);
                demands.extend(raises.filter(|&raised| region.demands[raised].keep(region.epoch)));
            } else if let Some(raised) = demands.pop() {
                let way = choice[raised];
                nodes.extend(way.filter(|&way| region.nodes[way].keep(region.epoch)));
            } else {
                return;
            }
        }
    }

    /// Puts back what was detached.
    pub(crate) fn attach(&mut self, rest: RestOfSolution) {
        for node in rest.gone.nodes {
            self.reselect(node);
        }
        for demand in rest.gone.demands {
            self.raise(demand);
        }
    }

    /// Whether the choice with another way for the detached demand has a value below the limit.
    pub(crate) fn is_below(
        &mut self,
        rest: &RestOfSolution,
        choice: &Choice,
        way: NodeId,
        limit: f64,
    ) -> bool {
        let mut added = Marks::default();
        let value = self.value_with(rest, choice, way, limit, &mut added);
        for node in added.nodes {
            self.deselect(node);
        }
        for demand in added.demands {
            self.lower(demand);
        }
        value.is_some_and(|value| value < limit)
    }

    /// The value of the choice with another way; `None` if it cannot be completed or reaches the
    /// limit.
    fn value_with(
        &mut self,
        rest: &RestOfSolution,
        choice: &Choice,
        way: NodeId,
        limit: f64,
        added: &mut Marks,
    ) -> Option<f64> {
        let (mut cost, mut used) = (rest.cost, rest.used.clone());
        let (mut nodes, mut raised, mut open) = (Vec::new(), Vec::new(), Vec::new());
        if self.can_take(way) {
            nodes.push(way);
        } else {
            open.push(rest.demand);
        }
        loop {
            self.steps += 1;
            if let Some(node) = nodes.pop() {
                if self.select(node, &mut cost, &mut used) {
                    added.nodes.push(node);
                    if cost >= limit {
                        return None;
                    }
                    nodes.extend_from_slice(&self.graph.nodes[node].needs);
                    raised.extend_from_slice(&self.graph.nodes[node].raises);
                }
            } else if let Some(demand) = raised.pop() {
                if self.raise(demand) {
                    added.demands.push(demand);
                    match choice[demand] {
                        Some(chosen) if self.can_take(chosen) => nodes.push(chosen),
                        _ => open.push(demand),
                    }
                }
            } else if let Some(demand) = open.pop() {
                nodes.push(self.find_cheapest_way(demand)?);
            } else {
                break;
            }
        }
        Some(self.score(cost, &used).value)
    }
}
