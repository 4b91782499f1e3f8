//! Programs that are hard: facilities and clients at random places, and bounds that bind.

use super::super::local_search::Random;
use super::super::{Bound, Demand, Id, Item, ItemId, Program, Way, solve};
use super::designs::{DesignShape, design_program};
use super::random::to_f64;

/// Uncapacitated facility location with random costs: known to leave a gap to the relaxation.
fn facilities(seed: u64, clients: usize, places: usize, opening: f64) -> Program {
    let mut random = Random::new(seed);
    let mut program = Program::default();
    for _ in 0..places {
        program.items.push(Item { cost: opening, weights: vec![1.0], ..Item::default() });
    }
    for _ in 0..clients {
        let ways = (0..places / 3)
            .map(|_| Way {
                cost: to_f64(random.next_below(1000)) / 100.0,
                items: vec![ItemId::new(random.next_below(places))],
                raises: vec![],
            })
            .collect();
        program.demands.push(Demand { always: true, ways });
    }
    program
}

#[test]
#[ignore = "a measurement, for the release build"]
#[expect(clippy::print_stdout, reason = "it prints what it measured")]
fn measure_hard_programs() {
    for (clients, places, opening) in
        [(30, 20, 10.0), (60, 30, 10.0), (100, 50, 10.0), (100, 100, 30.0)]
    {
        let program = facilities(7, clients, places, opening);
        let begun = std::time::Instant::now();
        let solution = solve(&program, &[], 20_000).expect("there is a solution");
        let gap = (solution.cost - solution.bound) / solution.cost * 100.0;
        println!(
            "reads {clients} places {places}: {:.2?} cost {:.3} gap {gap:.3} %",
            begun.elapsed(),
            solution.cost
        );
    }
    for reads in [28, 60, 120] {
        let shape = DesignShape { reads, frames: reads * 8, columns: reads * 40 };
        for share in [0.9, 0.8, 0.6] {
            let program = design_program(3, shape, 30.0);
            let free = solve(&program, &[], 20_000).expect("there is a solution");
            let tables: f64 = program
                .items
                .iter()
                .zip(&free.items)
                .filter(|(_, had)| **had)
                .map(|(item, _)| item.weights.first().copied().unwrap_or(0.0))
                .sum();
            let bounds = [Bound { limit: (tables * share).floor() }];
            let begun = std::time::Instant::now();
            match solve(&program, &bounds, if share < 0.7 { 100_000 } else { 20_000 }) {
                Ok(solution) => {
                    let gap = (solution.cost - solution.bound) / solution.cost * 100.0;
                    println!(
                        "reads {reads} tables {tables} at most {}: {:.2?} cost {:.3} of {:.3} gap {gap:.3} %",
                        bounds[0].limit,
                        begun.elapsed(),
                        solution.cost,
                        free.cost
                    );
                }
                Err(why) => println!(
                    "reads {reads} tables {tables} at most {}: {:.2?} {why:?}",
                    bounds[0].limit,
                    begun.elapsed()
                ),
            }
        }
    }
}
