//! [`Step`]: what a server says it did, as data. The sentences are those of Cassandra 3.11 to 5.0
//! and of `ScyllaDB`; one file for each family. A sentence that no file knows is [`Step::Other`].

mod failure;
mod index;
mod message;
mod paxos;
mod range;
mod read;
mod request;
mod scylla;
mod sstable;
mod write;

pub use failure::FailureStep;
pub use index::IndexStep;
pub use message::{MessageStep, ReadKind};
pub use paxos::PaxosStep;
pub use range::RangeStep;
pub use read::{ReadCounts, ReadStep};
pub use request::RequestStep;
pub use sstable::{SstableStep, SstableUse};
pub use write::WriteStep;

/// What an event of a trace says.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The statement is parsed and prepared.
    Request(RequestStep),
    /// A node reads.
    Read(ReadStep),
    /// A read asks one `SSTable`.
    Sstable(SstableStep),
    /// An index is chosen or searched.
    Index(IndexStep),
    /// The coordinator asks token ranges.
    Range(RangeStep),
    /// A message between nodes, or what it causes.
    Message(MessageStep),
    /// A round of a lightweight transaction.
    Paxos(PaxosStep),
    /// A node writes.
    Write(WriteStep),
    /// Something went wrong.
    Failure(FailureStep),
    /// A sentence that is not known.
    Other,
}

/// Where the work that a sentence names lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// After the sentence: it announces the work.
    Start,
    /// Before the sentence: it reports the work.
    End,
    /// Nowhere: it notes a moment, such as a message that leaves.
    Moment,
}

impl Step {
    /// Reads a sentence.
    pub fn parse(sentence: &str) -> Self {
        let sentence = sentence.trim();
        request::parse(sentence)
            .map(Self::Request)
            .or_else(|| read::parse(sentence).map(Self::Read))
            .or_else(|| sstable::parse(sentence).map(Self::Sstable))
            .or_else(|| index::parse(sentence).map(Self::Index))
            .or_else(|| range::parse(sentence).map(Self::Range))
            .or_else(|| message::parse(sentence).map(Self::Message))
            .or_else(|| paxos::parse(sentence).map(Self::Paxos))
            .or_else(|| write::parse(sentence).map(Self::Write))
            .or_else(|| failure::parse(sentence).map(Self::Failure))
            .or_else(|| scylla::parse(sentence))
            .unwrap_or(Self::Other)
    }

    /// Where its work lies.
    pub fn mark(&self) -> Mark {
        match self {
            Self::Request(step) => step.mark(),
            Self::Read(step) => step.mark(),
            Self::Sstable(_) => Mark::Start,
            Self::Index(step) => step.mark(),
            Self::Range(step) => step.mark(),
            Self::Message(step) => step.mark(),
            Self::Paxos(step) => step.mark(),
            Self::Write(step) => step.mark(),
            Self::Failure(_) => Mark::Moment,
            Self::Other => Mark::Start,
        }
    }
}
