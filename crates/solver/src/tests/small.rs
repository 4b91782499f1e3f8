//! Small programs, compared with exhaustive enumeration.

use super::super::{
    Bound, Id, IdVec, Infeasible, Program, Solution, WayId, cost_with, solve, solve_without,
};
use super::random::{ProgramSize, any_program, cheapest_cost, cost_of, weight_of};

const SMALL: ProgramSize = ProgramSize { items: 7, demands: 6, ways: 4 };

/// Enough for each of these programs.
const WORK: u64 = 2000;

/// Checks a solution: every raised demand has a way, every item needed is selected, the cost is the
/// sum.
fn assert_solution(program: &Program, bounds: &[Bound], solution: &Solution) {
    let first = WayId::new(0);
    let choice = solution.ways.iter().map(|way| way.unwrap_or(first)).collect();
    let cost = cost_of(program, bounds, &choice).expect("a solution keeps to everything");
    assert!((cost - solution.cost).abs() < 1e-9, "{cost} is said to be {}", solution.cost);
    for (bound, most) in bounds.iter().enumerate() {
        assert!(weight_of(program, &solution.items, bound) <= most.limit + 1e-9);
    }
    assert!(solution.bound <= solution.cost + 1e-9);
}

fn assert_best(seed: u64, solution: &Solution, best: f64) {
    assert!(solution.bound <= best + 1e-9, "seed {seed}: bound {} above {best}", solution.bound);
    assert!(solution.cost <= best + 1e-9, "seed {seed}: {} above {best}", solution.cost);
    assert!(
        solution.bound >= best - 1e-8,
        "seed {seed}: {} is not proven: {}",
        solution.cost,
        solution.bound
    );
}

#[test]
fn small_programs_are_solved_to_the_best() {
    let (mut solved, mut refused) = (0, 0);
    for seed in 1..700 {
        let program = any_program(seed, SMALL);
        match (solve(&program, &[], WORK), cheapest_cost(&program, &[])) {
            (Ok(solution), Some(best)) => {
                assert_solution(&program, &[], &solution);
                assert_best(seed, &solution, best);
                solved += 1;
            }
            (Err(Infeasible::Demand(demand)), None) => {
                assert!(program.demands[demand].always);
                refused += 1;
            }
            (found, best) => panic!("seed {seed}: {found:?} where {best:?}"),
        }
    }
    assert!(solved > 150 && refused > 50, "{solved} solved, {refused} refused");
}

#[test]
fn bounds_are_kept_to() {
    let (mut solved, mut refused) = (0, 0);
    for seed in 1..700 {
        let program = any_program(seed, SMALL);
        let bounds = [
            Bound { limit: 3.0 + f64::from(u8::try_from(seed % 4).unwrap_or(0)) },
            Bound { limit: 3.0 },
        ];
        match (solve(&program, &bounds, WORK), cheapest_cost(&program, &bounds)) {
            (Ok(solution), Some(best)) => {
                assert_solution(&program, &bounds, &solution);
                assert_best(seed, &solution, best);
                solved += 1;
            }
            (Err(Infeasible::Demand(_)), None) => {}
            (Err(Infeasible::Bound { bound, least, certain }), None) => {
                assert!(certain, "seed {seed}");
                assert!(least > bounds[bound].limit, "seed {seed}: {least} would do for {bound}");
                refused += 1;
            }
            (found, best) => panic!("seed {seed}: {found:?} where {best:?}"),
        }
    }
    assert!(solved > 100 && refused > 25, "{solved} solved, {refused} refused");
}

#[test]
fn without_an_item_the_best_of_the_rest_is_found() {
    for seed in 1..200 {
        let program = any_program(seed, SMALL);
        let Ok(solution) = solve(&program, &[], WORK) else { continue };
        let Some(banned) = solution.items.find_id(|had| *had) else { continue };
        let mut rest = program.clone();
        rest.items[banned].cost = 1e6;
        let best = cheapest_cost(&rest, &[]).filter(|cost| *cost < 1e6);
        let found =
            solve_without(&program, &[], &[banned], &solution, WORK).map(|found| found.cost);
        match (found, best) {
            (Some(found), Some(best)) => {
                assert!((found - best).abs() < 1e-9, "seed {seed}: {found} and not {best}");
            }
            (None, None) => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
}

#[test]
fn another_way_costs_no_less_than_the_best_with_it() {
    let (mut asked, mut exact) = (0, 0);
    for seed in 1..150 {
        let program = any_program(seed, SMALL);
        let Ok(solution) = solve(&program, &[], WORK) else { continue };
        for (demand, wanted) in program.demands.enumerate_ids().filter(|(_, demand)| demand.always)
        {
            for (way, only) in wanted.ways.enumerate_ids() {
                let mut forced = program.clone();
                forced.demands[demand].ways = IdVec::from_iter([only.clone()]);
                let best = cheapest_cost(&forced, &[]);
                let found = cost_with(&program, &[], (demand, way), &solution, 50);
                assert_eq!(found.is_some(), best.is_some(), "seed {seed}");
                let (Some(found), Some(best)) = (found, best) else { continue };
                assert!(found >= best - 1e-9, "seed {seed}: {found} below {best}");
                asked += 1;
                exact += u32::from(found <= best + 1e-9);
            }
        }
    }
    assert!(exact * 100 >= asked * 95, "{exact} of {asked}");
}
