//! Numbers for what key columns are made of, so that the tables of one entity are compared quickly.

use std::collections::BTreeMap;

use model::id::EntityId;
use model::plan::Derivation;
use model::workload::Column;

use super::row_set::{Place, RowSet};

/// What a key column is made of: the same number in all tables where it is the same.
pub(crate) type Word = usize;

/// The numbers given so far.
#[derive(Debug, Default)]
pub(crate) struct Words(BTreeMap<(EntityId, String, Vec<Place>), Word>);

impl Words {
    /// The number of what a column of a table with these rows is made of.
    pub(crate) fn of(&mut self, derivation: &Derivation, rows: &RowSet) -> Word {
        let (kind, columns) = made_of(derivation);
        let places = columns.into_iter().filter_map(|column| rows.place(column)).collect();
        let next = self.0.len();
        *self.0.entry((rows.maker, kind, places)).or_insert(next)
    }
}

/// How a column is made, and of which.
fn made_of(derivation: &Derivation) -> (String, Vec<Column>) {
    match derivation {
        Derivation::Attribute(of) => (String::new(), vec![*of]),
        Derivation::Coalesced(of, null) => (format!("coalesced {null}"), vec![*of]),
        Derivation::Element(of) => ("element".to_owned(), vec![*of]),
        Derivation::Bucket(of, bucket) => (format!("bucket {bucket:?}"), vec![*of]),
        Derivation::Shard { of, count } => (format!("shard {count}"), of.clone()),
        Derivation::Constant => ("constant".to_owned(), Vec::new()),
        Derivation::Prefix(of, length) => (format!("prefix {length}"), vec![*of]),
        Derivation::Count(of) => ("count".to_owned(), of.iter().copied().collect()),
        Derivation::Sum(of) => ("sum".to_owned(), vec![*of]),
        Derivation::Oldest(bucket) => (format!("oldest {bucket:?}"), Vec::new()),
    }
}
