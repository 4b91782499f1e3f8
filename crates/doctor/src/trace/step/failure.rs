//! Requests that fail, and limits that are exceeded.

use crate::trace::sentence::{fields, is_sentence, number};

/// A step that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailureStep {
    /// Too few replicas answered in time.
    TimedOut {
        /// Answers that arrived.
        received: Option<u64>,
        /// Answers that the consistency level asks for.
        required: Option<u64>,
    },
    /// Replicas answered with a failure.
    ReplicasFailed {
        /// Answers that arrived.
        received: u64,
        /// Answers that the consistency level asks for.
        required: u64,
    },
    /// Too few replicas are alive.
    Unavailable,
    /// The node has too many requests.
    Overloaded,
    /// A node gave up because the request was too old.
    Discarded,
    /// A thread threw an exception.
    Exception,
    /// A limit on the size of a batch was exceeded.
    BatchSize,
    /// Replica filtering protection holds too many rows.
    FilteringProtectionLimit,
}

pub(super) fn parse(sentence: &str) -> Option<FailureStep> {
    if let Some([received, required, _]) =
        fields("Timed out; received {} of {} responses{}", sentence)
    {
        return Some(FailureStep::TimedOut {
            received: number(received),
            required: number(required),
        });
    }
    if let Some([received, required, _]) = fields("Failed; received {} of {} responses{}", sentence)
    {
        let (received, required) = (number(received)?, number(required)?);
        return Some(FailureStep::ReplicasFailed { received, required });
    }
    let failed = "Write failure; received {} of {} required replies{}";
    if let Some([received, required, _]) = fields(failed, sentence) {
        let (received, required) = (number(received)?, number(required)?);
        return Some(FailureStep::ReplicasFailed { received, required });
    }
    let timeouts = [
        "Write timeout; received {} of {} required replies",
        "Mutation failed: write timeout; received {} of {} required replies",
    ];
    if let Some([received, required]) = timeouts.iter().find_map(|text| fields(text, sentence)) {
        return Some(FailureStep::TimedOut {
            received: number(received),
            required: number(required),
        });
    }
    parse_plain(sentence)
}

fn parse_plain(sentence: &str) -> Option<FailureStep> {
    let timed_out = FailureStep::TimedOut { received: None, required: None };
    let exact = [
        ("Timed out", timed_out.clone()),
        ("Timed out waiting on digest mismatch repair requests", timed_out.clone()),
        ("Payload application resulted in WriteTimeout, not replying", timed_out.clone()),
        ("Unavailable", FailureStep::Unavailable),
        ("Mutation failed: unavailable", FailureStep::Unavailable),
        ("Overloaded", FailureStep::Overloaded),
        ("Mutation failed: overloaded", FailureStep::Overloaded),
        ("Mutation failed: rate limit exceeded", FailureStep::Overloaded),
        ("Per-partition rate limiting: coordinator rejected", FailureStep::Overloaded),
    ];
    if let Some((_, step)) = exact.into_iter().find(|(template, _)| is_sentence(template, sentence))
    {
        return Some(step);
    }
    let with_places = [
        (
            "Timed out while read-repairing after receiving all {} data and digest responses",
            timed_out,
        ),
        ("Discarding partial response to {} (timed out)", FailureStep::Discarded),
        ("Discarding mutation from {} (timed out)", FailureStep::Discarded),
        ("Exception in thread {}", FailureStep::Exception),
    ];
    if let Some((_, step)) =
        with_places.into_iter().find(|(template, _)| fields::<1>(template, sentence).is_some())
    {
        return Some(step);
    }
    let batch = "Batch for {} is of size {}, exceeding specified {}";
    if fields::<3>(batch, sentence).is_some() {
        return Some(FailureStep::BatchSize);
    }
    let protection = "Replica filtering protection has cached over {} rows during query {}";
    fields::<2>(protection, sentence).map(|_| FailureStep::FilteringProtectionLimit)
}
