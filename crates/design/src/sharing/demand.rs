//! What a read asks of the clustering columns of its table.

use model::plan::{Derivation, Direction, PlannedTable, Role, Rule};
use model::workload::Column;

use super::row_set::{Place, RowSet};
use crate::Context;

/// What a read asks of the clustering columns: which come first, and in which order.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// The columns that have to come first; with a direction where the result is ordered by it.
    leading: Vec<(What, Option<Direction>)>,
    /// Whether the opposite order will do: the server reads backwards.
    reversible: bool,
}

/// A key column of any table with the same rows: a word for what it is made of, with the columns.
pub(super) type What = (String, Vec<Place>);

impl Demand {
    /// That of the read that a table was made for.
    pub(super) fn new(context: Context<'_>, table: &PlannedTable, rows: &RowSet) -> Self {
        let leading = table
            .clustering()
            .map_while(|column| {
                let has = |rule: Rule| column.reasons.iter().any(|reason| reason.rule == rule);
                let asked = has(Rule::Group) || has(Rule::Inequality) || has(Rule::Order);
                let direction = match column.role {
                    Role::Clustering(direction) if has(Rule::Order) => Some(direction),
                    _ => None,
                };
                asked.then(|| (what(&column.derivation, rows), direction))
            })
            .collect();
        let grouped = table.serves.iter().any(|served| {
            context.workload.reads.get(served.read).is_some_and(|read| !read.group.is_empty())
        });
        Self { leading, reversible: !grouped }
    }

    /// Whether these clustering columns serve it, and how.
    pub(super) fn met_by(&self, clustering: &[(What, Direction)]) -> Met {
        let fits = |reversed: bool| {
            self.leading.len() <= clustering.len()
                && self.leading.iter().zip(clustering).all(|((asked, way), (what, direction))| {
                    asked == what && way.is_none_or(|way| (way == *direction) != reversed)
                })
        };
        match (fits(false), self.reversible && fits(true)) {
            (true, _) => Met::AsStored,
            (false, true) => Met::Reversed,
            (false, false) => Met::Not,
        }
    }
}

/// How clustering columns serve a read, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Met {
    /// Rows come in the order stored.
    AsStored,
    /// The server reads backwards.
    Reversed,
    /// The client would have to sort or filter.
    Not,
}

/// What a key column is made of.
pub(super) fn what(derivation: &Derivation, rows: &RowSet) -> What {
    let places = |columns: &[Column]| columns.iter().filter_map(|one| rows.place(*one)).collect();
    match derivation {
        Derivation::Attribute(of) => ("attribute".to_owned(), places(&[*of])),
        Derivation::Coalesced(of, null) => (format!("coalesced {null}"), places(&[*of])),
        Derivation::Element(of) => ("element".to_owned(), places(&[*of])),
        Derivation::Bucket(of, bucket) => (format!("{bucket:?}"), places(&[*of])),
        Derivation::Shard { of, count } => (format!("shard {count}"), places(of)),
        Derivation::Constant => ("constant".to_owned(), Vec::new()),
        Derivation::Prefix(of, length) => (format!("prefix {length}"), places(&[*of])),
        Derivation::Count(of) => ("count".to_owned(), places(of.as_slice())),
        Derivation::Sum(of) => ("sum".to_owned(), places(&[*of])),
        Derivation::Oldest(bucket) => (format!("oldest {bucket:?}"), Vec::new()),
    }
}

/// The clustering columns of a table.
pub(super) fn clustering(table: &PlannedTable, rows: &RowSet) -> Vec<(What, Direction)> {
    table
        .clustering()
        .filter_map(|column| match column.role {
            Role::Clustering(direction) => Some((what(&column.derivation, rows), direction)),
            _ => None,
        })
        .collect()
}

/// The partition key of a table, in any order.
pub(super) fn partition(table: &PlannedTable, rows: &RowSet) -> Vec<What> {
    let mut key: Vec<What> =
        table.partition_key().map(|column| what(&column.derivation, rows)).collect();
    key.sort();
    key
}
