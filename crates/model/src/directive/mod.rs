//! Directives: volumes, rates and requirements stated in comments (`-- @rows 10M`) of model files
//! and of `.cql` files.
//!
//! `words` splits a comment into words with places, `arguments` takes the words of one directive
//! one by one, `parser` turns them into [`Directive`]s (`growing_figure` those of figures that
//! grow), `quantity` reads numbers with units, `table_figures` collects those of a table, and
//! `target` decides what a directive may be written on.

mod arguments;
mod growing_figure;
mod parser;
pub mod quantity;
mod table_figures;
mod target;
#[cfg(test)]
mod tests;
pub(crate) mod words;

pub use growing_figure::GrowingFigure;
pub use parser::{NAMES, parse, parse_prose};
pub(crate) use table_figures::TableFigures;
pub use target::{DirectiveTarget, duplicate_errors};

use cql::Span;

use crate::concept::{FanOut, FanOutCourse, Growth, Origin};
use crate::workload::ResultSize;

/// One directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// Its name and value.
    pub kind: DirectiveKind,
    /// From its `@` to the end of its value.
    pub span: Span,
}

/// The name and value of a directive.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectiveKind {
    /// `@dialect mysql`
    Dialect(SqlDialect),
    /// `@keyspace killrvideo`
    Keyspace(String),
    /// `@replication dc1:3, dc2:3`: datacenters and the copies in each.
    Replication(Vec<(String, u32)>),
    /// `@nodes 6`
    Nodes(u32),
    /// `@tenant tenant_id`
    Tenant(String),
    /// `@table public.users`: the directives behind it are about that table.
    Table(String),
    /// `@column users.email`: the directives behind it are about that column of that table.
    Column(String, String),
    /// `@query UserByEmail`: the directives behind it are about that query or write.
    Query(String),
    /// `@rows 10M`, `@rows 1k, 50k in 6 months, 500k in 1 year`
    Rows(GrowingFigure),
    /// `@grows 1M/day`, `@grows 100k/day, 1M/day from 6 months`
    Grows(Growth),
    /// `@retain 90d`, in seconds.
    Retain(f64),
    /// `@each 50 p99 2k max 200k`
    Each(EachFigures),
    /// `@relation posts`
    Relation(String),
    /// `@skew zipf 1.1`
    Skew(f64),
    /// `@distinct 200k`
    Distinct(f64),
    /// `@bytes 24`
    Bytes(f64),
    /// `@items 5`, `@items 10 grows 5/day`
    Items(GrowingFigure),
    /// `@time`
    Time,
    /// `@set`
    Set,
    /// `@exact`
    Exact,
    /// `@rate 3k/s`, per second.
    Rate(f64),
    /// `@span 6h`, `@span placed 6h, entry 1000`: how wide ranges usually are.
    Span(Vec<StatedSpan>),
    /// `@returns 20 p99 500`
    Returns(ResultSize),
    /// `@after Q1, Q2`: the names with their places.
    After(Vec<(String, Span)>),
    /// `@strict`
    Strict,
    /// `@consistency quorum`, in CQL's spelling (`QUORUM`).
    Consistency(String),
}

/// The SQL of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlDialect {
    /// `PostgreSQL`'s.
    Postgres,
    /// `MySQL`'s and `MariaDB`'s.
    Mysql,
}

/// The usual width of the range of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedSpan {
    /// The column; the only one with a range where it is not given.
    pub column: Option<String>,
    /// The width.
    pub width: SpanWidth,
}

/// The width of a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpanWidth {
    /// Seconds, of a time.
    Seconds(f64),
    /// Values, of a number.
    Values(f64),
}

/// The figures of `@each`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EachFigures {
    /// On average.
    pub mean: f64,
    /// At the 99th percentile; the mean where it is not given.
    pub p99: f64,
    /// At the 99.9th percentile, where it is given.
    pub p999: Option<f64>,
    /// At most; the highest given percentile where it is not given.
    pub max: f64,
    /// Seconds that the figures are counted over (`3/day`: 86,400); `None`: they are totals.
    pub per: Option<f64>,
    /// How they grow.
    pub course: FanOutCourse,
}

impl EachFigures {
    /// The figures as the fan-out of a reference.
    pub(crate) fn fan_out(self) -> FanOut {
        let Self { mean, p99, p999, max, per, course: _ } = self;
        FanOut { mean, p99, p999, max, per, origin: Origin::Given }
    }
}
