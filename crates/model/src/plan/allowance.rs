//! Findings of `helenus check` that a design causes on purpose: the files of the design allow them,
//! each with its reason.

use std::fmt;

use super::names::list_names;
use crate::figures::{format_bytes, format_count, format_rate, pluralise};
use crate::id::{ReadId, TableId, WriteId};

/// A decision that rules of `helenus check` report.
#[derive(Clone, Debug, PartialEq)]
pub struct Allowance {
    /// The statements that show it.
    pub on: AllowedStatements,
    /// The decision.
    pub reason: AllowanceReason,
}

/// The statements that show a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllowedStatements {
    /// Those that create a table and its indexes.
    Table(TableId),
    /// Those of a read.
    Read(ReadId),
    /// Those of a write.
    Write(WriteId),
}

/// A decision of a design that rules report.
#[derive(Clone, Debug, PartialEq)]
pub enum AllowanceReason {
    /// Partitions are as large as the bound allows.
    WithinBound {
        /// Rows that a partition may have.
        rows_max: f64,
        /// Bytes that it may have.
        bytes_max: f64,
    },
    /// Time alone is the partition key, because the queries give nothing else.
    TimeAlone {
        /// The queries.
        reads: Vec<String>,
        /// Writes per second of the hottest partition.
        writes: f64,
        /// Writes per second from which it would have shards.
        limit: f64,
    },
    /// The key of the table is a key of the model: no two rows share it.
    UniqueKey,
    /// The partition key is what queries give.
    GivenKey {
        /// The queries.
        reads: Vec<String>,
    },
    /// A column that may change is in the key, because queries search or order by it.
    ChangedKey {
        /// The writes that change it.
        writes: Vec<String>,
    },
    /// Arrays of SQL are lists.
    Lists {
        /// The columns.
        columns: Vec<String>,
    },
    /// Collections are not frozen, although the writes of today set them as a whole.
    WholeCollections {
        /// The columns.
        columns: Vec<String>,
    },
    /// The table has the columns that its queries select, and no others.
    SelectedColumns {
        /// The queries.
        reads: Vec<String>,
    },
    /// An index is cheaper than a table of its own.
    Index {
        /// The queries with their rates per second.
        reads: Vec<(String, f64)>,
    },
    /// One table serves several queries, in the order of some of them.
    SharedTable {
        /// The queries.
        reads: Vec<String>,
    },
    /// A write reads rows of other tables, whose values it copies.
    CopiedValues,
    /// A read looks up rows of several tables by their keys, which is cheaper than copies.
    Lookups,
    /// By the mapping rules alone, each query has tables of its own.
    TablesPerQuery,
    /// The search found no key with a lower price.
    CheapestKey,
    /// The whole table is so small and so rarely used that one partition could hold it.
    SmallTable {
        /// Its bytes at the end of the planning period.
        bytes: f64,
    },
    /// Reads meet few tombstones.
    FewTombstones {
        /// How many each, on average, at most.
        met: f64,
    },
    /// The compaction strategy is the default, although rows expire.
    DefaultCompaction,
    /// A timestamp below those of all others keeps the first value.
    FirstValue {
        /// The table whose oldest bucket is kept.
        table: String,
    },
    /// Copies of one fact are written together.
    Copies,
    /// The row is created before any conditional write of it.
    FirstWrite,
    /// Each of several keys is checked in a table of its own.
    SeveralKeys,
    /// The statement deletes a row whose numbers are counters.
    DeletedCounters,
    /// A row that is there already may have a value that must go.
    ClearedValues,
}

