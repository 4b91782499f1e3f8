//! Traces as JSON: all figures, the steps with their times, phases, gaps and problems.

use doctor::trace::analysis::{TraceAnalysis, TraceCause};
use doctor::trace::{Phase, ReadTotals, SstableUse, Trace};
use serde_json::{Value, json};

use super::{cause_text, phase_text, verdict_name};

/// A trace with its analysis.
pub(crate) fn object(trace: &Trace, analysis: &TraceAnalysis) -> Value {
    let slowest = analysis.slowest.map(|(event, own)| json!({ "step": event, "ownMicros": own }));
    json!({
        "session": trace.session,
        "request": trace.request,
        "statement": trace.statement(),
        "parameters": trace.parameters,
        "client": trace.client,
        "coordinator": analysis.coordinator,
        "isComplete": trace.duration.is_some(),
        "durationMicros": analysis.timeline.total,
        "unaccountedMicros": analysis.unaccounted,
        "slowest": slowest,
        "reads": reads(&analysis.reads),
        "rowsTested": analysis.rows_tested,
        "indexes": analysis.indexes,
        "replicas": {
            "data": analysis.replicas.data,
            "digest": analysis.replicas.digest,
            "speculativeRetries": analysis.replicas.speculative,
            "digestMismatches": analysis.replicas.mismatches,
            "repaired": analysis.replicas.repaired,
        },
        "ranges": analysis.ranges.map(|ranges| json!({
            "ranges": ranges.ranges,
            "concurrency": ranges.concurrency,
            "requests": ranges.requests,
            "rounds": ranges.rounds,
        })),
        "paxos": analysis.paxos.map(|paxos| json!({
            "attempts": paxos.attempts,
            "contention": paxos.contention,
            "finishedOthers": paxos.finished_others,
            "applied": paxos.applied,
        })),
        "batchLog": analysis.has_batch_log,
        "hints": analysis.hints,
        "nodes": analysis.nodes.iter().map(|(node, work)| json!({
            "address": node,
            "events": work.events,
            "ownMicros": work.own,
            "liveRows": work.live,
            "tombstones": work.tombstones,
            "clockShiftMicros": analysis.timeline.skews.get(node).copied().unwrap_or_default(),
        })).collect::<Vec<_>>(),
        "phases": analysis.phases.iter().map(phase).collect::<Vec<_>>(),
        "gaps": gaps(analysis),
        "steps": steps(trace, analysis),
        "verdict": verdict_name(analysis.verdict()),
        "problems": problems(trace, analysis),
    })
}

fn phase(phase: &Phase) -> Value {
    json!({
        "name": phase_text::name(phase),
        "node": phase.source,
        "thread": phase.thread,
        "startMicros": phase.start,
        "endMicros": phase.end,
        "ownMicros": phase.own,
        "count": phase.count,
        "reads": reads(&phase.reads),
    })
}

fn reads(reads: &ReadTotals) -> Value {
    let count = |found: SstableUse| reads.sstables.get(&found).copied().unwrap_or_default();
    json!({
        "partitions": reads.partitions,
        "liveRows": reads.live,
        "tombstones": reads.tombstones,
        "abortedAtTombstones": reads.aborted,
        "sstablesMax": reads.sstables_max,
        "indexEntriesMax": reads.index_entries_max,
        "sstables": {
            "keyCacheHits": count(SstableUse::KeyCacheHit),
            "indexLookups": count(SstableUse::IndexLookup),
            "falsePositives": count(SstableUse::FalsePositive),
            "bloomFilterSkips": count(SstableUse::BloomFilterSkip),
            "keyRangeSkips": count(SstableUse::KeyRangeSkip),
            "indexSkips": count(SstableUse::IndexSkip),
        },
    })
}

fn gaps(analysis: &TraceAnalysis) -> Vec<Value> {
    let gaps = analysis.timeline.gaps.iter();
    gaps.map(|gap| {
        json!({
            "startMicros": gap.start,
            "endMicros": gap.end,
            "afterStep": gap.after,
            "beforeStep": gap.before,
            "waitingFor": gap.waiting_for,
        })
    })
    .collect()
}

/// The events in the order of the trace, with the time that each accounts for.
fn steps(trace: &Trace, analysis: &TraceAnalysis) -> Vec<Value> {
    let own: std::collections::BTreeMap<usize, u64> = analysis
        .timeline
        .activities
        .iter()
        .map(|activity| (activity.event, activity.own))
        .collect();
    let events = trace.events.iter().enumerate();
    events
        .map(|(position, event)| {
            json!({
                "activity": event.sentence,
                "node": event.source,
                "thread": event.thread,
                "elapsedMicros": event.elapsed,
                "atMicros": analysis.timeline.time(position),
                "ownMicros": own.get(&position).copied().unwrap_or_default(),
            })
        })
        .collect()
}

fn problems(trace: &Trace, analysis: &TraceAnalysis) -> Vec<Value> {
    let problems = analysis.problems.iter();
    problems
        .map(|problem| {
            let text = cause_text::describe(trace, &problem.cause);
            json!({
                "kind": kind(&problem.cause),
                "verdict": verdict_name(problem.verdict),
                "found": text.found,
                "change": text.change,
            })
        })
        .collect()
}

fn kind(cause: &TraceCause) -> &'static str {
    match cause {
        TraceCause::Failed(_) => "failed",
        TraceCause::Tombstones { .. } => "tombstones",
        TraceCause::ManySstables { .. } => "manySstables",
        TraceCause::FalsePositives { .. } => "bloomFilterFalsePositives",
        TraceCause::LargePartition { .. } => "largePartition",
        TraceCause::Scan { .. } => "scan",
        TraceCause::IndexOnAllNodes { .. } => "indexOnAllNodes",
        TraceCause::ManyPartitions { .. } => "manyPartitions",
        TraceCause::ReplicasDiffer { .. } => "replicasDiffer",
        TraceCause::Speculation { .. } => "speculativeRetry",
        TraceCause::RequestedAgain { .. } => "requestedAgain",
        TraceCause::Contention { .. } => "contention",
        TraceCause::WaitedFor { .. } => "waitedFor",
        TraceCause::Unaccounted { .. } => "unaccounted",
        TraceCause::Hinted { .. } => "hints",
        TraceCause::ClockSkew { .. } => "clockSkew",
    }
}
