//! Nodes whose fate is settled without comparing costs: impossible, free, forced and unreachable
//! ones.

use super::super::graph::with_slack;
use super::super::id::NodeId;
use super::super::{DemandId, IdVec};
use super::{Infeasibility, Reduction};

impl Reduction {
    /// Drops nodes that lead to a demand without ways, or exceed a bound by themselves, and by
    /// propagation all that need them.
    pub(super) fn drop_impossible(&mut self) -> Result<(), Infeasibility> {
        let (users, raisers) = (self.users(), self.raisers());
        let mut demand_of = IdVec::<NodeId, _>::from_elem(None, self.node_open.len());
        let mut left = IdVec::<DemandId, usize>::from_elem(0, self.demand_open.len());
        for (demand, ways) in self.graph.demands.enumerate_ids() {
            left[demand] = ways.len();
            for &way in ways {
                demand_of[way] = Some(demand);
            }
        }
        let mut gone: Vec<NodeId> = left
            .ids()
            .filter(|&demand| left[demand] == 0)
            .flat_map(|demand| raisers[demand].clone())
            .collect();
        for node in self.node_open.ids() {
            let heavy = self
                .graph
                .limits
                .iter()
                .enumerate()
                .any(|(bound, &most)| self.graph.weight(node, bound) > with_slack(most));
            if heavy {
                gone.push(node);
            }
        }
        while let Some(node) = gone.pop() {
            if !std::mem::replace(&mut self.node_open[node], false) {
                continue;
            }
            gone.extend_from_slice(&users[node]);
            if let Some(demand) = demand_of[node] {
                left[demand] -= 1;
                if left[demand] == 0 {
                    gone.extend_from_slice(&raisers[demand]);
                }
            }
        }
        for (demand, &left) in left.enumerate_ids() {
            if left == 0 {
                if self.always[demand] {
                    return Err(Infeasibility::Demand(demand));
                }
                self.demand_open[demand] = false;
            }
        }
        self.sweep();
        Ok(())
    }

    /// Takes nodes that cost and weigh nothing and lead to nothing that does.
    ///
    /// The nodes that are not free are marked from the paid ones backwards, and the rest is free.
    /// This is the greatest fixed point: nodes that need or raise only one another in a cycle are
    /// free, too.
    pub(super) fn take_free(&mut self) {
        let (users, raisers) = (self.users(), self.raisers());
        let mut demand_of = IdVec::<NodeId, _>::from_elem(None, self.node_open.len());
        let mut free_ways = IdVec::<DemandId, usize>::from_elem(0, self.demand_open.len());
        for demand in self.open_demands() {
            free_ways[demand] = self.graph.demands[demand].len();
            for &way in &self.graph.demands[demand] {
                demand_of[way] = Some(demand);
            }
        }
        let mut free = self.node_open.clone();
        let mut paid: Vec<NodeId> = self
            .open_nodes()
            .into_iter()
            .filter(|&node| {
                self.graph.nodes[node].cost > 0.0 || !self.graph.nodes[node].weights.is_empty()
            })
            .collect();
        while let Some(node) = paid.pop() {
            if !std::mem::replace(&mut free[node], false) {
                continue;
            }
            paid.extend_from_slice(&users[node]);
            if let Some(demand) = demand_of[node] {
                free_ways[demand] -= 1;
                if free_ways[demand] == 0 {
                    paid.extend_from_slice(&raisers[demand]);
                }
            }
        }
        for demand in self.open_demands() {
            let found = self.graph.demands[demand].iter().copied().find(|&way| free[way]);
            if found.is_some() {
                self.decide(demand, found);
            }
        }
        for node in self.open_nodes() {
            if free[node] {
                self.node_open[node] = false;
            }
        }
        self.sweep();
    }

    /// Marks a demand as decided; ways that are not taken cannot be selected any more.
    pub(super) fn decide(&mut self, demand: DemandId, taken: Option<NodeId>) {
        self.demand_open[demand] = false;
        self.taken[demand] = taken;
        for &way in &self.graph.demands[demand] {
            self.is_way[way] = false;
            if Some(way) != taken {
                self.node_open[way] = false;
            }
        }
    }

    /// Selects what every solution selects: the only way of a demand that is always raised, and all
    /// that it needs. What such nodes raise is always raised, too.
    pub(super) fn force(&mut self) -> Result<bool, Infeasibility> {
        let mut demands: Vec<DemandId> =
            self.open_demands().into_iter().filter(|&demand| self.always[demand]).collect();
        let mut nodes = Vec::new();
        let mut changed = false;
        loop {
            if let Some(node) = nodes.pop() {
                if std::mem::replace(&mut self.node_open[node], false) {
                    changed = true;
                    self.take_node(node);
                    nodes.extend_from_slice(&self.graph.nodes[node].needs);
                    demands.extend_from_slice(&self.graph.nodes[node].raises);
                }
            } else if let Some(demand) = demands.pop() {
                if self.demand_open[demand] {
                    self.always[demand] = true;
                    if let &[only] = self.graph.demands[demand].as_slice() {
                        self.decide(demand, Some(only));
                        nodes.push(only);
                    }
                }
            } else {
                break;
            }
        }
        self.sweep();
        match self.graph.limits.iter().position(|&most| 0.0 > with_slack(most)) {
            Some(bound) => Err(Infeasibility::Bound(bound, self.graph.limits[bound])),
            None => Ok(changed),
        }
    }

    /// Pays for a node that every solution selects.
    fn take_node(&mut self, node: NodeId) {
        self.base += self.graph.nodes[node].cost;
        for bound in 0..self.graph.limits.len() {
            self.graph.limits[bound] -= self.graph.weight(node, bound);
        }
    }

    /// Drops nodes and demands that no demand that is always raised leads to.
    pub(super) fn drop_unreached(&mut self) {
        let mut node_seen = IdVec::<NodeId, bool>::from_elem(false, self.node_open.len());
        let mut demand_seen = IdVec::<DemandId, bool>::from_elem(false, self.demand_open.len());
        let mut demands: Vec<DemandId> =
            self.open_demands().into_iter().filter(|&demand| self.always[demand]).collect();
        let mut nodes: Vec<NodeId> = Vec::new();
        loop {
            if let Some(node) = nodes.pop() {
                if !std::mem::replace(&mut node_seen[node], true) {
                    nodes.extend_from_slice(&self.graph.nodes[node].needs);
                    demands.extend_from_slice(&self.graph.nodes[node].raises);
                }
            } else if let Some(demand) = demands.pop() {
                if !std::mem::replace(&mut demand_seen[demand], true) {
                    nodes.extend_from_slice(&self.graph.demands[demand]);
                }
            } else {
                break;
            }
        }
        for (open, seen) in self.node_open.iter_mut().zip(&node_seen) {
            *open &= seen;
        }
        for (demand_open, seen) in self.demand_open.iter_mut().zip(&demand_seen) {
            *demand_open &= seen;
        }
        self.sweep();
    }
}
