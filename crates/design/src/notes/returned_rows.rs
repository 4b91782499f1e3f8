//! Rows that a query is stated to return, beside what the volumes give.

use model::id::{IdList, ReadId};
use model::plan::topic::ReadTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;
use crate::read_plan::price;

/// How many times more or fewer rows are still taken for the same.
const TOLERANCE: f64 = 3.0;

/// A warning for each read of which `@returns` and the volumes contradict one another, on average or
/// at the 99th percentile.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let Some(stated) = read.stated.returns else { continue };
        let mean = price::rows_returned(review.context, read, plan);
        let p99 = rows_at_p99(review, at, mean).filter(|_| stated.p99 > stated.mean);
        let mut contradict = |stated: f64, estimated: f64, is_p99: bool| {
            let ratio = estimated.max(1.0) / stated.max(1.0);
            let differs = !(1.0 / TOLERANCE..=TOLERANCE).contains(&ratio);
            if differs {
                let read = read.name.clone();
                let topic = ReadTopic::ReturnedRows { read, stated, estimated, is_p99 };
                notes.push(note(NoteKind::Warning, NoteSubject::Read(at), topic));
            }
            differs
        };
        // One contradiction is enough: the other mostly follows from it.
        if !contradict(stated.mean, mean, false)
            && let Some(p99) = p99
        {
            contradict(stated.p99, p99, true);
        }
    }
    notes
}

/// The rows that a read returns at the 99th percentile, where it returns a part of one partition: as
/// many times those on average as the partition has.
fn rows_at_p99(review: Review<'_>, at: ReadId, mean: f64) -> Option<f64> {
    let read = review.context.workload.reads.member(at)?;
    let plan = review.design.reads.member(at)?;
    let main = plan.steps.member(plan.main)?;
    let volume = &review.design.tables.member(main.table)?.volume;
    let is_one = main.loops.is_empty() && plan.effort.nodes <= 0.0 && read.limit.is_none();
    let rows = volume.rows_after(0.0);
    (is_one && rows.mean > 0.0).then(|| mean * (rows.p99 / rows.mean).max(1.0))
}
