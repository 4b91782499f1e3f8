//! Programs of the size of real designs: the remaining gap, and the work spent.

use super::super::graph::Graph;
use super::super::presolve::reduce;
use super::super::{Alternatives, Bound, DemandId, WayId, solve};
use super::designs::{DesignShape, design_program};

#[test]
fn a_design_is_proven_the_best_and_always_the_same() {
    let program = design_program(5, DesignShape { reads: 12, frames: 80, columns: 400 }, 3.0);
    let first = solve(&program, &[], 20_000).expect("a design has solutions");
    assert!(first.bound >= first.cost * (1.0 - 1e-9), "{} and not {}", first.bound, first.cost);
    let tables: f64 = program
        .items
        .iter()
        .zip(&first.items)
        .filter(|(_, had)| **had)
        .map(|(item, _)| item.weights.first().copied().unwrap_or(0.0))
        .sum();
    let bounds = [Bound { limit: tables - 1.0 }];
    let fewer = solve(&program, &bounds, 5_000);
    for _ in 0..2 {
        let again = solve(&program, &[], 20_000).expect("a design has solutions");
        assert_eq!((&again.ways, &again.items), (&first.ways, &first.items));
        assert_eq!(
            (again.cost.to_bits(), again.bound.to_bits()),
            (first.cost.to_bits(), first.bound.to_bits())
        );
        let again = solve(&program, &bounds, 5_000);
        assert_eq!(format!("{again:?}"), format!("{fewer:?}"));
    }
}

#[test]
fn other_ways_cost_more() {
    let program = design_program(6, DesignShape { reads: 12, frames: 80, columns: 400 }, 3.0);
    let best = solve(&program, &[], 20_000).expect("a design has solutions");
    let ways = |demand: DemandId| program.demands[demand].ways.ids().map(move |way| (demand, way));
    let asked: Vec<(DemandId, WayId)> = program
        .demands
        .ids()
        .filter(|&demand| best.ways[demand].is_some())
        .flat_map(ways)
        .collect();
    let costs = Alternatives::new(&program, &[], &best).costs(&asked, 2);
    for ((demand, way), cost) in asked.into_iter().zip(costs) {
        let cost = cost.expect("every way can be taken");
        assert!(cost >= best.cost - 1e-6, "{demand:?} by {way:?}: {cost} below {}", best.cost);
        if best.ways[demand] == Some(way) {
            assert!(
                cost <= best.cost + 1e-6,
                "{demand:?} by {way:?}: {cost} and not {}",
                best.cost
            );
        }
    }
}

#[test]
#[ignore = "a measurement, for the release build"]
#[expect(clippy::print_stdout, reason = "it prints what it measured")]
fn measure_large_programs() {
    let shapes = [
        DesignShape { reads: 28, frames: 200, columns: 1000 },
        DesignShape { reads: 60, frames: 500, columns: 2500 },
        DesignShape { reads: 120, frames: 1000, columns: 5000 },
        DesignShape { reads: 240, frames: 2000, columns: 10000 },
    ];
    for shape in shapes {
        for seed in 1..5 {
            let writes = [0.3, 3.0, 30.0, 300.0][usize::try_from(seed - 1).unwrap_or(0)];
            let program = design_program(seed, shape, writes);
            let begun = std::time::Instant::now();
            let reduced =
                reduce(Graph::from_program(&program, &[])).expect("a design has solutions");
            let smaller = begun.elapsed();
            let begun = std::time::Instant::now();
            let solution = solve(&program, &[], 20_000).expect("a design has solutions");
            println!(
                "reads {:4} items {:5} demands {:5} -> nodes {:5} demands {:4} in {smaller:.2?}; solved in {:.2?}, cost {:.3}, gap {:.4} %",
                shape.reads,
                program.items.len(),
                program.demands.len(),
                reduced.graph.nodes.len(),
                reduced.graph.demands.len(),
                begun.elapsed(),
                solution.cost,
                (solution.cost - solution.bound) / solution.cost * 100.0,
            );
        }
    }
}
