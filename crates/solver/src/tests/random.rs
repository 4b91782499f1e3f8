//! Random programs, and their optimal solutions by exhaustive enumeration.

use super::super::local_search::Random;
use super::super::{Bound, Demand, DemandId, Id, IdVec, Item, ItemId, Program, Way, WayId};

/// How large a random program is.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramSize {
    pub(super) items: usize,
    pub(super) demands: usize,
    pub(super) ways: usize,
}

/// A small random program of any shape: cycles, demands without ways, free items.
pub(super) fn any_program(seed: u64, size: ProgramSize) -> Program {
    let mut random = Random::new(seed);
    let mut program = Program::default();
    let count = |random: &mut Random, most: usize| {
        if random.next_below(2) == 0 { 0 } else { random.next_below(most + 1) }
    };
    for _ in 0..size.items {
        let needs = count(&mut random, 2);
        let raises = if random.next_below(3) == 0 { count(&mut random, 2) } else { 0 };
        program.items.push(Item {
            cost: cost(&mut random),
            weights: vec![to_f64(random.next_below(4)), to_f64(random.next_below(3))],
            needs: random_ids(&mut random, needs, size.items),
            raises: random_ids(&mut random, raises, size.demands),
        });
    }
    for position in 0..size.demands {
        let ways = if random.next_below(12) == 0 { 0 } else { 1 + random.next_below(size.ways) };
        let ways = (0..ways)
            .map(|_| {
                let raises = usize::from(random.next_below(3) == 0);
                let items = random.next_below(4);
                Way {
                    cost: cost(&mut random),
                    items: random_ids(&mut random, items, size.items),
                    raises: random_ids(&mut random, raises, size.demands),
                }
            })
            .collect();
        program.demands.push(Demand { always: position % 2 == 0, ways });
    }
    program
}

pub(super) fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(0))
}

fn cost(random: &mut Random) -> f64 {
    if random.next_below(4) == 0 { 0.0 } else { to_f64(random.next_below(100)) / 7.0 }
}

/// Some random ids among the first `end`.
fn random_ids<I: Id>(random: &mut Random, number: usize, end: usize) -> Vec<I> {
    (0..number).map(|_| I::new(random.next_below(end))).collect()
}

/// The cheapest cost, by trying every way of every demand, and the least sum of each weight. `None`
/// when there is no solution.
pub(super) fn cheapest_cost(program: &Program, bounds: &[Bound]) -> Option<f64> {
    let mut best = None;
    let mut choice = IdVec::from_elem(WayId::new(0), program.demands.len());
    loop {
        if let Some(cost) = cost_of(program, bounds, &choice)
            && best.is_none_or(|before| cost < before)
        {
            best = Some(cost);
        }
        // The next choice, as the next number is counted to.
        let next = choice.enumerate_ids_mut().find_map(|(demand, way)| {
            *way = WayId::new(way.index() + 1);
            let exists = *way < program.demands[demand].ways.next_id();
            if !exists {
                *way = WayId::new(0);
            }
            exists.then_some(())
        });
        if next.is_none() {
            return best;
        }
    }
}

/// The cost of the chosen ways with all that they lead to; `None` when a demand has no way or a
/// bound is exceeded.
pub(super) fn cost_of(
    program: &Program,
    bounds: &[Bound],
    choice: &IdVec<DemandId, WayId>,
) -> Option<f64> {
    let mut items = IdVec::<ItemId, bool>::from_elem(false, program.items.len());
    let mut raised = IdVec::<DemandId, bool>::from_elem(false, program.demands.len());
    let mut cost = 0.0;
    let mut demands: Vec<DemandId> =
        raised.ids().filter(|&demand| program.demands[demand].always).collect();
    let mut wanted: Vec<ItemId> = Vec::new();
    loop {
        if let Some(item) = wanted.pop() {
            if !std::mem::replace(&mut items[item], true) {
                cost += program.items[item].cost;
                wanted.extend_from_slice(&program.items[item].needs);
                demands.extend_from_slice(&program.items[item].raises);
            }
        } else if let Some(demand) = demands.pop() {
            if !std::mem::replace(&mut raised[demand], true) {
                let way = program.demands[demand].ways.member(choice[demand])?;
                cost += way.cost;
                wanted.extend_from_slice(&way.items);
                demands.extend_from_slice(&way.raises);
            }
        } else {
            break;
        }
    }
    let kept = bounds
        .iter()
        .enumerate()
        .all(|(bound, most)| weight_of(program, &items, bound) <= most.limit + 1e-9);
    kept.then_some(cost)
}

/// The weight of the selected items towards a bound.
pub(super) fn weight_of(program: &Program, items: &IdVec<ItemId, bool>, bound: usize) -> f64 {
    let had = program.items.iter().zip(items).filter(|(_, had)| **had);
    had.map(|(item, _)| item.weights.get(bound).copied().unwrap_or(0.0)).sum()
}
