//! The parts of a stored table definition that mirror enums of the plan.

use model::id::{AttributeId, SourceId};
use model::plan::{Bucket, ColumnRole, Derivation, Direction};
use model::workload::{Column, Comparison};
use serde::{Deserialize, Serialize};

/// A column of the sources: the positions of the source and of its attribute.
pub(super) type StoredColumn = (usize, usize);

/// The role of a column.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredRole {
    Partition,
    Ascending,
    Descending,
    Static,
    Regular,
    Counter,
}

/// How the values of a column are derived.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredDerivation {
    Attribute(StoredColumn),
    Coalesced(StoredColumn, String),
    Element(StoredColumn),
    Bucket(StoredColumn, StoredBucket),
    Shard { of: Vec<StoredColumn>, count: u32 },
    Constant,
    Prefix(StoredColumn, usize),
    Count(Option<StoredColumn>),
    Sum(StoredColumn),
    Oldest(StoredBucket),
    Newest(StoredBucket),
}

/// The width of a bucket.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredBucket {
    Hours(u16),
    Days(u16),
    Weeks(u16),
    Months(u16),
    Range(u64),
}

/// How a value is compared.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum StoredComparison {
    #[serde(rename = "=")]
    Equal,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "<=")]
    LessOrEqual,
    #[serde(rename = ">")]
    Greater,
    #[serde(rename = ">=")]
    GreaterOrEqual,
}

pub(super) const fn store_column(column: Column) -> StoredColumn {
    (column.source.index(), column.attribute.index())
}

pub(super) const fn read_column((source, attribute): StoredColumn) -> Column {
    Column { source: SourceId::new(source), attribute: AttributeId::new(attribute) }
}

impl From<ColumnRole> for StoredRole {
    fn from(role: ColumnRole) -> Self {
        match role {
            ColumnRole::Partition => Self::Partition,
            ColumnRole::Clustering(Direction::Ascending) => Self::Ascending,
            ColumnRole::Clustering(Direction::Descending) => Self::Descending,
            ColumnRole::Static => Self::Static,
            ColumnRole::Regular => Self::Regular,
            ColumnRole::Counter => Self::Counter,
        }
    }
}

impl From<StoredRole> for ColumnRole {
    fn from(role: StoredRole) -> Self {
        match role {
            StoredRole::Partition => Self::Partition,
            StoredRole::Ascending => Self::Clustering(Direction::Ascending),
            StoredRole::Descending => Self::Clustering(Direction::Descending),
            StoredRole::Static => Self::Static,
            StoredRole::Regular => Self::Regular,
            StoredRole::Counter => Self::Counter,
        }
    }
}

impl From<&Derivation> for StoredDerivation {
    fn from(derivation: &Derivation) -> Self {
        match derivation {
            Derivation::Attribute(of) => Self::Attribute(store_column(*of)),
            Derivation::Coalesced(of, null) => Self::Coalesced(store_column(*of), null.clone()),
            Derivation::Element(of) => Self::Element(store_column(*of)),
            Derivation::Bucket(of, width) => Self::Bucket(store_column(*of), (*width).into()),
            Derivation::Shard { of, count } => {
                Self::Shard { of: of.iter().copied().map(store_column).collect(), count: *count }
            }
            Derivation::Constant => Self::Constant,
            Derivation::Prefix(of, length) => Self::Prefix(store_column(*of), *length),
            Derivation::Count(of) => Self::Count(of.map(store_column)),
            Derivation::Sum(of) => Self::Sum(store_column(*of)),
            Derivation::Oldest(width) => Self::Oldest((*width).into()),
            Derivation::Newest(width) => Self::Newest((*width).into()),
        }
    }
}

impl From<StoredDerivation> for Derivation {
    fn from(derivation: StoredDerivation) -> Self {
        match derivation {
            StoredDerivation::Attribute(of) => Self::Attribute(read_column(of)),
            StoredDerivation::Coalesced(of, null) => Self::Coalesced(read_column(of), null),
            StoredDerivation::Element(of) => Self::Element(read_column(of)),
            StoredDerivation::Bucket(of, width) => Self::Bucket(read_column(of), width.into()),
            StoredDerivation::Shard { of, count } => {
                Self::Shard { of: of.into_iter().map(read_column).collect(), count }
            }
            StoredDerivation::Constant => Self::Constant,
            StoredDerivation::Prefix(of, length) => Self::Prefix(read_column(of), length),
            StoredDerivation::Count(of) => Self::Count(of.map(read_column)),
            StoredDerivation::Sum(of) => Self::Sum(read_column(of)),
            StoredDerivation::Oldest(width) => Self::Oldest(width.into()),
            StoredDerivation::Newest(width) => Self::Newest(width.into()),
        }
    }
}

impl From<Bucket> for StoredBucket {
    fn from(bucket: Bucket) -> Self {
        match bucket {
            Bucket::Hours(count) => Self::Hours(count),
            Bucket::Days(count) => Self::Days(count),
            Bucket::Weeks(count) => Self::Weeks(count),
            Bucket::Months(count) => Self::Months(count),
            Bucket::Range(width) => Self::Range(width),
        }
    }
}

impl From<StoredBucket> for Bucket {
    fn from(bucket: StoredBucket) -> Self {
        match bucket {
            StoredBucket::Hours(count) => Self::Hours(count),
            StoredBucket::Days(count) => Self::Days(count),
            StoredBucket::Weeks(count) => Self::Weeks(count),
            StoredBucket::Months(count) => Self::Months(count),
            StoredBucket::Range(width) => Self::Range(width),
        }
    }
}

impl From<Comparison> for StoredComparison {
    fn from(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Equal => Self::Equal,
            Comparison::Less => Self::Less,
            Comparison::LessOrEqual => Self::LessOrEqual,
            Comparison::Greater => Self::Greater,
            Comparison::GreaterOrEqual => Self::GreaterOrEqual,
        }
    }
}

impl From<StoredComparison> for Comparison {
    fn from(comparison: StoredComparison) -> Self {
        match comparison {
            StoredComparison::Equal => Self::Equal,
            StoredComparison::Less => Self::Less,
            StoredComparison::LessOrEqual => Self::LessOrEqual,
            StoredComparison::Greater => Self::Greater,
            StoredComparison::GreaterOrEqual => Self::GreaterOrEqual,
        }
    }
}
