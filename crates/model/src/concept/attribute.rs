//! Attributes and what is known of their values.

use cql::Span;
use cql::types::Type;

use super::Stated;

/// An attribute of an entity: a column of the model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its CQL type: `timeuuid` with `@time` (and in what references such a column), an array a list, with `@set` a set
    /// (both not frozen).
    pub ty: Type,
    /// Whether it may be null.
    pub nullable: bool,
    /// Some write does `SET n = n + ?` on it and `@exact` does not forbid: it is stored as a counter.
    pub counter: bool,
    /// `@exact`.
    pub exact: bool,
    /// Average bytes of a value (of an element, for an array).
    pub bytes: Stated<f64>,
    /// Average elements, for an array or map.
    pub items: Stated<f64>,
    /// Distinct values (of elements, for an array).
    pub distinct: Stated<f64>,
    /// Popularity of its values.
    pub skew: Skew,
    /// Its name in the file.
    pub span: Span,
}

/// How evenly values are used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skew {
    /// All alike.
    Uniform,
    /// The k-th most popular is used 1/k^s as often as the first.
    Zipf(f64),
}
