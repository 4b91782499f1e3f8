//! The next best designs: the cheapest ones without one of the chosen tables.

use model::id::IdList;
use model::plan::{Derivation, DesignDifference, RunnerUp};

use super::SearchSolution;
use crate::candidate::{CandidateId, CandidateTable};
use solver::{ItemId, Solution};

/// How many are reported.
const REPORTED_MAX: usize = 3;
/// Units of solver work for each.
const WORK: u64 = 500;
/// Designs with more tables get no runners-up: each takes a run of the solver.
const TABLES_MOST: usize = 30;

/// The next best designs, the cheapest first.
pub(super) fn find_runners_up(solved: &SearchSolution<'_, '_>) -> Vec<(RunnerUp, Solution)> {
    let candidates = solved.candidates(&solved.solution);
    if candidates.len() > TABLES_MOST {
        return Vec::new();
    }
    let mut all: Vec<(RunnerUp, Solution)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let banned: Vec<ItemId> = similar_candidates(solved, candidate)
                .into_iter()
                .filter_map(|candidate| solved.built.candidate_item(candidate))
                .collect();
            let from = &solved.solution;
            let next = solver::solve_without(&solved.program, &solved.bounds, &banned, from, WORK)?;
            let (gains, loses) = solved.difference(&next);
            let difference = DesignDifference::default();
            Some((RunnerUp { gains, loses, price: next.cost, difference }, next))
        })
        .collect();
    all.sort_by(|(one, _), (other, _)| {
        one.price.total_cmp(&other.price).then_with(|| one.gains.cmp(&other.gains))
    });
    all.dedup_by(|(one, _), (other, _)| one.gains == other.gains && one.loses == other.loses);
    all.truncate(REPORTED_MAX);
    all
}

/// The candidates with the same rows and key columns, whatever their clustering order: another
/// order is not another design.
fn similar_candidates(solved: &SearchSolution<'_, '_>, candidate: CandidateId) -> Vec<CandidateId> {
    let candidates = &solved.space.candidates;
    let Some(one) = candidates.member(candidate) else { return Vec::new() };
    let key = |candidate: &CandidateTable| -> Vec<Derivation> {
        candidate.table.columns.iter().map(|column| column.derivation.clone()).collect()
    };
    let same =
        |other: &CandidateTable| other.table.holds == one.table.holds && key(other) == key(one);
    candidates.ids().filter(|at| same(&candidates[*at])).collect()
}
