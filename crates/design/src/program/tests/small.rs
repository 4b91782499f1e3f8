//! Small programs against the trying of everything.

use super::super::{Bound, Infeasible, Program, Solution, solve};
use super::random::{Size, any_program, cheapest, cost_of, weight_of};

const SMALL: Size = Size { items: 7, demands: 6, ways: 4 };

/// A solution is what it says: every raised demand has a way, every item needed is had, the cost is the sum.
fn check(program: &Program, bounds: &[Bound], solution: &Solution) {
    let choice: Vec<usize> = solution.ways.iter().map(|way| way.unwrap_or(0)).collect();
    let cost = cost_of(program, bounds, &choice).expect("a solution keeps to everything");
    assert!((cost - solution.cost).abs() < 1e-9, "{cost} is said to be {}", solution.cost);
    for (bound, most) in bounds.iter().enumerate() {
        assert!(weight_of(program, &solution.items, bound) <= most.most + 1e-9);
    }
    assert!(solution.bound <= solution.cost + 1e-9);
}

#[test]
fn small_programs_are_solved_to_the_best() {
    let (mut solved, mut refused, mut exact) = (0, 0, 0);
    for seed in 1..1500 {
        let program = any_program(seed, SMALL);
        let best = cheapest(&program, &[]);
        match (solve(&program, &[], 2000), best) {
            (Ok(solution), Some(best)) => {
                check(&program, &[], &solution);
                assert!(
                    solution.bound <= best + 1e-9,
                    "seed {seed}: bound {} above {best}",
                    solution.bound
                );
                assert!(
                    solution.cost >= best - 1e-9,
                    "seed {seed}: {} below {best}",
                    solution.cost
                );
                exact += usize::from(solution.cost <= best + 1e-9);
                solved += 1;
            }
            (Err(Infeasible::Demand(demand)), None) => {
                assert!(program.demands[demand].always);
                refused += 1;
            }
            (found, best) => panic!("seed {seed}: {found:?} where {best:?}"),
        }
    }
    assert!(
        solved > 300 && refused > 100 && exact * 100 > solved * 98,
        "{solved} solved, {exact} of them best, {refused} refused"
    );
}
