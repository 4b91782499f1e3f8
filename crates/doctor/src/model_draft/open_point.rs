//! What a draft could not know, and what it assumed instead.

use std::fmt;

use model::figures::{format_bytes, format_count, format_rate};

use crate::snapshot::StatementOrigin;

cql::named_enum! {
    /// What a remark asks of the reader.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum OpenPointKind {
        Evidence => "evidence",
        Assumption => "assumed",
        Unknown => "unknown",
        Omission => "left out",
    }
}

/// A remark on a table, a column or a statement of the draft.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenPoint {
    /// A table holds the same rows as another, by another key.
    Copy {
        /// The copy.
        table: String,
        /// The table whose key is taken.
        base: String,
        /// The columns that both have.
        shared: usize,
        /// Whether it is a materialized view.
        is_view: bool,
    },
    /// A table looks like a copy of another, but may hold other rows.
    PossibleCopy {
        /// The other table.
        other: String,
    },
    /// A bucket that follows from a time is no column of the entity.
    BucketLeftOut {
        /// The table.
        table: String,
        /// The bucket.
        column: String,
        /// The time that it is computed from.
        time: String,
    },
    /// A bucket that follows from no column stays.
    BucketKept {
        /// The bucket.
        column: String,
    },
    /// The column is the key of a copy, and so has no value twice.
    UniqueByCopy {
        /// The column.
        column: String,
        /// The copy.
        copy: String,
    },
    /// The type has no equal in SQL.
    TypeSubstituted {
        /// The column.
        column: String,
        /// The type in CQL.
        ty: String,
    },
    /// A column has one value for each partition.
    StaticColumn {
        /// The column.
        column: String,
        /// The partition key.
        key: String,
    },
    /// Only some of the copies have the column.
    ColumnOfCopy {
        /// The column.
        column: String,
        /// The copy that has it.
        copy: String,
    },
    /// A reference by name and type alone.
    ReferenceByName {
        /// The column.
        column: String,
        /// The table that it may refer to.
        target: String,
    },
    /// A reference that would close a cycle, or of which several tables may be the target.
    ReferenceOmitted {
        /// The column.
        column: String,
        /// The tables that it may refer to.
        targets: String,
    },
    /// The volume of a table was not measured.
    VolumeUnknown,
    /// Partitions were counted, their rows were not.
    PartitionRowsUnknown {
        /// The partitions.
        partitions: f64,
    },
    /// Rows were counted from partitions, and partitions on fewer nodes than there are copies.
    RowsOfOneNode {
        /// The nodes whose figures are there.
        nodes: usize,
        /// The copies.
        copies: u64,
    },
    /// The bytes of a row were measured, those of each column were not.
    BytesSpread,
    /// How rows and bytes were counted.
    Measured {
        /// The table.
        table: String,
        /// Partitions in the cluster.
        partitions: f64,
        /// Rows of a partition at p50, p99 and at most.
        rows: [Option<f64>; 3],
        /// The bytes of a partition at p50, p99 and at most.
        bytes: [Option<f64>; 3],
    },
    /// What replicas counted since they started.
    LocalRates {
        /// Reads a second, over all nodes.
        reads: Option<f64>,
        /// Writes a second, over all nodes.
        writes: Option<f64>,
    },
    /// Statements write with a TTL whose value is not known.
    TtlUnknown,
    /// Tables that are merged have different TTLs.
    RetentionDiffers {
        /// The table.
        table: String,
        /// Its TTL in seconds.
        seconds: i32,
    },
    /// The rate was not seen, or no time was.
    RateUnknown {
        /// Occurrences.
        count: u64,
    },
    /// The rate is a lower bound, because the source does not list every request.
    RateIsLowerBound {
        /// The source.
        origin: StatementOrigin,
        /// Occurrences.
        count: u64,
    },
    /// The rate is that of the source.
    RateSeen {
        /// The source.
        origin: StatementOrigin,
        /// Occurrences.
        count: u64,
        /// The seconds that the source covers.
        seconds: f64,
    },
    /// What the statement said, and the translation does not.
    Change(StatementChange),
    /// The statement was seen with lists of values.
    ListLength {
        /// The most values of a list.
        most: u64,
    },
    /// The statement was seen on copies, too.
    AlsoOnCopy {
        /// The copy.
        copy: String,
    },
}

