//! Values of the simulation, and how they are compared and derived.

use std::collections::BTreeMap;

use model::plan::Bucket;
use model::workload::Comparison;

/// A value. Times, ids and truth are numbers here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Null,
    Number(i64),
    Text(String),
    Array(Vec<Value>),
}

/// A row: its columns by name; what is absent is null.
pub(super) type Row = BTreeMap<String, Value>;

impl Value {
    /// A constant, in CQL's spelling.
    pub(super) fn literal(text: &str) -> Self {
        match text {
            "null" => Self::Null,
            "true" => Self::Number(1),
            "false" => Self::Number(0),
            _ if text.starts_with('{') || text.starts_with('[') => {
                let inside = &text[1..text.len() - 1];
                let parts = inside.split(", ").filter(|part| !part.is_empty());
                Self::Array(parts.map(Self::literal).collect())
            }
            _ => match text.parse() {
                Ok(number) => Self::Number(number),
                Err(_) => Self::Text(text.trim_matches('\'').to_owned()),
            },
        }
    }

    /// Whether two values compare so; null compares with nothing.
    pub(super) fn matches_comparison(&self, comparison: Comparison, other: &Self) -> bool {
        if *self == Self::Null || *other == Self::Null {
            return false;
        }
        match comparison {
            Comparison::Equal => self == other,
            Comparison::Less => self < other,
            Comparison::LessOrEqual => self <= other,
            Comparison::Greater => self > other,
            Comparison::GreaterOrEqual => self >= other,
        }
    }

    pub(super) fn elements(&self) -> Vec<Self> {
        match self {
            Self::Array(values) => values.clone(),
            _ => Vec::new(),
        }
    }

    pub(super) fn number(&self) -> i64 {
        match self {
            Self::Number(number) => *number,
            other => panic!("{other:?} is no number"),
        }
    }

    /// As it is compared in the end: an empty collection is null, and neither the order of elements
    /// nor duplicates matter.
    pub(super) fn normalise(&self) -> Self {
        match self {
            Self::Array(values) if values.is_empty() => Self::Null,
            Self::Array(values) => {
                let mut values = values.clone();
                values.sort();
                values.dedup();
                Self::Array(values)
            }
            other => other.clone(),
        }
    }
}

/// The bucket of a value. Times run from 0 to 40 here, so that there are a few buckets.
pub(super) fn bucket_of(value: &Value, _: Bucket) -> Value {
    match value {
        Value::Null => Value::Null,
        other => Value::Number(other.number().div_euclid(10)),
    }
}

/// The shard of values: any function of them will do.
pub(super) fn shard_of(values: &[Value], count: u32) -> Value {
    let mut sum = 7_i64;
    for byte in format!("{values:?}").bytes() {
        sum = (sum * 31 + i64::from(byte)) % 1_000_003;
    }
    Value::Number(sum % i64::from(count))
}

pub(super) fn prefix_of(value: &Value, length: usize) -> Value {
    match value {
        Value::Text(text) => Value::Text(text.chars().take(length).collect()),
        other => other.clone(),
    }
}

/// Seeded numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next_below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
