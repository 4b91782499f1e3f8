//! Tables of a design: columns with their roles and derivations, and the reasons for them.

use std::fmt;

use cql::types::Type;

use super::{PlannedIndex, Volume};
use crate::id::{IdList, ReadId, SourceId, TableId, WriteId};
use crate::workload::{Column, Condition, Source};

/// A table of a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedTable {
    /// Its name.
    pub name: String,
    /// Partition key, clustering columns, then static ones, then the rest.
    pub columns: Vec<PlannedColumn>,
    /// Which rows it holds.
    pub holds: RowDefinition,
    /// Its options.
    pub options: PlannedOptions,
    /// The reads it serves.
    pub serves: Vec<ServedRead>,
    /// The writes that need it to find their rows, where no read needs it.
    pub supports: Vec<WriteId>,
    /// The table whose oldest bucket it records, if that is its purpose.
    pub remembers: Option<TableId>,
    /// Indexes on it, by which reads find rows without its partition key, or within a partition.
    pub indexes: Vec<PlannedIndex>,
    /// The table that this is a materialized view of: the server maintains it, no write changes it.
    pub view_of: Option<TableId>,
    /// How large its partitions are.
    pub volume: Volume,
}

/// Which rows a table holds: the result of a join of entities along references, restricted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowDefinition {
    /// The entities, as in the read that it was made for.
    pub sources: Vec<Source>,
    /// Conditions on constants: only rows that meet them are stored.
    pub filters: Vec<Condition>,
    /// Columns whose null rows are not stored.
    pub not_null: Vec<Column>,
    /// Arrays of which every element makes a separate row.
    pub elements: Vec<Column>,
}

/// A read that a table serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedRead {
    /// The read.
    pub read: ReadId,
    /// For each source of the read the source of the table ([`RowDefinition::sources`]) that it is;
    /// `None` where the table does not hold it (never in the only table of a read).
    pub sources: Vec<Option<SourceId>>,
    /// What of the read comes from this table.
    pub part: ReadPart,
}

/// What of a read comes from a table. Every read has one table of `Rows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReadPart {
    /// Its rows; and all it returns, but for what the other parts add.
    Rows,
    /// The keys of joined rows by which its rows are then read from the table of
    /// [`ReadPart::Rows`]; with what the read returns of those joined rows and the table of the
    /// rows does not have.
    Keys,
    /// Columns that the table of the rows does not have, looked up for each row by the key of the
    /// entity that they are of (it may be the very entity that makes the rows: the table of the
    /// rows is then an inverted index).
    Columns,
    /// The counter attributes, looked up by the key of the entity that each row shows.
    Counters,
    /// The elements of an array too large for a collection, looked up likewise.
    Elements,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedColumn {
    /// Its name.
    pub name: String,
    /// Its CQL type, as declared.
    pub ty: Type,
    /// Its role in the key.
    pub role: ColumnRole,
    /// How its values are derived.
    pub derivation: Derivation,
    /// The reasons for it and for its position.
    pub reasons: Vec<MappingReason>,
}

/// The role of a column, with its Chebotko mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnRole {
    /// `K`
    Partition,
    /// `C`
    Clustering(Direction),
    /// `S`
    Static,
    /// No mark.
    Regular,
    /// `++`
    Counter,
}

impl ColumnRole {
    /// The rank of columns of this role among the columns of a table; equal ranks keep their order.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Partition => 0,
            Self::Clustering(_) => 1,
            Self::Static => 2,
            Self::Regular | Self::Counter => 3,
        }
    }
}

/// The order of a clustering column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Greatest first.
    Descending,
}

/// How the values of a column are derived. Columns are those of [`RowDefinition::sources`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Derivation {
    /// The attribute itself.
    Attribute(Column),
    /// The attribute, or this constant (CQL) where it is null.
    Coalesced(Column, String),
    /// One element of an array.
    Element(Column),
    /// The bucket in which the attribute falls.
    Bucket(Column, Bucket),
    /// A hash of the attributes ([`schema::partitioner::shard`]), modulo `count`.
    Shard {
        /// What is hashed, in this order: the row's key.
        of: Vec<Column>,
        /// How many shards: a power of two.
        count: u32,
    },
    /// The constant 0: one partition (or one per shard) holds all rows.
    Constant,
    /// The first characters of an attribute.
    Prefix(Column, usize),
    /// The number of rows of the group (of those where the column is not null).
    Count(Option<Column>),
    /// The sum of an attribute over the group.
    Sum(Column),
    /// The oldest bucket of another table under the same key.
    Oldest(Bucket),
    /// Its newest bucket, for ranges of a growing integer: their end is not the current time.
    Newest(Bucket),
}

