//! The next best designs: what the cheapest costs when one of the chosen tables may not be had.

use model::id::IdList;
use model::plan::{Derivation, RunnerUp};

use super::SearchSolution;
use crate::candidate::{CandidateId, CandidateTable};
use solver::ItemId;

/// How many are told.
const REPORTED_MAX: usize = 3;
/// Steps of the search that each may take.
const WORK: u64 = 500;
/// Designs of more tables are not asked for each of them.
const TABLES_MOST: usize = 30;

/// The next best designs, the cheapest first.
pub(super) fn find_runners_up(solved: &SearchSolution<'_, '_>) -> Vec<RunnerUp> {
    let frames = solved.candidates(&solved.solution);
    if frames.len() > TABLES_MOST {
        return Vec::new();
    }
    let mut all: Vec<RunnerUp> = frames
        .into_iter()
        .filter_map(|frame| {
            let banned: Vec<ItemId> = similar_candidates(solved, frame)
                .into_iter()
                .filter_map(|frame| solved.built.candidate_item(frame))
                .collect();
            let from = &solved.solution;
            let next = solver::solve_without(&solved.program, &solved.bounds, &banned, from, WORK)?;
            let (gains, loses) = solved.difference(&next);
            Some(RunnerUp { gains, loses, price: next.cost })
        })
        .collect();
    all.sort_by(|one, other| {
        one.price.total_cmp(&other.price).then_with(|| one.gains.cmp(&other.gains))
    });
    all.dedup_by(|one, other| one.gains == other.gains && one.loses == other.loses);
    all.truncate(REPORTED_MAX);
    all
}

/// The frames of the same rows with the same key columns, whatever their directions: another direction is no other design.
fn similar_candidates(solved: &SearchSolution<'_, '_>, frame: CandidateId) -> Vec<CandidateId> {
    let frames = &solved.space.candidates;
    let Some(one) = frames.member(frame) else { return Vec::new() };
    let key = |frame: &CandidateTable| -> Vec<Derivation> {
        frame.table.columns.iter().map(|column| column.derivation.clone()).collect()
    };
    let same =
        |other: &CandidateTable| other.table.holds == one.table.holds && key(other) == key(one);
    frames.ids().filter(|at| same(&frames[*at])).collect()
}
