//! Interns what key columns are made of, so that the tables of one entity are compared by number.

use std::collections::HashMap;

use model::id::EntityId;
use model::plan::{Bucket, Derivation};
use model::workload::Column;

use super::row_set::{ColumnPath, RowSet};

/// What a key column is made of: the same number in all tables where it is the same.
pub(crate) type KeyPart = usize;

/// The parts interned so far.
#[derive(Debug, Default)]
pub(crate) struct KeyPartInterner(HashMap<(EntityId, DerivationKind, Vec<ColumnPath>), KeyPart>);

/// The kind of derivation, without its columns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum DerivationKind {
    Attribute,
    Coalesced(String),
    Element,
    Bucket(Bucket),
    Shard(u32),
    Constant,
    Prefix(usize),
    Count,
    Sum,
    Oldest(Bucket),
    Newest(Bucket),
}

impl KeyPartInterner {
    /// The number of what a column of a table with these rows is made of.
    pub(crate) fn intern(&mut self, derivation: &Derivation, rows: &RowSet) -> KeyPart {
        let (kind, columns) = derivation_parts(derivation);
        let places = columns.into_iter().filter_map(|column| rows.column_path(column)).collect();
        let next = self.0.len();
        *self.0.entry((rows.maker, kind, places)).or_insert(next)
    }
}

/// How a column is made, and of which.
fn derivation_parts(derivation: &Derivation) -> (DerivationKind, Vec<Column>) {
    match derivation {
        Derivation::Attribute(of) => (DerivationKind::Attribute, vec![*of]),
        Derivation::Coalesced(of, null) => (DerivationKind::Coalesced(null.clone()), vec![*of]),
        Derivation::Element(of) => (DerivationKind::Element, vec![*of]),
        Derivation::Bucket(of, bucket) => (DerivationKind::Bucket(*bucket), vec![*of]),
        Derivation::Shard { of, count } => (DerivationKind::Shard(*count), of.clone()),
        Derivation::Constant => (DerivationKind::Constant, Vec::new()),
        Derivation::Prefix(of, length) => (DerivationKind::Prefix(*length), vec![*of]),
        Derivation::Count(of) => (DerivationKind::Count, of.iter().copied().collect()),
        Derivation::Sum(of) => (DerivationKind::Sum, vec![*of]),
        Derivation::Oldest(bucket) => (DerivationKind::Oldest(*bucket), Vec::new()),
        Derivation::Newest(bucket) => (DerivationKind::Newest(*bucket), Vec::new()),
    }
}
