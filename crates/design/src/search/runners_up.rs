//! The next best designs: what the cheapest costs when one of the chosen tables may not be had.

use model::id::Numbered;
use model::plan::{Derivation, RunnerUp};

use super::Solved;
use crate::frame::{Frame, FrameId};
use solver::ItemId;

/// How many are told.
const TOLD: usize = 3;
/// Steps of the search that each may take.
const WORK: u64 = 500;
/// Designs of more tables are not asked for each of them.
const TABLES_MOST: usize = 30;

/// The next best designs, the cheapest first.
pub(super) fn of(solved: &Solved<'_, '_>) -> Vec<RunnerUp> {
    let frames = solved.frames(&solved.solution);
    if frames.len() > TABLES_MOST {
        return Vec::new();
    }
    let mut all: Vec<RunnerUp> = frames
        .into_iter()
        .filter_map(|frame| {
            let banned: Vec<ItemId> = alike(solved, frame)
                .into_iter()
                .filter_map(|frame| solved.built.frame_item(frame))
                .collect();
            let from = &solved.solution;
            let next = solver::without(&solved.program, &solved.bounds, &banned, from, WORK)?;
            let (gains, loses) = solved.difference(&next);
            Some(RunnerUp { gains, loses, price: next.cost })
        })
        .collect();
    all.sort_by(|one, other| {
        one.price.total_cmp(&other.price).then_with(|| one.gains.cmp(&other.gains))
    });
    all.dedup_by(|one, other| one.gains == other.gains && one.loses == other.loses);
    all.truncate(TOLD);
    all
}

/// The frames of the same rows with the same key columns, whatever their directions: another direction is no other design.
fn alike(solved: &Solved<'_, '_>, frame: FrameId) -> Vec<FrameId> {
    let frames = &solved.space.frames;
    let Some(one) = frames.at(frame) else { return Vec::new() };
    let key = |frame: &Frame| -> Vec<Derivation> {
        frame.table.columns.iter().map(|column| column.derivation.clone()).collect()
    };
    let same = |other: &Frame| other.table.holds == one.table.holds && key(other) == key(one);
    frames.ids().filter(|at| same(&frames[*at])).collect()
}
