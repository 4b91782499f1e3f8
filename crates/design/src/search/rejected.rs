//! What was not chosen, and what the whole design would cost with it.

use model::id::Numbered;
use model::plan::{About, Part, Rejected};

use super::build::{Asked, Taken};
use super::space::Question;
use super::{Solved, drawn, forbidden};
use solver::{Alternatives, DemandId, IdVec, WayId};

/// Alternatives of a read that are listed.
const LISTED: usize = 6;
/// Steps of the search that each may take.
const WORK: u64 = 20;

/// The ways that were not taken, the cheapest of each read first.
pub(super) fn of(solved: &Solved<'_, '_>) -> Vec<Rejected> {
    let mut all = Vec::new();
    let alternatives = Alternatives::new(&solved.program, &solved.bounds, &solved.solution);
    for (demand, asked) in solved.built.demands.numbered() {
        let Asked::Question(question, ways) = asked else { continue };
        // Parts of reads are said with the reads that they are of.
        let always = solved.program.demands.at(demand).is_some_and(|demand| demand.always);
        let unanswered = ways.is_empty() && question.part == Part::Rows;
        if !always && !unanswered {
            continue;
        }
        let mut here = of_read(solved, &alternatives, demand, question, ways);
        here.sort_by(|one, other| {
            one.price.total_cmp(&other.price).then(one.what.cmp(&other.what))
        });
        here.dedup_by(|one, other| one.what == other.what);
        here.truncate(LISTED);
        here.extend(forbidden::of(solved, question.of));
        all.extend(here);
    }
    all
}

fn of_read(
    solved: &Solved<'_, '_>,
    alternatives: &Alternatives,
    demand: DemandId,
    question: &Question,
    ways: &IdVec<WayId, Taken>,
) -> Vec<Rejected> {
    let taken = solved.solution.ways.at(demand).copied().flatten();
    let others: Vec<WayId> = ways.ids().filter(|way| Some(*way) != taken).collect();
    let forced: Vec<(DemandId, WayId)> = others.iter().map(|way| (demand, *way)).collect();
    let prices = alternatives.costs(&forced, WORK);
    let rejected = |(way, price): (&WayId, Option<f64>)| {
        let way = ways.at(*way)?;
        Some(Rejected {
            about: About::Read(question.of),
            what: described(solved, way),
            price: price?,
            because: way.main.as_ref().map(|main| figure(&main.effort)).unwrap_or_default(),
        })
    };
    others.iter().zip(prices).filter_map(rejected).collect()
}

/// The table and what is done with it.
pub(super) fn described(solved: &Solved<'_, '_>, way: &Taken) -> String {
    let table = way.main.as_ref().and_then(|main| solved.space.frames.at(main.frame));
    let line = table
        .map(|frame| drawn::line(solved.space.context.concept, &frame.table))
        .unwrap_or_default();
    match (line.is_empty(), way.words.is_empty()) {
        (false, false) => format!("{line}: {}", way.words),
        (false, true) => line,
        (true, _) => way.words.clone(),
    }
}

/// What it takes each time.
fn figure(effort: &model::plan::Effort) -> String {
    let mut text = format!(
        "{} partitions and {} rows each time",
        model::figures::count(effort.partitions),
        model::figures::count(effort.rows)
    );
    if effort.sorted > 0.0 {
        text.push_str(", sorted by the client");
    }
    text
}