cql::named_enum! {
    /// Differences between a statement and its translation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum StatementChange {
        AllowFiltering => "the statement needs ALLOW FILTERING today",
        PageLimit => "the LIMIT in a replica's log is that of a page, so it is left out",
        ClusteringOrder => "the order is that of the table today, on which the LIMIT relies",
        PerPartitionLimit => "PER PARTITION LIMIT has no equal in SQL: all rows are read",
        CellMetadata => "WRITETIME and TTL have no equal in SQL: store a time in a column if it is needed",
        ComputedResult => "a computed result is read as its columns",
        Json => "the JSON form is written as columns",
        BucketCondition => "the condition on the bucket is left out",
        BucketRange => "the condition on the bucket is now a range of the time that it is computed from",
        PrefixSearch => "LIKE is taken for a search by prefix",
        WholeCollection => "elements of the collection are written one by one today, here the whole value is",
        OneElement => "one element is added or removed at a time",
        Upsert => "no INSERT was seen, so the UPDATE creates rows, too",
        FullRead => "it reads the whole table; remove it if that is a job and not a request",
        Timestamp => "USING TIMESTAMP is left out",
        AllColumns => "the columns of the JSON document are not known: all are written",
        WritesCopy => "only the copy was seen to be written",
    }
}

impl OpenPoint {
    /// What it asks of the reader.
    pub fn kind(&self) -> OpenPointKind {
        use StatementChange::{
            AllColumns, ClusteringOrder, ComputedResult, FullRead, OneElement, PrefixSearch,
            Upsert, WholeCollection, WritesCopy,
        };
        match self {
            Self::Copy { .. }
            | Self::ListLength { .. }
            | Self::Measured { .. }
            | Self::LocalRates { .. }
            | Self::RateSeen { .. }
            | Self::AlsoOnCopy { .. } => OpenPointKind::Evidence,
            Self::BucketLeftOut { .. } | Self::ReferenceOmitted { .. } => OpenPointKind::Omission,
            Self::VolumeUnknown
            | Self::PartitionRowsUnknown { .. }
            | Self::TtlUnknown
            | Self::PossibleCopy { .. }
            | Self::RetentionDiffers { .. }
            | Self::RateUnknown { .. } => OpenPointKind::Unknown,
            Self::Change(
                ClusteringOrder | AllColumns | FullRead | OneElement | PrefixSearch | Upsert
                | WholeCollection | WritesCopy | ComputedResult,
            ) => OpenPointKind::Assumption,
            Self::Change(StatementChange::AllowFiltering) => OpenPointKind::Evidence,
            Self::Change(_) => OpenPointKind::Omission,
            _ => OpenPointKind::Assumption,
        }
    }
}

