//! The content of notes, as facts by family: one file each. The sentence is a topic's `Display`,
//! the advice its `help`.

mod aggregate;
mod bound;
mod bucket;
mod heat;
mod index;
mod key;
mod null;
mod read;
mod size;
mod spread;
mod table;
mod workload;
mod write;
mod write_gap;

use std::fmt;

pub use aggregate::{AggregateMethod, AggregateReason, AggregateTopic};
pub use bound::BoundTopic;
pub use bucket::BucketTopic;
pub use heat::HeatTopic;
pub use index::{IndexAlternative, IndexKind, IndexSearch, TableCost};
pub use key::{KeyColumns, KeyReplacement, KeyTopic};
pub use null::{NullTopic, NullUse, NullWrite};
pub use read::{FanOutCause, ListVerdict, ReadTopic};
pub use size::{PartitionExcess, SizeTopic, SplitObstacle};
pub use spread::{Imbalance, SpreadTopic};
pub use table::{RowFactor, TableTopic};
pub use workload::{Departure, WorkloadTopic};
pub use write::WriteTopic;
pub use write_gap::WriteGapTopic;

use crate::assumption::AssumptionTopic;

/// The content of a note.
#[derive(Clone, Debug, PartialEq)]
pub enum Topic {
    /// Keys: what cannot be part of one, and what they do to rows.
    Key(KeyTopic),
    /// The size of partitions and rows.
    Size(SizeTopic),
    /// The heat of partitions.
    Heat(HeatTopic),
    /// How partitions spread over nodes, and rows over partitions.
    Spread(SpreadTopic),
    /// The assumptions behind buckets.
    Bucket(BucketTopic),
    /// Keys made from what may be null.
    Null(NullTopic),
    /// The fan-out, lists and tombstones of a read.
    Read(ReadTopic),
    /// The amplification of a write.
    Write(WriteTopic),
    /// Reads and writes together: parameters, consistency, queues.
    Workload(WorkloadTopic),
    /// Writes that are lacking.
    WriteGap(WriteGapTopic),
    /// How counted and summed values are kept.
    Aggregate(AggregateTopic),
    /// What a table is made of.
    Table(TableTopic),
    /// Bounds of the search that cannot be met.
    Bound(BoundTopic),
    /// Figures that the model file does not give.
    Assumption(AssumptionTopic),
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(topic) => topic.fmt(f),
            Self::Size(topic) => topic.fmt(f),
            Self::Heat(topic) => topic.fmt(f),
            Self::Spread(topic) => topic.fmt(f),
            Self::Bucket(topic) => topic.fmt(f),
            Self::Null(topic) => topic.fmt(f),
            Self::Read(topic) => topic.fmt(f),
            Self::Write(topic) => topic.fmt(f),
            Self::Workload(topic) => topic.fmt(f),
            Self::WriteGap(topic) => topic.fmt(f),
            Self::Aggregate(topic) => topic.fmt(f),
            Self::Table(topic) => topic.fmt(f),
            Self::Bound(topic) => topic.fmt(f),
            Self::Assumption(topic) => topic.fmt(f),
        }
    }
}

impl Topic {
    /// The codes of the rules of `helenus check` that report the same of the files of the design.
    pub const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::Key(topic) => topic.rules(),
            Self::Size(topic) => topic.rules(),
            Self::Heat(topic) => topic.rules(),
            Self::Spread(topic) => topic.rules(),
            Self::Read(topic) => topic.rules(),
            Self::Write(topic) => topic.rules(),
            Self::Workload(topic) => topic.rules(),
            Self::Table(topic) => topic.rules(),
            Self::Bucket(_)
            | Self::Null(_)
            | Self::WriteGap(_)
            | Self::Aggregate(_)
            | Self::Bound(_)
            | Self::Assumption(_) => &[],
        }
    }

    /// The advice: one imperative.
    pub fn help(&self) -> String {
        match self {
            Self::Key(topic) => topic.help(),
            Self::Size(topic) => topic.help(),
            Self::Heat(topic) => topic.help(),
            Self::Spread(topic) => topic.help(),
            Self::Bucket(topic) => topic.help(),
            Self::Null(topic) => topic.help(),
            Self::Read(topic) => topic.help(),
            Self::Write(topic) => topic.help().to_owned(),
            Self::Workload(topic) => topic.help().to_owned(),
            Self::WriteGap(topic) => topic.help(),
            Self::Aggregate(topic) => topic.help().to_owned(),
            Self::Table(topic) => topic.help(),
            Self::Bound(topic) => topic.help().to_owned(),
            Self::Assumption(topic) => topic.help(),
        }
    }
}

macro_rules! families {
    ($($family:ident: $topic:ident),*) => {
        $(impl From<$topic> for Topic {
            fn from(topic: $topic) -> Self {
                Self::$family(topic)
            }
        })*
    };
}

families!(
    Key: KeyTopic,
    Size: SizeTopic,
    Heat: HeatTopic,
    Spread: SpreadTopic,
    Bucket: BucketTopic,
    Null: NullTopic,
    Read: ReadTopic,
    Write: WriteTopic,
    Workload: WorkloadTopic,
    WriteGap: WriteGapTopic,
    Aggregate: AggregateTopic,
    Table: TableTopic,
    Bound: BoundTopic,
    Assumption: AssumptionTopic
);
