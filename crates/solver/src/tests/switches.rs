//! Prices of switches, compared with completing the whole choice.

use super::super::graph::{Choice, Graph};
use super::super::local_search::LocalSearch;
use super::super::{Bound, DemandId};
use super::random::{ProgramSize, any_program};

const SIZE: ProgramSize = ProgramSize { items: 30, demands: 20, ways: 5 };

#[test]
fn a_switch_costs_what_the_whole_choice_costs() {
    let (mut better, mut worse) = (0, 0);
    for seed in 1..400 {
        let program = any_program(seed, SIZE);
        let bounds = [Bound { limit: 12.0 }, Bound { limit: 9.0 }];
        let bounds = if seed % 2 == 0 { &bounds[..] } else { &[] };
        let graph = Graph::from_program(&program, bounds);
        // One keeps its marks while the other completes.
        let (mut first, mut second) = (LocalSearch::new(&graph), LocalSearch::new(&graph));
        let (pricer, completer) = (first.completer(), second.completer());
        (pricer.penalty, completer.penalty) = (3.0, 3.0);
        let mut choice = Choice::from_elem(None, graph.demands.len());
        let Some(score) = pricer.complete(&mut choice, f64::INFINITY) else { continue };
        let demands: Vec<DemandId> =
            choice.ids().filter(|&demand| choice[demand].is_some()).collect();
        for demand in demands {
            let rest = pricer.detach(&choice, demand).expect("it has a way");
            for &way in &graph.demands[demand] {
                let mut other = choice.clone();
                other[demand] = Some(way);
                let whole = completer.complete(&mut other, f64::INFINITY);
                for factor in [0.9, 0.999, 1.001, 1.1] {
                    let limit = score.value * factor;
                    let expected = whole.as_ref().is_some_and(|whole| whole.value < limit);
                    let is_below = pricer.is_below(&rest, &choice, way, limit);
                    assert_eq!(is_below, expected, "seed {seed}: {demand:?} by {way:?}");
                    if expected { better += 1 } else { worse += 1 }
                }
            }
            pricer.attach(rest);
        }
    }
    assert!(better > 500 && worse > 500, "{better} better, {worse} worse");
}
