//! Assumptions: figures that a file does not give. Each is a fact; `Display` renders the sentence
//! and `help` the directive that would replace the assumption.

use std::fmt;

use cql::Span;

use crate::directive::quantity::spell;

/// The advice for a file without queries.
pub(crate) const NO_QUERIES_HELP: &str = "add queries, each below a -- name: line";

/// An assumption and the place where a directive would replace it.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumption {
    /// What is assumed.
    pub topic: AssumptionTopic,
    /// Where the file could state it.
    pub span: Span,
}

/// The subject of an assumption, with the assumed figures.
#[derive(Clone, Debug, PartialEq)]
pub enum AssumptionTopic {
    /// The file has no queries: look-ups are assumed.
    NoQueries,
    /// The replication of the keyspace.
    Replication {
        /// The datacenter.
        datacenter: String,
        /// The copies in it.
        copies: u32,
    },
    /// The nodes of the cluster.
    Nodes(u32),
    /// The rate of a statement: once per second.
    Rate {
        /// The name of the read or write.
        statement: String,
    },
    /// The width of a range: a tenth of what a partition holds, and of buckets at most some pages.
    Span {
        /// The name of the read.
        statement: String,
        /// The column.
        attribute: String,
        /// It is a time.
        is_time: bool,
    },
    /// The rows of an entity.
    Rows {
        /// The entity's name.
        entity: String,
        /// How many.
        rows: f64,
    },
    /// An entity does not grow.
    NoGrowth {
        /// The entity's name.
        entity: String,
    },
    /// How many rows refer to one.
    FanOut {
        /// The entity referred to.
        target: String,
        /// The entity that refers.
        entity: String,
        /// The columns that refer.
        columns: Vec<String>,
        /// Rows on average.
        mean: f64,
        /// Rows at the 99th percentile.
        p99: f64,
        /// Rows at most.
        max: f64,
    },
    /// The rows of a partition of a `.cql` file's table.
    PartitionRows {
        /// The table's name.
        table: String,
        /// The first column of its partition key.
        column: String,
        /// Rows on average.
        mean: f64,
        /// Rows at the 99th percentile.
        p99: f64,
        /// Rows at most.
        max: f64,
    },
    /// The distinct values of a column.
    Distinct {
        /// The entity's name.
        entity: String,
        /// The column's name.
        attribute: String,
        /// How many.
        values: f64,
        /// Why so many.
        why: DistinctReason,
    },
    /// The elements of an array.
    Items {
        /// The entity's name.
        entity: String,
        /// The column's name.
        attribute: String,
        /// How many.
        items: f64,
    },
    /// The bytes of the values of an entity.
    Bytes {
        /// The entity's name.
        entity: String,
        /// The columns, with the bytes of a value of each.
        sizes: Vec<(String, f64)>,
    },
    /// Volumes that were measured in a database.
    Measured {
        /// The entity, read or write.
        subject: String,
        /// Its figures, as directives.
        figures: Vec<String>,
    },
    /// A number that is incremented is not stored as a counter.
    ExactNumber {
        /// The entity's name.
        entity: String,
        /// The column's name.
        attribute: String,
        /// What a counter cannot do.
        why: CounterObstacle,
    },
}

/// Why a column is assumed to have so many distinct values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DistinctReason {
    /// Columns of its type often have.
    Type,
    /// It has the name and type of the key of this entity.
    Named(String),
    /// It is compared with nothing but constants.
    Constants,
    /// It leads a key of several columns.
    KeyPrefix,
    /// This query, which is marked `:one`, finds a row by it.
    One(String),
}

impl fmt::Display for DistinctReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type => Ok(()),
            Self::Named(target) => write!(f, ", because it is named like the key of {target}"),
            Self::Constants => f.write_str(", because it is compared only with constants"),
            Self::KeyPrefix => f.write_str(", because it leads the primary key"),
            Self::One(read) => write!(f, ", because {read} is marked :one"),
        }
    }
}