/// The width of a bucket. Buckets of time are counted from 1970, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bucket {
    /// Hours, as the `timestamp` of their start.
    Hours(u16),
    /// Days, as the `date` of the first.
    Days(u16),
    /// Weeks from Monday, as the `date` of the first Monday.
    Weeks(u16),
    /// Months, as the `date` of their first day.
    Months(u16),
    /// A range of a growing integer: value / width, as a `bigint`.
    Range(u64),
}

/// The reason for a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingReason {
    /// The rule.
    pub rule: MappingRule,
    /// The read that requires it; `None` when a write or the volumes do.
    pub read: Option<ReadId>,
    /// One sentence, with the rejected alternative where there was one.
    pub text: String,
}

/// The rules that put columns into tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MappingRule {
    /// MR1: it is stored because it is returned.
    Stored,
    /// MR2: equality.
    Equality,
    /// MR3: range.
    Inequality,
    /// MR4: order.
    Order,
    /// MR5: uniqueness.
    Key,
    /// GROUP BY.
    Group,
    /// The static rule.
    Static,
    /// No equality: a constant partition.
    Constant,
    /// A time or range bucket.
    Bucket,
    /// Hash shards.
    Shard,
    /// The tenant.
    Tenant,
    /// A count or sum.
    Aggregate,
    /// A write needs it.
    Support,
    /// `--key`.
    Forced,
    /// An index on it.
    Index,
}

/// Options of a table, with their reasons. What is `None` is left at the server's default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlannedOptions {
    /// `comment`.
    pub comment: String,
    /// `default_time_to_live`, in seconds.
    pub default_time_to_live: Option<u32>,
    /// `compaction`, as a CQL map.
    pub compaction: Option<String>,
    /// The window of time-window compaction in seconds, if that is the table's.
    pub window: Option<f64>,
    /// `gc_grace_seconds`.
    pub gc_grace_seconds: Option<u32>,
    /// `compression`, as a CQL map.
    pub compression: Option<String>,
    /// `caching`, as a CQL map.
    pub caching: Option<String>,
    /// Names of options and why each is set (or not).
    pub reasons: Vec<(&'static str, String)>,
}

impl PlannedOptions {
    /// Whether they are set: every finished table has a comment.
    pub fn is_finished(&self) -> bool {
        !self.comment.is_empty()
    }
}

impl PlannedTable {
    /// The partition key.
    pub fn partition_key(&self) -> impl Iterator<Item = &PlannedColumn> {
        self.columns.iter().filter(|column| column.role == ColumnRole::Partition)
    }