impl fmt::Display for OpenPoint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copy { table, base, is_view: true, .. } => {
                write!(out, "{table} is a materialized view of {base}")
            }
            Self::Copy { table, base, shared, .. } => write!(
                out,
                "{table} is a copy of {base}: each has the key of the other, and {shared} columns have the same name and type"
            ),
            Self::PossibleCopy { other } => write!(
                out,
                "whether this is a copy of {other}, which has the same key attributes; if it is, remove one of them and move its statements"
            ),
            Self::BucketLeftOut { table, column, time } => write!(
                out,
                "{column} of {table}, a bucket that is computed from {time}; the design adds buckets where they are needed"
            ),
            Self::BucketKept { column } => write!(
                out,
                "{column} may only divide partitions; remove it here and in the statements if it follows from other columns"
            ),
            Self::UniqueByCopy { column, copy } => {
                write!(out, "{column} is unique and never null, as it is the whole key of {copy}")
            }
            Self::TypeSubstituted { column, ty } => {
                write!(out, "{column} is {ty}, which SQL does not have")
            }
            Self::StaticColumn { column, key } => write!(
                out,
                "{column} is static, one value for each {key}; it may belong to a table of its own"
            ),
            Self::ColumnOfCopy { column, copy } => write!(
                out,
                "{column} is an attribute of the same rows, though only {copy} has it; it may belong to another table"
            ),
            Self::ReferenceByName { column, target } => {
                write!(out, "{column} refers to {target}, by its name and type")
            }
            Self::ReferenceOmitted { column, targets } => {
                write!(out, "{column} may refer to {targets}")
            }
            Self::Change(change) => out.write_str(change.name()),
            Self::AlsoOnCopy { copy } => write!(out, "the same write to {copy}"),
            Self::ListLength { most } => write!(out, "lists of up to {most} values were seen"),
            _ => self.write_figures(out),
        }
    }
}

impl OpenPoint {
    /// Writes a remark on volumes and rates.
    fn write_figures(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::VolumeUnknown => {
                out.write_str("the rows; no source tells the number of partitions")
            }
            Self::PartitionRowsUnknown { partitions } => write!(
                out,
                "the rows; there are {} partitions, but no source tells the cells of one",
                format_count(*partitions)
            ),
            Self::RowsOfOneNode { nodes, copies } => write!(
                out,
                "the nodes that were looked at ({nodes}) hold every row, as there are {copies} copies of each; multiply the rows if there are more nodes"
            ),
            Self::Measured { table, partitions, rows, bytes } => {
                write!(out, "{table} has {} partitions", format_count(*partitions))?;
                write_percentiles(out, "of", "rows", rows, format_count)?;
                write_percentiles(out, "and", "", bytes, format_bytes)
            }
            Self::LocalRates { reads, writes } => {
                out.write_str("replicas counted")?;
                let parts = [(reads, "reads"), (writes, "writes")];
                let parts = parts.iter().filter_map(|(rate, what)| rate.map(|rate| (rate, what)));
                for (at, (rate, what)) in parts.enumerate() {
                    let blank = if at == 0 { " " } else { " and " };
                    write!(out, "{blank}{} {what}", format_rate(rate))?;
                }
                out.write_str(", each request once on every replica that it reached")
            }
            Self::BytesSpread => out.write_str(
                "the bytes of a row are spread evenly over its texts; only their sum is measured",
            ),
            Self::TtlUnknown => out.write_str(
                "the time that rows live; statements write with a TTL that the sources do not tell",
            ),
            Self::RetentionDiffers { table, seconds } => {
                write!(
                    out,
                    "whether rows expire; the TTL of {table} is {seconds} s, and others differ"
                )
            }
            Self::RateUnknown { count: 0 } => out.write_str("the rate; the source does not count"),
            Self::RateUnknown { count } => {
                write!(
                    out,
                    "the rate; it was seen {count} times, within less than a second or without times"
                )
            }
            Self::RateIsLowerBound { origin, count } => write!(
                out,
                "the rate, from {count} occurrences in the {}, which lists only some requests: a lower bound",
                origin.name()
            ),
            Self::RateSeen { origin, count, seconds } => write!(
                out,
                "{count} occurrences in {} of the {}",
                model::figures::format_duration(*seconds),
                origin.name()
            ),
            // The others are written by their caller.
            _ => Ok(()),
        }
    }
}

fn write_percentiles(
    out: &mut fmt::Formatter<'_>,
    word: &str,
    unit: &str,
    figures: &[Option<f64>; 3],
    format: fn(f64) -> String,
) -> fmt::Result {
    let named = ["p50", "p99", "max"].into_iter().zip(figures);
    let parts: Vec<String> =
        named.filter_map(|(name, figure)| Some(format!("{name} {}", format((*figure)?)))).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    write!(out, " {word} {}{unit}", parts.join(", "))
}
