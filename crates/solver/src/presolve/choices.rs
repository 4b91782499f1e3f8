//! Reductions of demands: those with one way, what all ways share, and what their raisers have
//! already.

use super::super::DemandId;
use super::super::graph::{Node, intersect, normalise_needs};
use super::super::id::NodeId;
use super::Reduction;

impl Reduction {
    /// Turns a demand with one way into a need of whatever raises it.
    pub(super) fn decide_single(&mut self) -> bool {
        let raisers = self.raisers();
        let mut changed = false;
        for demand in self.open_demands() {
            if self.always[demand] {
                continue;
            }
            if let &[only] = self.graph.demands[demand].as_slice() {
                self.decide(demand, Some(only));
                for &raiser in &raisers[demand] {
                    self.graph.nodes[raiser].needs.push(only);
                    normalise_needs(&mut self.graph.nodes[raiser].needs, raiser);
                }
                changed = true;
            }
        }
        self.sweep();
        changed
    }

    /// Moves what all ways of a demand need or raise to whatever raises the demand: it is selected
    /// whichever way is taken. The ways get smaller, which makes more of them comparable and
    /// mergeable.
    pub(super) fn hoist(&mut self) -> bool {
        let closures = self.graph.closures();
        let raisers = self.raisers();
        let mut changed = false;
        for demand in self.open_demands() {
            let ways = self.graph.demands[demand].clone();
            let mut needs = intersection(ways.iter().map(|&way| &closures[way]));
            let always = self.always[demand];
            let known = |node: &NodeId| {
                raisers[demand].iter().all(|&raiser| closures[raiser].binary_search(node).is_ok())
            };
            needs.retain(|node| !ways.contains(node) && (always || !known(node)));
            let raises = intersection(ways.iter().map(|&way| &self.graph.nodes[way].raises));
            if needs.is_empty() && raises.is_empty() {
                continue;
            }
            changed = true;
            for &way in &ways {
                let node = &mut self.graph.nodes[way];
                node.needs.retain(|needed| needs.binary_search(needed).is_err());
                node.raises.retain(|raised| raises.binary_search(raised).is_err());
            }
            if self.always[demand] {
                self.split_off(&needs, &raises);
            }
            for &raiser in &raisers[demand] {
                let node = &mut self.graph.nodes[raiser];
                node.needs.extend_from_slice(&needs);
                normalise_needs(&mut node.needs, raiser);
                node.raises.extend_from_slice(&raises);
                node.raises.sort_unstable();
                node.raises.dedup();
            }
        }
        changed
    }

    /// What a demand that is always raised selects in any case becomes a separate demand with one
    /// way, which `force` then takes: such a demand has no raiser that could need it.
    fn split_off(&mut self, needs: &[NodeId], raises: &[DemandId]) {
        for &demand in raises {
            self.always[demand] = true;
        }
        for &node in needs {
            let way = self.add_proxy_way(node);
            self.graph.demands.push(vec![way]);
            self.demand_open.push(true);
            self.always.push(true);
            self.taken.push(None);
        }
    }

    /// A free way that needs one node and nothing else.
    fn add_proxy_way(&mut self, node: NodeId) -> NodeId {
        self.node_open.push(true);
        self.is_way.push(true);
        self.graph.nodes.push(Node { needs: vec![node], ..Node::default() })
    }

    /// Removes from ways what all raisers of their demand select already.
    pub(super) fn drop_raiser_needs(&mut self) -> bool {
        let closures = self.graph.closures();
        let raisers = self.raisers();
        let mut changed = false;
        for demand in self.open_demands() {
            if self.always[demand] {
                continue;
            }
            let mut had: Option<Vec<NodeId>> = None;
            for &raiser in &raisers[demand] {
                had = Some(match had {
                    None => closures[raiser].clone(),
                    Some(before) => intersect(&before, &closures[raiser]),
                });
            }
            let had = had.unwrap_or_default();
            if had.is_empty() {
                continue;
            }
            for way in self.graph.demands[demand].clone() {
                let node = &mut self.graph.nodes[way];
                let before = node.needs.len();
                node.needs.retain(|needed| had.binary_search(needed).is_err());
                changed |= node.needs.len() != before;
            }
        }
        changed
    }
}

/// What is in all of some sorted lists; nothing if there is none.
fn intersection<'l, I: Copy + Ord + 'l>(mut lists: impl Iterator<Item = &'l Vec<I>>) -> Vec<I> {
    let first = lists.next().cloned().unwrap_or_default();
    lists.fold(first, |left, right| intersect(&left, right))
}