    /// The clustering columns.
    pub fn clustering(&self) -> impl Iterator<Item = &PlannedColumn> {
        self.columns.iter().filter(|column| matches!(column.role, ColumnRole::Clustering(_)))
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&PlannedColumn> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether it holds counters.
    pub fn is_counter(&self) -> bool {
        self.columns.iter().any(|column| column.role == ColumnRole::Counter)
    }

    /// Whether a row of its entity has a row here from the beginning, with counters at 0: a read
    /// has its rows from here, and a row at 0 is not an absent one.
    pub fn has_initial_zeros(&self) -> bool {
        let mut counters = self.columns.iter().filter(|it| it.role == ColumnRole::Counter);
        self.is_counter()
            && counters.all(|it| matches!(it.derivation, Derivation::Attribute(_)))
            && self.serves.iter().any(|served| served.part == ReadPart::Rows)
    }

    /// The bucket in its partition key: its column, what it is made from and its width.
    pub fn bucket(&self) -> Option<(&PlannedColumn, Column, Bucket)> {
        self.partition_key().find_map(|column| match column.derivation {
            Derivation::Bucket(of, bucket) => Some((column, of, bucket)),
            _ => None,
        })
    }

    /// The shards of its partition key; 1 without.
    pub fn shards(&self) -> u32 {
        self.partition_key()
            .find_map(|column| match column.derivation {
                Derivation::Shard { count, .. } => Some(count),
                _ => None,
            })
            .unwrap_or(1)
    }
}

impl ServedRead {
    /// The table's name for a column of the read; `None` when the table does not hold its source.
    pub fn column(&self, column: Column) -> Option<Column> {
        let source = self.sources.member(column.source).copied().flatten()?;
        Some(Column { source, attribute: column.attribute })
    }
}

impl Derivation {
    /// The columns that it uses.
    pub fn columns(&self) -> &[Column] {
        match self {
            Self::Attribute(of)
            | Self::Coalesced(of, _)
            | Self::Element(of)
            | Self::Bucket(of, _)
            | Self::Prefix(of, _)
            | Self::Count(Some(of))
            | Self::Sum(of) => std::slice::from_ref(of),
            Self::Shard { of, .. } => of,
            Self::Count(None) | Self::Constant | Self::Oldest(_) | Self::Newest(_) => &[],
        }
    }
}

impl PlannedColumn {
    /// Part of the primary key.
    pub fn is_key(&self) -> bool {
        matches!(self.role, ColumnRole::Partition | ColumnRole::Clustering(_))
    }
}

impl Bucket {
    /// An hour.
    pub const HOUR: Self = Self::Hours(1);
    /// A day.
    pub const DAY: Self = Self::Days(1);
    /// A week.
    pub const WEEK: Self = Self::Weeks(1);
    /// A month.
    pub const MONTH: Self = Self::Months(1);
    /// A year.
    pub const YEAR: Self = Self::Months(12);

    /// Days that it covers, on average; `None` for a range of integers.
    pub fn days(self) -> Option<f64> {
        match self {
            Self::Hours(count) => Some(f64::from(count) / 24.0),
            Self::Days(count) => Some(f64::from(count)),
            Self::Weeks(count) => Some(f64::from(count) * 7.0),
            Self::Months(count) => Some(f64::from(count) * 365.25 / 12.0),
            Self::Range(_) => None,
        }
    }

    /// So many hours, days, weeks or months in place of one, where they are fewer than make the
    /// next longer unit.
    pub fn times(self, count: u16) -> Option<Self> {
        match self {
            Self::HOUR if count < 24 => Some(Self::Hours(count)),
            Self::DAY if count < 7 => Some(Self::Days(count)),
            Self::WEEK if count < 5 => Some(Self::Weeks(count)),
            Self::MONTH if count < 12 => Some(Self::Months(count)),
            _ => None,
        }
    }

    /// The name of its column.
    pub const fn column_name(self) -> &'static str {
        match self {
            Self::HOUR => "hour",
            Self::DAY => "day",
            Self::WEEK => "week",
            Self::MONTH => "month",
            Self::YEAR => "year",
            Self::Hours(_) => "hour_bucket",
            Self::Days(_) => "day_bucket",
            Self::Weeks(_) => "week_bucket",
            Self::Months(_) => "month_bucket",
            Self::Range(_) => "range",
        }
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::HOUR | Self::DAY | Self::WEEK | Self::MONTH | Self::YEAR => {
                f.write_str(self.column_name())
            }
            Self::Hours(count) => write!(f, "{count}-hour period"),
            Self::Days(count) => write!(f, "{count}-day period"),
            Self::Weeks(count) => write!(f, "{count}-week period"),
            Self::Months(count) => write!(f, "{count}-month period"),
            Self::Range(width) => write!(f, "range of {width}"),
        }
    }
}

impl MappingRule {
    /// Its short name, as reports show it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stored => "MR1",
            Self::Equality => "MR2",
            Self::Inequality => "MR3",
            Self::Order => "MR4",
            Self::Key => "MR5",
            Self::Group => "group",
            Self::Static => "static rule",
            Self::Constant => "no equality",
            Self::Bucket => "bucket",
            Self::Shard => "shards",
            Self::Tenant => "tenant",
            Self::Aggregate => "aggregate",
            Self::Support => "support",
            Self::Forced => "--key",
            Self::Index => "index",
        }
    }
}
