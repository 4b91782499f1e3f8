//! Dominated ways: another way of the same demand is never worse.

use super::super::DemandId;
use super::super::graph::is_sorted_subset;
use super::super::id::NodeId;
use super::Reduction;

/// What a way selects and raises by itself.
struct Reach {
    cost: f64,
    weights: Vec<f64>,
    /// The nodes it needs, directly or not; ways of demands that it raises are not followed.
    items: Vec<NodeId>,
    raises: Vec<DemandId>,
}

impl Reduction {
    /// Drops a way when another costs and weighs no more and selects and raises nothing in
    /// addition. Of equal ways the first stays.
    ///
    /// Comparing node sets instead of costs is what makes this valid: items are shared, so a way
    /// with cheaper items can still be the more expensive one once others have paid for the items
    /// of this one.
    pub(super) fn drop_dominated(&mut self) -> bool {
        let closures = self.graph.closures();
        let mut changed = false;
        for demand in self.open_demands() {
            let ways = self.graph.demands[demand].clone();
            let reaches: Vec<Reach> =
                ways.iter().map(|&way| self.reach(way, &closures[way])).collect();
            let mut gone = vec![false; ways.len()];
            for (position, reach) in reaches.iter().enumerate() {
                gone[position] = reaches.iter().enumerate().any(|(other, better)| {
                    other != position
                        && !gone[other]
                        && is_no_worse(better, reach)
                        && (other < position || !is_no_worse(reach, better))
                });
            }
            for (position, &way) in ways.iter().enumerate() {
                if gone[position] {
                    self.node_open[way] = false;
                    changed = true;
                }
            }
        }
        self.sweep();
        changed
    }

    fn reach(&self, way: NodeId, closure: &[NodeId]) -> Reach {
        let mut raises: Vec<DemandId> = closure
            .iter()
            .flat_map(|&node| self.graph.nodes[node].raises.iter().copied())
            .collect();
        raises.sort_unstable();
        raises.dedup();
        Reach {
            cost: self.graph.nodes[way].cost,
            weights: (0..self.graph.limits.len())
                .map(|bound| self.graph.weight(way, bound))
                .collect(),
            items: closure.iter().copied().filter(|&node| node != way).collect(),
            raises,
        }
    }
}

fn is_no_worse(better: &Reach, worse: &Reach) -> bool {
    better.cost <= worse.cost
        && better.weights.iter().zip(&worse.weights).all(|(less, more)| less <= more)
        && is_sorted_subset(&better.items, &worse.items)
        && is_sorted_subset(&better.raises, &worse.raises)
}
