//! Ways that were not chosen, and what the whole design would cost with them.

use model::figures::pluralise;
use model::plan::{NoteSubject, ReadPart, RejectedAlternative};

use super::program::{DemandKind, WayKind};
use super::space::ReadDemand;
use super::{SearchSolution, exclusions, one_line};
use solver::{Alternatives, IdVec, WayId};

/// Alternatives of a read that are listed.
const LISTED: usize = 6;
/// Units of solver work for each alternative.
const WORK: u64 = 20;

/// The ways that were not taken, the cheapest of each read first.
pub(super) fn find_rejections(solved: &SearchSolution<'_, '_>) -> Vec<RejectedAlternative> {
    let mut reads = Vec::new();
    let mut forced = Vec::new();
    for (demand, kind) in solved.built.demands.enumerate_ids() {
        let DemandKind::Read(read_demand, ways) = kind else { continue };
        // Parts of reads are reported with the reads that they belong to.
        let always = solved.program.demands.member(demand).is_some_and(|demand| demand.always);
        let unanswered = ways.is_empty() && read_demand.part == ReadPart::Rows;
        if !always && !unanswered {
            continue;
        }
        let taken = solved.solution.ways.member(demand).copied().flatten();
        let others: Vec<WayId> = ways.ids().filter(|way| Some(*way) != taken).collect();
        forced.extend(others.iter().map(|way| (demand, *way)));
        reads.push((read_demand, ways, others));
    }
    // All at once: preparing the search for them takes as long as pricing many of them.
    let alternatives = Alternatives::new(&solved.program, &solved.bounds, &solved.solution);
    let mut prices = alternatives.costs(&forced, WORK).into_iter();
    let mut all = Vec::new();
    for (read_demand, ways, others) in reads {
        let prices: Vec<Option<f64>> = prices.by_ref().take(others.len()).collect();
        let mut here = read_rejections(solved, read_demand, ways, &others, &prices);
        here.sort_by(|one, other| {
            one.price.total_cmp(&other.price).then(one.what.cmp(&other.what))
        });
        here.dedup_by(|one, other| one.what == other.what);
        here.truncate(LISTED);
        here.extend(exclusions::find_exclusions(solved, read_demand.of));
        all.extend(here);
    }
    all
}

/// The other ways of a read, where they have a price.
fn read_rejections(
    solved: &SearchSolution<'_, '_>,
    read_demand: &ReadDemand,
    ways: &IdVec<WayId, WayKind>,
    others: &[WayId],
    prices: &[Option<f64>],
) -> Vec<RejectedAlternative> {
    let rejected = |(way, price): (&WayId, &Option<f64>)| {
        let way = ways.member(*way)?;
        Some(RejectedAlternative {
            about: NoteSubject::Read(read_demand.of),
            what: describe_way(solved, way),
            price: (*price)?,
            because: way
                .main
                .as_ref()
                .map(|main| describe_effort(&main.effort, way.looked_up))
                .unwrap_or_default(),
        })
    };
    others.iter().zip(prices).filter_map(rejected).collect()
}

/// The table and how it is used, in words.
pub(super) fn describe_way(solved: &SearchSolution<'_, '_>, way: &WayKind) -> String {
    let line = way
        .main
        .as_ref()
        .and_then(|main| one_line::describe_candidate(solved.space, main.candidate, &main.columns))
        .unwrap_or_default();
    match (line.is_empty(), way.words.is_empty()) {
        (false, false) => format!("{line}: {}", way.words),
        (false, true) => line,
        (true, _) => way.words.clone(),
    }
}

/// The effort of one run with the partitions that it looks up, in words.
fn describe_effort(effort: &model::plan::Effort, looked_up: f64) -> String {
    let mut text = format!(
        "{} and {} per read",
        pluralise(effort.partitions + looked_up, "partition"),
        pluralise(effort.rows, "row")
    );
    if effort.sorted > 0.0 {
        text.push_str(", sorted by the client");
    }
    text
}
