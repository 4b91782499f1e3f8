//! Random programs shaped like those of designs: tables with columns, upkeep by writes, reads
//! before writes, lookups.

use super::super::local_search::Random;
use super::super::{Demand, DemandId, Item, ItemId, Program, Way};
use super::random::to_f64;

/// How large such a program is.
#[derive(Clone, Copy, Debug)]
pub(super) struct DesignShape {
    pub(super) reads: usize,
    pub(super) frames: usize,
    pub(super) columns: usize,
}

/// A candidate table while the program is built.
struct CandidateTable {
    item: ItemId,
    columns: Vec<ItemId>,
    group: usize,
}

/// A program of reads in groups that share candidate tables; `writes` scales the cost of upkeep.
pub(super) fn design_program(seed: u64, shape: DesignShape, writes: f64) -> Program {
    let mut random = Random::new(seed);
    let mut program = Program::default();
    let groups = (shape.reads / 3).max(1);
    let mut frames: Vec<CandidateTable> = Vec::new();
    for position in 0..shape.frames {
        let rows = magnitude(&mut random, 3);
        let item = program.items.push(Item {
            cost: rows * 0.01,
            weights: vec![1.0, rows],
            ..Item::default()
        });
        let mut columns = Vec::new();
        for _ in 0..shape.columns / shape.frames {
            let cost = if random.next_below(2) == 0 { 0.0 } else { rows * 0.001 };
            columns.push(program.items.push(Item {
                cost,
                weights: vec![0.0, rows * 0.2],
                needs: vec![item],
                ..Item::default()
            }));
        }
        frames.push(CandidateTable { item, columns, group: position % groups });
    }
    let mut lookups = Vec::new();
    for group in 0..groups {
        let demand = read_demand(&mut random, &frames, group, groups, &[], 6);
        lookups.push(program.demands.push(demand));
        add_writes(&mut random, &mut program, &frames, (group, groups), writes);
    }
    for position in 0..shape.reads {
        let ways = 5 + random.next_below(36);
        let group = position % groups;
        let near = [lookups[group], lookups[(group + 1) % groups]];
        let demand = read_demand(&mut random, &frames, group, groups, &near, ways);
        program.demands.push(Demand { always: true, ..demand });
    }
    program
}

fn magnitude(random: &mut Random, decades: i32) -> f64 {
    let step = i32::try_from(random.next_below(1000)).unwrap_or(0);
    10f64.powf(f64::from(decades) * f64::from(step) / 1000.0)
}

/// A candidate of the group, or now and then of the next.
fn candidate<'f>(
    random: &mut Random,
    frames: &'f [CandidateTable],
    group: usize,
    groups: usize,
) -> &'f CandidateTable {
    let group = if random.next_below(5) == 0 { (group + 1) % groups } else { group };
    let mut at = random.next_below(frames.len());
    while frames[at].group != group && group < frames.len() {
        at = (at + 1) % frames.len();
    }
    &frames[at]
}

/// A read with several ways, some of which raise lookups.
fn read_demand(
    random: &mut Random,
    frames: &[CandidateTable],
    group: usize,
    groups: usize,
    lookups: &[DemandId],
    ways: usize,
) -> Demand {
    let rate = magnitude(random, 3);
    let ways = (0..ways)
        .map(|_| {
            let frame = candidate(random, frames, group, groups);
            let lookup = !lookups.is_empty() && random.next_below(3) == 0;
            let mut items = vec![frame.item];
            let wanted = if lookup { 1 } else { 1 + random.next_below(frame.columns.len().max(1)) };
            for _ in 0..wanted {
                if let Some(&column) = frame.columns.get(random.next_below(frame.columns.len())) {
                    items.push(column);
                }
            }
            let raises =
                if lookup { vec![lookups[random.next_below(lookups.len())]] } else { vec![] };
            let effort =
                1.0 + to_f64(random.next_below(40)) / 10.0 + if lookup { 2.0 } else { 0.0 };
            Way { cost: rate * effort, items, raises }
        })
        .collect();
    Demand { always: false, ways }
}

/// Writes of a group: each maintains some of its tables, and reads rows before some of them.
fn add_writes(
    random: &mut Random,
    program: &mut Program,
    frames: &[CandidateTable],
    (group, groups): (usize, usize),
    writes: f64,
) {
    for _ in 0..3 {
        let rate = magnitude(random, 3) * writes;
        let mut requirements = Vec::new();
        for _ in 0..4 {
            let count = 2 + random.next_below(5);
            let mut demand = read_demand(random, frames, group, groups, &[], count);
            for way in &mut demand.ways {
                way.cost = rate * (0.5 + to_f64(random.next_below(10)) / 10.0);
            }
            requirements.push(program.demands.push(demand));
        }
        for frame in frames.iter().filter(|frame| frame.group == group) {
            if random.next_below(2) == 0 {
                continue;
            }
            let raises = if random.next_below(2) == 0 {
                vec![requirements[random.next_below(requirements.len())]]
            } else {
                vec![]
            };
            let cost = rate * (1.0 + to_f64(random.next_below(5)));
            let upkeep = program.items.push(Item { cost, raises, ..Item::default() });
            let touched = if random.next_below(2) == 0 {
                Some(&frame.item)
            } else {
                frame.columns.get(random.next_below(frame.columns.len()))
            };
            if let Some(&touched) = touched {
                program.items[touched].needs.push(upkeep);
            }
        }
    }
}
