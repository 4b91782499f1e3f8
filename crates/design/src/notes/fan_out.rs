//! Reads of many partitions.

use model::plan::{About, Loop, Note, NoteKind, ReadPlan};

use super::note;
use super::review::{Review, loops};
use crate::figures::count;

/// More partitions than the limits warn; beyond the second limit a read is a scan.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limits = &review.context.options.limits;
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        if plan.partitions <= limits.fan_out_warn {
            continue;
        }
        let scan = plan.partitions > limits.fan_out_scan;
        let kind = if scan && limits.strict { NoteKind::Refusal } else { NoteKind::Warning };
        let (verdict, limit) = if scan {
            ("a scan", limits.fan_out_scan)
        } else {
            ("a wide fan-out", limits.fan_out_warn)
        };
        let message = format!(
            "`{}` reads {} partitions each time{}: {verdict} (more than {})",
            read.name,
            count(plan.partitions),
            at_most(plan),
            count(limit)
        );
        notes.push(note(kind, About::Read(at), message, way_out(plan)));
    }
    notes
}

fn at_most(plan: &ReadPlan) -> String {
    if plan.partitions_at_most.is_finite() && plan.partitions_at_most > plan.partitions {
        format!(", at most {}", count(plan.partitions_at_most))
    } else {
        String::new()
    }
}

/// What would make it read fewer, by what makes it read so many.
fn way_out(plan: &ReadPlan) -> &'static str {
    let all = loops(plan);
    let walks = all.iter().any(|turn| matches!(turn, Loop::Buckets(walk) if !walk.stops_at_limit));
    let lists = all.iter().any(|turn| matches!(turn, Loop::Values(_) | Loop::Elements(_)));
    let shards = all.iter().any(|turn| matches!(turn, Loop::Shards(_)));
    if walks {
        "give the query a LIMIT with ORDER BY the bucketed column, or a narrower range of it"
    } else if lists {
        "ask for fewer values at a time"
    } else if shards {
        "search by one more attribute, or allow larger partitions (--max-partition, --max-rows)"
    } else {
        "select only what one table can hold, or give the query a smaller LIMIT"
    }
}
