//! What was not chosen, and what the whole design would cost with it.

use model::id::IdList;
use model::plan::{NoteSubject, ReadPart, RejectedAlternative};

use super::program::{DemandKind, WayKind};
use super::space::ReadDemand;
use super::{SearchSolution, exclusions, one_line};
use solver::{Alternatives, DemandId, IdVec, WayId};

/// Alternatives of a read that are listed.
const LISTED: usize = 6;
/// Steps of the search that each may take.
const WORK: u64 = 20;

/// The ways that were not taken, the cheapest of each read first.
pub(super) fn find_rejections(solved: &SearchSolution<'_, '_>) -> Vec<RejectedAlternative> {
    let mut all = Vec::new();
    let alternatives = Alternatives::new(&solved.program, &solved.bounds, &solved.solution);
    for (demand, asked) in solved.built.demands.enumerate_ids() {
        let DemandKind::Read(question, ways) = asked else { continue };
        // Parts of reads are said with the reads that they are of.
        let always = solved.program.demands.member(demand).is_some_and(|demand| demand.always);
        let unanswered = ways.is_empty() && question.part == ReadPart::Rows;
        if !always && !unanswered {
            continue;
        }
        let mut here = read_rejections(solved, &alternatives, demand, question, ways);
        here.sort_by(|one, other| {
            one.price.total_cmp(&other.price).then(one.what.cmp(&other.what))
        });
        here.dedup_by(|one, other| one.what == other.what);
        here.truncate(LISTED);
        here.extend(exclusions::find_exclusions(solved, question.of));
        all.extend(here);
    }
    all
}

fn read_rejections(
    solved: &SearchSolution<'_, '_>,
    alternatives: &Alternatives,
    demand: DemandId,
    question: &ReadDemand,
    ways: &IdVec<WayId, WayKind>,
) -> Vec<RejectedAlternative> {
    let taken = solved.solution.ways.member(demand).copied().flatten();
    let others: Vec<WayId> = ways.ids().filter(|way| Some(*way) != taken).collect();
    let forced: Vec<(DemandId, WayId)> = others.iter().map(|way| (demand, *way)).collect();
    let prices = alternatives.costs(&forced, WORK);
    let rejected = |(way, price): (&WayId, Option<f64>)| {
        let way = ways.member(*way)?;
        Some(RejectedAlternative {
            about: NoteSubject::Read(question.of),
            what: describe_way(solved, way),
            price: price?,
            because: way
                .main
                .as_ref()
                .map(|main| describe_effort(&main.effort))
                .unwrap_or_default(),
        })
    };
    others.iter().zip(prices).filter_map(rejected).collect()
}

/// The table and what is done with it.
pub(super) fn describe_way(solved: &SearchSolution<'_, '_>, way: &WayKind) -> String {
    let table = way.main.as_ref().and_then(|main| solved.space.candidates.member(main.frame));
    let line = table
        .map(|frame| one_line::describe_table(solved.space.context.concept, &frame.table))
        .unwrap_or_default();
    match (line.is_empty(), way.words.is_empty()) {
        (false, false) => format!("{line}: {}", way.words),
        (false, true) => line,
        (true, _) => way.words.clone(),
    }
}

/// What it takes each time.
fn describe_effort(effort: &model::plan::Effort) -> String {
    let mut text = format!(
        "{} partitions and {} rows per read",
        model::figures::format_count(effort.partitions),
        model::figures::format_count(effort.rows)
    );
    if effort.sorted > 0.0 {
        text.push_str(", sorted by the client");
    }
    text
}
