//! What a trace shows, as labelled lines.

use doctor::trace::analysis::{PaxosUse, TraceAnalysis};
use doctor::trace::{Gap, ReadTotals, SstableUse, Trace};

use super::cut;
use super::phase_text::{micros, percent};

/// The facts; what the trace does not show is left out.
pub(super) fn list(trace: &Trace, analysis: &TraceAnalysis) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some((event, own)) = analysis.slowest {
        let of = trace.events.get(event);
        let sentence = of.map(|event| event.sentence.as_str()).unwrap_or_default();
        let thread = of.map(|event| event.thread.as_str()).unwrap_or_default();
        facts.push(("slowest", format!("{}: {} [{thread}]", micros(own), cut(sentence, 200))));
    }
    let reads = &analysis.reads;
    if let Some(rows) = rows(reads) {
        facts.push(("read", rows));
    }
    if let Some(tested) = analysis.rows_tested {
        facts.push((
            "tested",
            format!("{} found by the index were read and tested", plural(tested, "row")),
        ));
    }
    if let Some(sstables) = sstables(reads) {
        facts.push(("SSTables", sstables));
    }
    if !analysis.indexes.is_empty() {
        let names: Vec<_> = analysis.indexes.iter().map(String::as_str).collect();
        facts.push(("index", names.join(", ")));
    }
    if let Some(ranges) = analysis.ranges {
        let concurrency = ranges.concurrency;
        let rounds = plural(ranges.rounds, "round");
        let requests = plural(ranges.requests, "request");
        let ranges = plural(ranges.ranges, "token range");
        facts.push((
            "ranges",
            format!("{ranges}, {concurrency} at a time at first; {requests} in {rounds}"),
        ));
    }
    if let Some(replicas) = replicas(analysis) {
        facts.push(("replicas", replicas));
    }
    if let Some(paxos) = analysis.paxos {
        facts.push(("Paxos", paxos_text(paxos)));
    }
    if analysis.has_batch_log {
        let text = "logged: the batch log is written on other nodes first and deleted at the end";
        facts.push(("batch", text.to_owned()));
    }
    let waiting = |gap: &&Gap| !gap.waiting_for.is_empty();
    let waited = analysis.timeline.gaps.iter().filter(waiting).map(|gap| gap.end - gap.start).sum();
    let share = |micros: u64| percent(micros, analysis.timeline.total);
    if waited > 0 {
        let text = format!("{} ({} %) for answers of other nodes", micros(waited), share(waited));
        facts.push(("waited", text));
    }
    let unaccounted = analysis.unaccounted - waited;
    if unaccounted > 0 {
        let share = share(unaccounted);
        facts.push((
            "no event",
            format!("{} ({share} %) that no event accounts for", micros(unaccounted)),
        ));
    }
    if analysis.unknown > 0 {
        facts.push((
            "unknown",
            format!("{} with sentences that are not known", plural(analysis.unknown, "event")),
        ));
    }
    facts
}

fn rows(reads: &ReadTotals) -> Option<String> {
    let partitions = match reads.partitions {
        0 => String::new(),
        number => format!(" from {}", plural(number, "partition")),
    };
    let tombstones = reads.tombstones.max(reads.aborted);
    let tombstones = tombstones.map(|number| plural(number, "tombstone"));
    let live = reads.live.filter(|_| reads.aborted.is_none());
    Some(match (live, tombstones) {
        (Some(live), Some(tombstones)) => {
            format!("{} and {tombstones}{partitions}", plural(live, "live row"))
        }
        (None, Some(tombstones)) => format!("{tombstones}{partitions}, then the read was aborted"),
        _ if reads.partitions > 0 => {
            format!("{}; rows are not reported", plural(reads.partitions, "partition"))
        }
        _ => return None,
    })
}

fn sstables(reads: &ReadTotals) -> Option<String> {
    let count = |found: SstableUse| reads.sstables.get(&found).copied().unwrap_or_default();
    let list = |parts: [(SstableUse, &str); 3]| {
        let found = parts.into_iter().filter(|(found, _)| count(*found) > 0);
        found
            .map(|(found, text)| format!("{} {text}", group_digits(count(found))))
            .collect::<Vec<_>>()
    };
    let read = reads.sstables.iter().filter(|(found, _)| found.is_read());
    let read: u64 = read.map(|(_, count)| count).sum();
    let ways = list([
        (SstableUse::KeyCacheHit, "found by the key cache"),
        (SstableUse::IndexLookup, "by the partition index"),
        (SstableUse::FalsePositive, "in vain, as the Bloom filter was wrong"),
    ]);
    let skipped = list([
        (SstableUse::BloomFilterSkip, "skipped by the Bloom filter"),
        (SstableUse::KeyRangeSkip, "skipped by first and last key"),
        (SstableUse::IndexSkip, "skipped by the partition index"),
    ]);
    let mut parts = Vec::new();
    if read > 0 {
        parts.push(format!("{} read ({})", group_digits(read), ways.join(", ")));
    }
    parts.extend(skipped);
    if let Some(most) = reads.sstables_max {
        parts.push(format!("at most {} in one read", group_digits(most)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn replicas(analysis: &TraceAnalysis) -> Option<String> {
    let replicas = &analysis.replicas;
    let list = |nodes: &std::collections::BTreeSet<String>| {
        nodes.iter().cloned().collect::<Vec<_>>().join(", ")
    };
    let mut parts = Vec::new();
    if !replicas.data.is_empty() {
        parts.push(format!("rows from {}", list(&replicas.data)));
    }
    if !replicas.digest.is_empty() {
        parts.push(format!("digest from {}", list(&replicas.digest)));
    }
    if replicas.speculative > 0 {
        parts.push(plural(replicas.speculative, "speculative retry"));
    }
    if replicas.mismatches > 0 {
        parts.push(plural(replicas.mismatches, "digest mismatch"));
    }
    if !replicas.repaired.is_empty() {
        parts.push(format!("repaired {}", list(&replicas.repaired)));
    }
    if parts.is_empty() && analysis.nodes.len() > 1 {
        let others = analysis.nodes.keys().filter(|node| **node != analysis.coordinator);
        parts.push(others.cloned().collect::<Vec<_>>().join(", "));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn paxos_text(paxos: PaxosUse) -> String {
    let outcome = match paxos.applied {
        Some(true) => ", applied",
        Some(false) => ", not applied: the condition does not hold",
        None => "",
    };
    let others = match paxos.finished_others {
        0 => String::new(),
        number => format!(", {} of others finished first", group_digits(number)),
    };
    format!("{}{others}{outcome}", plural(paxos.attempts, "attempt"))
}

/// `1 row`, `60,000 rows`.
pub(super) fn plural(number: u64, noun: &str) -> String {
    let plural = match noun.strip_suffix('y') {
        _ if number == 1 => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with("ch") => format!("{noun}es"),
        None => format!("{noun}s"),
    };
    format!("{} {plural}", group_digits(number))
}

/// `60,000`.
pub(super) fn group_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
