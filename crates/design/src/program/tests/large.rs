//! Programs of the size of real designs: how close to the best, and how much work.

use super::super::graph::Graph;
use super::super::presolve::reduce;
use super::super::solve;
use super::designs::{Shape, design_program};

#[test]
#[ignore = "a measurement, for the release build"]
#[expect(clippy::print_stdout, reason = "it prints what it measured")]
fn measured() {
    let shapes = [
        Shape { reads: 28, frames: 200, columns: 1000 },
        Shape { reads: 60, frames: 500, columns: 2500 },
        Shape { reads: 120, frames: 1000, columns: 5000 },
        Shape { reads: 240, frames: 2000, columns: 10000 },
    ];
    for shape in shapes {
        for seed in 1..5 {
            let writes = [0.3, 3.0, 30.0, 300.0][usize::try_from(seed - 1).unwrap_or(0)];
            let program = design_program(seed, shape, writes);
            let begun = std::time::Instant::now();
            let reduced = reduce(Graph::of(&program, &[])).expect("a design has solutions");
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
