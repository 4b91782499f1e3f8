//! [`PaxosTrace`]: the trace events of a conditional write. On a single node a lock stands in for
//! Paxos; its rounds are traced as a server with one replica does.

use cql::types::NativeType;
use cql::value;
use storage::{DecoratedKey, PartitionUpdate};

use crate::execute::row_text::{print_empty_update, print_update};
use crate::execute::{Activity, Execution};
use crate::node::handle::TableHandle;

/// The events of one conditional write, which share a ballot.
pub(super) struct PaxosTrace<'a> {
    execution: &'a Execution<'a>,
    /// `None` if the statement is not traced.
    ballot: Option<[u8; 16]>,
}

impl<'a> PaxosTrace<'a> {
    pub(super) fn new(execution: &'a Execution<'a>) -> Self {
        let ballot = execution.is_traced().then(|| execution.node.next_time_id());
        Self { execution, ballot }
    }

    /// Records the first round, before the rows are read.
    pub(super) fn promise(&self) {
        self.record(|ballot| Activity::PreparePaxos { ballot });
        self.record(|ballot| Activity::PromiseBallot { ballot });
        self.write();
        self.record(|_| Activity::ReadForCondition);
    }

    /// Records the second round of a write whose conditions hold.
    pub(super) fn accept(&self, handle: &TableHandle, update: Option<&PartitionUpdate>) {
        let update = || update.map(|update| print_update(handle, update)).unwrap_or_default();
        self.propose(&update);
        let ticks = self.ticks();
        self.record(|ballot| Activity::CommitProposal { ticks, ballot, update: update() });
    }

    /// Records the second round and the end of a write whose conditions do not hold, for which a
    /// server proposes an empty update. `partition` prints the rows that were read.
    pub(super) fn skip(
        &self,
        (handle, key): (&TableHandle, &DecoratedKey),
        partition: impl FnOnce() -> String,
    ) {
        self.record(|_| Activity::ConditionNotMet { partition: partition() });
        self.propose(&|| print_empty_update(handle, key));
        self.record(|_| Activity::ConditionalWriteSkipped);
    }

    fn propose(&self, update: &dyn Fn() -> String) {
        self.record(|ballot| Activity::ConditionMet { ballot });
        let ticks = self.ticks();
        self.record(|ballot| Activity::AcceptProposal { ticks, ballot, update: update() });
        self.write();
    }

    /// Records the end, after the rows were written.
    pub(super) fn end(&self) {
        self.write();
        self.record(|_| Activity::ConditionalWriteApplied);
    }

    fn write(&self) {
        self.record(|_| Activity::AppendToCommitlog);
        self.record(|_| Activity::AddToMemtable { table: "paxos".to_owned() });
    }

    /// The time of the ballot in units of 100 ns since 1582.
    fn ticks(&self) -> u64 {
        let ballot = self.ballot.unwrap_or_default();
        let fields = ballot.first_chunk().map_or(0, |bytes| u64::from_be_bytes(*bytes));
        let (low, middle, high) = (fields >> 32, fields >> 16 & 0xffff, fields & 0x0fff);
        high << 48 | middle << 32 | low
    }

    fn record(&self, activity: impl FnOnce(String) -> Activity) {
        if let Some(ballot) = &self.ballot {
            let ballot = value::literal(&NativeType::Timeuuid.into(), Some(ballot));
            self.execution.trace(|| activity(ballot.unwrap_or_default()));
        }
    }
}
