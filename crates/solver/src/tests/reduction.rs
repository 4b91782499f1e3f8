//! Reductions keep the cheapest solution.

use super::super::graph::Graph;
use super::super::id::NodeId;
use super::super::presolve::reduce;
use super::super::{Bound, Demand, DemandId, Id, IdVec, Item, ItemId, Program, Way};
use super::random::{ProgramSize, any_program, cheapest_cost};

/// A graph as a program: each node becomes an item.
fn program_of(graph: &Graph) -> Program {
    let item = |node: &NodeId| ItemId::new(node.index());
    let items = graph
        .nodes
        .iter()
        .map(|node| Item {
            cost: node.cost,
            weights: node.weights.clone(),
            needs: node.needs.iter().map(item).collect(),
            raises: node.raises.clone(),
        })
        .collect();
    let mut demands: IdVec<DemandId, Demand> = graph
        .demands
        .iter()
        .map(|ways| Demand {
            always: false,
            ways: ways.iter().map(|way| Way { items: vec![item(way)], ..Way::default() }).collect(),
        })
        .collect();
    for &demand in &graph.always {
        demands[demand].always = true;
    }
    Program { items, demands }
}

#[test]
fn a_smaller_program_costs_the_same() {
    let size = ProgramSize { items: 7, demands: 6, ways: 4 };
    let (mut before, mut after) = (0, 0);
    for seed in 1..1500 {
        let program = any_program(seed, size);
        let bounds =
            if seed % 2 == 0 { vec![] } else { vec![Bound { limit: 6.0 }, Bound { limit: 4.0 }] };
        let best = cheapest_cost(&program, &bounds);
        let Ok(reduced) = reduce(Graph::from_program(&program, &bounds)) else {
            assert!(best.is_none(), "seed {seed}");
            continue;
        };
        before += program.demands.len();
        after += reduced.graph.demands.len();
        let left: Vec<Bound> =
            reduced.graph.limits.iter().map(|&most| Bound { limit: most }).collect();
        let cheapest =
            cheapest_cost(&program_of(&reduced.graph), &left).map(|cost| cost + reduced.base);
        let same = match (best, cheapest) {
            (Some(best), Some(cheapest)) => (best - cheapest).abs() < 1e-9,
            (None, None) => true,
            _ => false,
        };
        assert!(same, "seed {seed}: {cheapest:?} where {best:?}");
    }
    assert!(after < before);
}