impl AllowanceReason {
    /// The codes of the rules that report it.
    pub const fn rules(&self) -> &'static [&'static str] {
        match self {
            Self::WithinBound { .. } => &["PK014", "PS003", "PS004"],
            Self::TimeAlone { .. } => &["PK004"],
            Self::UniqueKey => &["CK009", "CK018"],
            Self::GivenKey { .. } => &["PK005", "PK014"],
            Self::ChangedKey { .. } => &["CK010"],
            Self::Lists { .. } => &["CO004", "CO005", "CO006"],
            Self::WholeCollections { .. } => &["CO007", "CO008"],
            Self::SelectedColumns { .. } => &["DM002"],
            Self::Index { .. } => &["IX004", "IX005", "IX006", "IX023"],
            Self::SharedTable { .. } => &["CK001"],
            Self::CopiedValues | Self::Lookups => &["DM001"],
            Self::TablesPerQuery => &["DM006"],
            Self::CheapestKey => &["CK001", "PK012"],
            Self::SmallTable { .. } => &["PK001", "PK002", "PK003"],
            Self::FewTombstones { .. } => &["QP021", "TB001", "TB002", "TB004"],
            Self::DefaultCompaction => &["CP004"],
            Self::FirstValue { .. } => &["QP017"],
            Self::Copies => &["BA001", "BA003"],
            Self::FirstWrite => &["LW002"],
            Self::SeveralKeys => &["LW007"],
            Self::DeletedCounters => &["CN005"],
            Self::ClearedValues => &["TB003"],
        }
    }
}

impl fmt::Display for AllowanceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithinBound { rows_max, bytes_max } => write!(
                f,
                "within the bound of {} rows and {} per partition (--max-rows, --max-partition)",
                format_count(*rows_max),
                format_bytes(*bytes_max)
            ),
            Self::TimeAlone { reads, writes, limit } => write!(
                f,
                "{} gives no other key; {} writes at the hottest, shards are added above {}",
                list_names(reads),
                format_rate(*writes),
                format_rate(*limit)
            ),
            Self::GivenKey { reads } => write!(f, "{} gives its value", list_names(reads)),
            Self::ChangedKey { writes } if writes.is_empty() => {
                f.write_str("queries search or order by it, and no write changes it")
            }
            Self::ChangedKey { writes } => {
                write!(f, "queries search or order by it; {} moves the row", list_names(writes))
            }
            Self::SelectedColumns { reads } if reads.is_empty() => {
                f.write_str("the writes that read it need no other columns")
            }
            Self::SelectedColumns { reads } => {
                write!(f, "{} selects no other columns", list_names(reads))
            }
            Self::Index { reads } => {
                let reads: Vec<String> = reads
                    .iter()
                    .map(|(read, rate)| format!("{read} ({})", format_rate(*rate)))
                    .collect();
                write!(f, "cheaper than a separate table for {}", reads.join(", "))
            }
            Self::SharedTable { reads } => {
                write!(f, "one table for {} is cheaper than a table for each", list_names(reads))
            }
            Self::SmallTable { bytes } => write!(
                f,
                "the whole table reaches {}, which one partition could hold",
                format_bytes(*bytes)
            ),
            Self::FewTombstones { met } => {
                write!(f, "a read meets {} on average", pluralise(*met, "tombstone"))
            }
            Self::FirstValue { table } => write!(
                f,
                "a timestamp that decreases with later buckets keeps the oldest bucket of {table}"
            ),
            other => f.write_str(other.constant_text()),
        }
    }
}

impl AllowanceReason {
    /// The sentence of a reason that has no figures.
    const fn constant_text(&self) -> &'static str {
        match self {
            Self::UniqueKey => "the keys of the model make it unique",
            Self::Lists { .. } => {
                "an SQL array keeps order and duplicates; mark it as a set in the model file if they do not matter"
            }
            Self::WholeCollections { .. } => {
                "the SQL writes the array as a whole; not frozen, so that elements can be added later"
            }
            Self::CopiedValues => "the write copies the values that it reads",
            Self::Lookups => {
                "lookups by key are cheaper than copies of the columns at the stated rates"
            }
            Self::TablesPerQuery => "--rules-only gives each query tables of its own",
            Self::CheapestKey => "no key is cheaper at the stated volumes and rates",
            Self::DefaultCompaction => {
                "rows are also updated or deleted, so that no time window could be dropped as a whole"
            }
            Self::Copies => "copies of one fact: all of them are written, or none",
            Self::FirstWrite => "the row is created before any write of it with IF",
            Self::SeveralKeys => "each table enforces one key of the row",
            Self::DeletedCounters => "the SQL deletes the row; do not use its key again",
            Self::ClearedValues => "the row may exist and have a value",
            _ => "",
        }
    }
}
