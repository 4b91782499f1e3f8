//! Reads of many partitions.

use model::plan::topic::{FanOutCause, ReadTopic};
use model::plan::{Loop, Note, NoteKind, NoteSubject, ReadPlan};
use model::workload::Read;

use super::note;
use super::review::{Review, loops};

/// A warning for each read above the first limit; above the second limit it is a scan.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limits = &review.context.options.limits;
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let cause = cause(plan);
        let p99 = partitions_at_p99(read, plan, cause);
        let partitions = p99.unwrap_or(plan.partitions);
        if partitions <= limits.fan_out_warn {
            continue;
        }
        let scan = plan.partitions > limits.fan_out_scan;
        let kind = if scan && limits.strict { NoteKind::Refusal } else { NoteKind::Warning };
        let most = plan.partitions_at_most;
        let topic = ReadTopic::FanOut {
            read: read.name.clone(),
            partitions: plan.partitions,
            p99,
            at_most: (most.is_finite() && most > partitions).then_some(most),
            is_scan: scan,
            limit: if scan { limits.fan_out_scan } else { limits.fan_out_warn },
            cause,
        };
        notes.push(note(kind, NoteSubject::Read(at), topic));
    }
    notes
}

/// The partitions of a read at the 99th percentile of the rows that it is stated to return, where
/// they follow from its rows.
fn partitions_at_p99(read: &Read, plan: &ReadPlan, cause: FanOutCause) -> Option<f64> {
    let stated = read.stated.returns?;
    let is_by_row = matches!(cause, FanOutCause::Rows | FanOutCause::Index);
    let ratio = stated.p99 / stated.mean.max(1.0);
    (is_by_row && plan.partitions > 1.0 && ratio > 1.0).then_some(plan.partitions * ratio)
}

/// Why a plan reads so many partitions.
fn cause(plan: &ReadPlan) -> FanOutCause {
    let all = loops(plan);
    let walks = all.iter().any(|turn| matches!(turn, Loop::Buckets(walk) if !walk.stops_at_limit));
    let lists = all.iter().any(|turn| matches!(turn, Loop::Values(_) | Loop::Elements(_)));
    let shards = all.iter().any(|turn| matches!(turn, Loop::Shards(_)));
    if walks {
        FanOutCause::Buckets
    } else if lists {
        FanOutCause::Values
    } else if shards {
        FanOutCause::Shards
    } else if plan.effort.nodes > 0.0 {
        FanOutCause::Index
    } else {
        FanOutCause::Rows
    }
}
