//! Lists of values on the columns of a key: `IN (a, b, c)`.

use cql::relation::{InValues, RelationKind};
use cql::statement::select::Select;
use schema::access::{Count, Partitions, ReadPlan};
use schema::catalog::{ColumnKind, Table};

/// The lists of values of a query, as long as they are written; `None` for `IN ?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyLists {
    /// On columns of the partition key.
    pub(crate) partition: Vec<Option<usize>>,
    /// On clustering columns, alone or as tuples.
    pub(crate) clustering: Vec<Option<usize>>,
}

/// The lists of values on the columns of the key.
pub(crate) fn key_lists(table: &Table, select: &Select) -> KeyLists {
    let mut lists = KeyLists::default();
    for relation in &select.relations {
        let (RelationKind::In { negated: false, values, .. } | RelationKind::TupleIn(_, values)) =
            &relation.kind
        else {
            continue;
        };
        let length = match values {
            InValues::List(values) => Some(values.len()),
            InValues::Marker(..) => None,
        };
        let column = relation.kind.columns().first().and_then(|name| table.column(&name.text));
        match column.map(|column| column.kind) {
            Some(ColumnKind::Partition) => lists.partition.push(length),
            Some(ColumnKind::Clustering) => lists.clustering.push(length),
            _ => {}
        }
    }
    lists
}

/// How many partitions a query names, by its lists as they are written.
pub(crate) fn partition_count(read: &ReadPlan, select: &Select) -> Option<Count> {
    match read.partitions {
        Partitions::One => Some(Count::Known(1)),
        Partitions::Several(known @ Count::Known(_)) => Some(known),
        Partitions::Several(Count::Unknown) => {
            let lists = key_lists(&read.table, select).partition;
            Some(count_combinations(&lists).map_or(Count::Unknown, Count::Known))
        }
        _ => None,
    }
}

/// The combinations of lists.
pub(crate) fn count_combinations(lists: &[Option<usize>]) -> Option<usize> {
    lists.iter().try_fold(1_usize, |all, one| Some(all.saturating_mul((*one)?)))
}
