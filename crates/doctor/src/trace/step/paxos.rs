//! The rounds of lightweight transactions.

use super::Mark;
use crate::trace::sentence::{fields, is_sentence};

/// A step of a lightweight transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PaxosStep {
    /// The coordinator asks for promises: one for each attempt.
    Prepare,
    /// A replica promises.
    Promise,
    /// A replica refuses: it has promised more to another coordinator.
    PromiseRejected,
    /// The row is read for the condition.
    ReadingRow,
    /// The condition holds; the write is proposed.
    ConditionMet,
    /// The condition does not hold.
    ConditionFailed,
    /// A replica accepts the proposal.
    Accept,
    /// A replica rejects the proposal.
    ProposalRejected,
    /// The write is committed.
    Commit,
    /// Another coordinator was first: the attempt is repeated.
    Contention,
    /// The unfinished write of another transaction is completed first.
    FinishingOther,
    /// Replicas are sent the last commit that they lack.
    RepairingReplicas,
    /// The transaction applied.
    Applied,
}

impl PaxosStep {
    pub(super) fn mark(self) -> Mark {
        match self {
            Self::ConditionMet | Self::ConditionFailed | Self::Applied | Self::Contention => {
                Mark::Moment
            }
            _ => Mark::Start,
        }
    }
}

pub(super) fn parse(sentence: &str) -> Option<PaxosStep> {
    const EXACT: [(&str, PaxosStep); 9] = [
        ("Reading existing values for CAS precondition", PaxosStep::ReadingRow),
        ("CAS precondition does not match current values", PaxosStep::ConditionFailed),
        ("CAS precondition rejected", PaxosStep::ConditionFailed),
        ("CAS did not apply", PaxosStep::ConditionFailed),
        ("CAS successful", PaxosStep::Applied),
        ("CAS applied successfully", PaxosStep::Applied),
        ("Repairing replicas that missed the most recent commit", PaxosStep::RepairingReplicas),
        ("Paxos proposal not accepted (pre-empted by a higher ballot)", PaxosStep::Contention),
        ("PAXOS proposal not accepted (preempted by a higher ballot)", PaxosStep::Contention),
    ];
    const WITH_PLACES: [(&str, PaxosStep); 24] = [
        (
            "Some replicas have already promised a higher ballot than ours; {}",
            PaxosStep::Contention,
        ),
        ("CAS precondition is met, but ballot stale for proposal; {}", PaxosStep::Contention),
        (
            "CAS precondition is met; proposing client-requested updates for {}",
            PaxosStep::ConditionMet,
        ),
        ("CAS precondition does not match current values {}", PaxosStep::ConditionFailed),
        ("Committing {}; Preparing {}", PaxosStep::Prepare),
        ("Committing proposal {}", PaxosStep::Commit),
        ("Committing decision {}", PaxosStep::Commit),
        ("learn_decision: committing {}", PaxosStep::Commit),
        ("Preparing {} with read", PaxosStep::Prepare),
        ("Preparing {}", PaxosStep::Prepare),
        ("Promising ballot {}", PaxosStep::Promise),
        ("Promising read ballot {}", PaxosStep::Promise),
        ("Promising read/write ballot {}", PaxosStep::Promise),
        ("Permitting only read by ballot {}", PaxosStep::Promise),
        ("Promise confirmed for ballot {}", PaxosStep::Promise),
        ("Promise rejected; {}", PaxosStep::PromiseRejected),
        ("Promise {} rescinded; latest is now {}", PaxosStep::PromiseRejected),
        ("Accepting proposal {}", PaxosStep::Accept),
        ("Rejecting proposal {}", PaxosStep::ProposalRejected),
        ("Finishing incomplete paxos round {}", PaxosStep::FinishingOther),
        ("Refresh {} and Confirm {}", PaxosStep::RepairingReplicas),
        ("prepare_ballot: got more up to date ballot {}", PaxosStep::PromiseRejected),
        ("accept_proposal: proposal is partially {}", PaxosStep::ProposalRejected),
        ("accept_proposal: proposal is fully {}", PaxosStep::ProposalRejected),
    ];
    let exact = EXACT.iter().find(|(template, _)| is_sentence(template, sentence));
    let with_places = || {
        WITH_PLACES.iter().find(|(template, _)| {
            fields::<1>(template, sentence).is_some() || fields::<2>(template, sentence).is_some()
        })
    };
    exact.or_else(with_places).map(|(_, step)| *step)
}