/// What keeps a number that is incremented from being a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CounterObstacle {
    /// It has a fraction.
    NotWhole,
    /// It is part of a key.
    InKey,
    /// It refers to another row.
    Reference,
    /// Its rows expire.
    Expires,
    /// A generated column is computed from it.
    Computed,
    /// A write sets it.
    Set {
        /// The write.
        write: String,
    },
    /// An INSERT gives it a value other than 0.
    Inserted {
        /// The write.
        write: String,
    },
    /// An INSERT leaves it null, to which nothing can be added.
    LeftNull {
        /// The write.
        write: String,
    },
    /// A query is ordered by it.
    Ordered {
        /// The query.
        read: String,
    },
    /// A query groups by it.
    Grouped {
        /// The query.
        read: String,
    },
    /// A query counts or sums it, or takes its minimum or maximum.
    Aggregated {
        /// The query.
        read: String,
    },
    /// A LEFT JOIN returns it: an absent counter would be 0 where it must be null.
    Optional {
        /// The query.
        read: String,
    },
    /// A write that changes or deletes rows returns it.
    Returned {
        /// The write.
        write: String,
    },
    /// A condition tests it.
    Filtered {
        /// The query or write.
        statement: String,
    },
}

impl fmt::Display for CounterObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWhole => f.write_str("it is not a whole number"),
            Self::InKey => f.write_str("it is part of a key"),
            Self::Reference => f.write_str("it refers to another row"),
            Self::Computed => f.write_str("a generated column is computed from it"),
            Self::Expires => f.write_str("its rows expire, which counters cannot"),
            Self::Set { write } => write!(f, "{write} sets it"),
            Self::Inserted { write } => write!(f, "{write} inserts a value other than 0"),
            Self::LeftNull { write } => {
                write!(f, "{write} leaves it null, and the sum with null is null")
            }
            Self::Ordered { read } => write!(f, "{read} orders by it"),
            Self::Grouped { read } => write!(f, "{read} groups by it"),
            Self::Aggregated { read } => write!(f, "{read} aggregates it"),
            Self::Optional { read } => write!(f, "{read} returns it by a LEFT JOIN"),
            Self::Returned { write } => write!(f, "{write} returns it"),
            Self::Filtered { statement } => write!(f, "{statement} has a condition on it"),
        }
    }
}

impl fmt::Display for AssumptionTopic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoQueries => f.write_str(
                "the file has no queries: a lookup of each table by its key and by each reference is assumed",
            ),
            Self::Replication { datacenter, copies } => {
                write!(f, "a replication factor of {copies} in {datacenter} is assumed")
            }
            Self::Nodes(nodes) => write!(f, "the cluster is assumed to have {nodes} nodes"),
            Self::Rate { statement } => write!(f, "{statement} is assumed to run once per second"),
            Self::Span { statement, attribute, .. } => write!(
                f,
                "the range of {attribute} in {statement} is assumed to hold a tenth of the rows of its key, of buckets at most 1,000"
            ),
            Self::Rows { entity, rows } => {
                write!(f, "{entity} is assumed to have {} rows", spell(*rows))
            }
            Self::NoGrowth { entity } => write!(f, "{entity} is assumed not to grow"),
            Self::FanOut { target, entity, columns, mean, p99, max } => write!(
                f,
                "a row of {target} is assumed to have {} {} of {entity} by {}, {} at p99, {} at most",
                spell(*mean),
                if spell(*mean) == "1" { "row" } else { "rows" },
                columns.join(", "),
                spell(*p99),
                spell(*max)
            ),
            Self::PartitionRows { table, mean, p99, max, .. } => write!(
                f,
                "a partition of {table} is assumed to have {} rows, {} at p99, {} at most",
                spell(*mean),
                spell(*p99),
                spell(*max)
            ),
            Self::Distinct { entity, attribute, values, why } => write!(
                f,
                "{entity}.{attribute} is assumed to have {} distinct values{why}",
                spell(*values)
            ),
            Self::Items { entity, attribute, items } => {
                write!(f, "{entity}.{attribute} is assumed to have {items} elements")
            }
            Self::Bytes { entity, sizes } => {
                let sizes: Vec<_> =
                    sizes.iter().map(|(name, size)| format!("{name} {}", spell(*size))).collect();
                write!(
                    f,
                    "the bytes of a value in {entity} are assumed from the types: {}",
                    sizes.join(", ")
                )
            }
            Self::Measured { subject, figures } => {
                write!(f, "measured in the database, for {subject}: {}", figures.join("; "))
            }
            Self::ExactNumber { entity, attribute, why } => write!(
                f,
                "{entity}.{attribute} is incremented but is no counter, because {why}: an increment reads the number, writes the sum if the number is unchanged (a lightweight transaction, about four times the cost of a plain write), and is repeated otherwise"
            ),
        }
    }
}

