//! Whether a read sees what was written: R + W > replicas, within a datacenter for local levels.

use std::collections::BTreeSet;

use model::id::WriteId;
use model::plan::topic::WorkloadTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;

/// A warning for each read that may miss a write of the same table.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let replication = &review.context.concept.replication;
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let tables = plan
            .steps
            .iter()
            .filter_map(|step| review.tally.writes_of_table.get(step.table.index()));
        let writes: BTreeSet<WriteId> = tables.flatten().copied().collect();
        let missed: Vec<(&str, &str)> = writes
            .into_iter()
            .map(|write| &review.context.workload.writes[write])
            .filter(|write| !has_overlap(replication, &read.consistency, &write.consistency))
            .map(|write| (write.name.as_str(), write.consistency.as_str()))
            .collect();
        let Some((_, level)) = missed.first() else { continue };
        let topic = WorkloadTopic::MissedWrites {
            read: read.name.clone(),
            level: read.consistency.clone(),
            writes: missed.iter().map(|(name, _)| (*name).to_owned()).collect(),
            write_level: (*level).to_owned(),
            copies: replication.clone(),
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Read(at), topic));
    }
    notes.extend(other_datacenters(review));
    notes
}

/// With several datacenters, local levels guarantee nothing outside their own.
fn other_datacenters(review: Review<'_>) -> Option<Note> {
    let replication = &review.context.concept.replication;
    let local = |level: &str| level.starts_with("LOCAL_");
    let reads = review.reads().any(|(_, read, _)| local(&read.consistency));
    let writes = review.writes().any(|(_, write, _)| local(&write.consistency));
    (replication.len() > 1 && reads && writes)
        .then(|| note(NoteKind::Assumption, NoteSubject::Design, WorkloadTopic::LocalLevels))
}

/// Whether the replicas that a read queries and those that a write waits for always overlap.
pub(super) fn has_overlap(replication: &[(String, u32)], read: &str, write: &str) -> bool {
    let total: u32 = replication.iter().map(|(_, copies)| copies).sum();
    let stays = |level: &str| level.starts_with("LOCAL_");
    if !stays(read) && !stays(write) {
        let count = |level| replicas(replication, level, total);
        return count(read) + count(write) > total;
    }
    replication.iter().all(|(_, copies)| {
        let within = |level: &str| local_replicas(replication, level, total, *copies);
        within(read) + within(write) > *copies
    })
}

/// Replicas that a level waits for, of all.
fn replicas(replication: &[(String, u32)], level: &str, total: u32) -> u32 {
    match level {
        "ANY" => 0,
        "TWO" => 2,
        "THREE" => 3,
        "QUORUM" | "SERIAL" => total / 2 + 1,
        "EACH_QUORUM" => replication.iter().map(|(_, copies)| copies / 2 + 1).sum(),
        "ALL" => total,
        _ => 1,
    }
    .min(total)
}

/// Replicas that a level waits for at least in a datacenter with `copies` replicas, for a client
/// there.
fn local_replicas(replication: &[(String, u32)], level: &str, total: u32, copies: u32) -> u32 {
    match level {
        "LOCAL_QUORUM" | "LOCAL_SERIAL" | "EACH_QUORUM" => copies / 2 + 1,
        "LOCAL_ONE" => 1,
        // Other levels may be satisfied by replicas elsewhere.
        _ => replicas(replication, level, total).saturating_sub(total - copies),
    }
    .min(copies)
}

#[cfg(test)]
mod tests {
    use super::has_overlap;

    #[test]
    fn reads_and_writes_overlap_when_they_ask_more_than_the_copies() {
        let one = vec![("dc1".to_owned(), 3)];
        let two = vec![("dc1".to_owned(), 3), ("dc2".to_owned(), 3)];
        let cases = [
            (&one, "QUORUM", "QUORUM", true),
            (&one, "ONE", "ONE", false),
            (&one, "ONE", "QUORUM", false),
            (&one, "ONE", "ALL", true),
            (&one, "ALL", "ONE", true),
            (&one, "TWO", "TWO", true),
            (&one, "LOCAL_QUORUM", "LOCAL_QUORUM", true),
            (&one, "LOCAL_ONE", "LOCAL_QUORUM", false),
            (&one, "LOCAL_QUORUM", "QUORUM", true),
            (&one, "QUORUM", "ANY", false),
            // 4 + 4 of 6; but of a quorum of 6 only one is sure to be in each datacenter of 3.
            (&two, "QUORUM", "QUORUM", true),
            (&two, "LOCAL_QUORUM", "QUORUM", false),
            (&two, "LOCAL_QUORUM", "EACH_QUORUM", true),
            (&two, "LOCAL_QUORUM", "LOCAL_QUORUM", true),
            (&two, "LOCAL_ONE", "EACH_QUORUM", false),
            (&two, "LOCAL_ONE", "ALL", true),
            (&two, "EACH_QUORUM", "EACH_QUORUM", true),
        ];
        for (replication, read, write, expected) in cases {
            assert_eq!(has_overlap(replication, read, write), expected, "{read} after {write}");
        }
    }
}
