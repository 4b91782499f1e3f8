//! Reads of many partitions.

use model::plan::topic::{FanOutCause, ReadTopic};
use model::plan::{Loop, Note, NoteKind, NoteSubject, ReadPlan};

use super::note;
use super::review::{Review, loops};

/// A warning for each read above the first limit; above the second limit it is a scan.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limits = &review.context.options.limits;
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        if plan.partitions <= limits.fan_out_warn {
            continue;
        }
        let scan = plan.partitions > limits.fan_out_scan;
        let kind = if scan && limits.strict { NoteKind::Refusal } else { NoteKind::Warning };
        let most = plan.partitions_at_most;
        let topic = ReadTopic::FanOut {
            read: read.name.clone(),
            partitions: plan.partitions,
            at_most: (most.is_finite() && most > plan.partitions).then_some(most),
            is_scan: scan,
            limit: if scan { limits.fan_out_scan } else { limits.fan_out_warn },
            cause: cause(plan),
        };
        notes.push(note(kind, NoteSubject::Read(at), topic));
    }
    notes
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
    } else {
        FanOutCause::Rows
    }
}