impl AssumptionTopic {
    /// The directive to write in place of the assumption.
    pub fn help(&self) -> String {
        match self {
            Self::NoQueries => NO_QUERIES_HELP.to_owned(),
            Self::Replication { datacenter, copies } => {
                format!("write @replication {datacenter}:{copies} at the head of the file")
            }
            Self::Nodes(nodes) => format!("write @nodes {nodes} at the head of the file"),
            Self::Rate { .. } => "write -- @rate 200/s above it".to_owned(),
            Self::Span { is_time: true, .. } => {
                "write -- @span 6h above it, or -- @returns 20".to_owned()
            }
            Self::Span { .. } => "write -- @span 1000 above it, or -- @returns 20".to_owned(),
            Self::Rows { entity, rows } => {
                format!("write @rows {} above CREATE TABLE {entity}", spell(*rows))
            }
            Self::NoGrowth { entity } => {
                format!("write @grows 1k/day above CREATE TABLE {entity}")
            }
            Self::FanOut { mean, p99, max, .. } => format!(
                "write @each {} at the end of the line of the reference",
                spell_each(*mean, *p99, *max)
            ),
            Self::PartitionRows { column, mean, p99, max, .. } => format!(
                "write @each {} at the end of the line of {column}",
                spell_each(*mean, *p99, *max)
            ),
            Self::Distinct { why: DistinctReason::Named(target), .. } => {
                format!("add REFERENCES {target} to it, or write @distinct at the end of its line")
            }
            Self::Distinct { values, .. } => {
                format!("write @distinct {} at the end of its line", spell(*values))
            }
            Self::Items { items, .. } => format!("write @items {items} at the end of its line"),
            Self::Bytes { sizes, .. } => {
                let (name, size) =
                    sizes.first().map_or(("", 0.0), |(name, size)| (name.as_str(), *size));
                format!("write @bytes {} at the end of the line of {name}, and so on", spell(size))
            }
            Self::Measured { .. } => {
                "write the directives in the model file to state other figures".to_owned()
            }
            Self::ExactNumber { attribute, why, .. } => {
                let exact =
                    format!("write @exact at the end of the line of {attribute} to confirm");
                let change = match why {
                    CounterObstacle::NotWhole => "use a whole number, such as cents in a bigint",
                    CounterObstacle::InKey | CounterObstacle::Reference => return exact,
                    CounterObstacle::Expires => "remove @retain",
                    CounterObstacle::Computed => "remove the generated column",
                    CounterObstacle::Set { .. } => "only add to it",
                    CounterObstacle::Inserted { .. } | CounterObstacle::LeftNull { .. } => {
                        "insert 0, or leave it to DEFAULT 0"
                    }
                    CounterObstacle::Returned { .. } => "remove it from RETURNING",
                    CounterObstacle::Ordered { .. }
                    | CounterObstacle::Grouped { .. }
                    | CounterObstacle::Aggregated { .. }
                    | CounterObstacle::Optional { .. }
                    | CounterObstacle::Filtered { .. } => "use it nowhere but in the result",
                };
                format!("{exact}; for a counter, {change}")
            }
        }
    }
}

/// The figures of an `@each`.
fn spell_each(mean: f64, p99: f64, max: f64) -> String {
    format!("{} p99 {} max {}", spell(mean), spell(p99), spell(max))
}
