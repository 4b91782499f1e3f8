//! How the rows of a view come of those of its table.

mod filter;

use std::sync::Arc;

use cql::TableId;
use schema::catalog::ColumnKind;
use storage::{ColumnId, Layout, PartitionKey, Row};

use super::handle::TableHandle;
use super::schema::Schema;
use crate::error::{Error, Result};
use crate::function::Env;
use filter::ViewFilter;

/// The making of a view's rows.
#[derive(Debug)]
pub(crate) struct ViewPlan {
    pub(crate) table: TableId,
    pub(crate) layout: Arc<Layout>,
    partition: Vec<Source>,
    clustering: Vec<Source>,
    /// By the number of a column of the table.
    columns: Vec<ColumnUse>,
    /// The column of the view's key that is not in the table's.
    pub(crate) key_column: Option<ColumnId>,
    /// Whether it has all columns of the table.
    pub(crate) include_all: bool,
    filter: ViewFilter,
}

/// Where the value of a key column is.
#[derive(Clone, Copy, Debug)]
enum Source {
    Partition(usize),
    Clustering(usize),
    Cell(ColumnId),
}

/// What a view does with a column of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnUse {
    /// It is not in the view.
    Unselected,
    /// It is part of the view's key.
    Key,
    /// It is copied to that column.
    Copied(ColumnId),
}

impl ViewPlan {
    pub(crate) fn new(
        env: &Env<'_>,
        schema: &Schema,
        base: &TableHandle,
        view: &TableHandle,
    ) -> Result<Self> {
        let gone = || Error::server(format!("{} is no view", view.definition.name));
        let definition = view.view.as_ref().ok_or_else(gone)?;
        let source = |name: &str| -> Option<Source> {
            let at = base.definition.column_index(name)?;
            let column = &base.definition.columns()[at];
            Some(match column.kind {
                ColumnKind::Partition => Source::Partition(column.position),
                ColumnKind::Clustering => Source::Clustering(column.position),
                ColumnKind::Static | ColumnKind::Regular => Source::Cell(base.column_id(at)?),
            })
        };
        let sources = |columns: &[schema::catalog::Column]| -> Result<Vec<Source>> {
            columns.iter().map(|column| source(&column.name).ok_or_else(gone)).collect()
        };
        let partition = sources(view.definition.partition_key())?;
        let clustering = sources(view.definition.clustering())?;
        let key_column = partition.iter().chain(&clustering).find_map(|source| match source {
            Source::Cell(column) => Some(*column),
            _ => None,
        });
        Ok(Self {
            table: view.id,
            layout: Arc::clone(&view.layout),
            partition,
            clustering,
            columns: uses(base, view),
            key_column,
            include_all: definition.include_all,
            filter: ViewFilter::new(env, schema, base, definition)?,
        })
    }

    /// Whether rows of a partition may be in the view.
    pub(crate) fn takes_partition(&self, base: &TableHandle, key: &PartitionKey) -> bool {
        let values: Vec<Option<&[u8]>> = base.partition_values(key).into_iter().map(Some).collect();
        self.filter.admits(&values)
    }

    /// Whether the row of these clustering values may be in the view.
    pub(crate) fn takes_row(&self, base: &TableHandle, key: &PartitionKey, row: &Row) -> bool {
        if self.filter.is_of_partitions() {
            return true;
        }
        let partition = base.partition_values(key).into_iter().map(Some);
        let values: Vec<Option<&[u8]>> = partition.chain(row.clustering()).collect();
        self.filter.admits(&values)
    }

    /// What becomes of a column of the table.
    pub(crate) fn use_of(&self, column: ColumnId) -> ColumnUse {
        let at = usize::try_from(column).unwrap_or(usize::MAX);
        self.columns.get(at).copied().unwrap_or(ColumnUse::Unselected)
    }

    /// Partition key and clustering values of the entry of a row.
    pub(crate) fn key_of<'r>(
        &self,
        base: &TableHandle,
        key: &'r PartitionKey,
        row: &'r Row,
    ) -> Option<(PartitionKey, Vec<Option<&'r [u8]>>)> {
        let of_partition = base.partition_values(key);
        let of_row: Vec<Option<&'r [u8]>> = row.clustering().collect();
        let value = |source: &Source| match source {
            Source::Partition(at) => of_partition.get(*at).copied(),
            Source::Clustering(at) => of_row.get(*at).copied().flatten(),
            Source::Cell(column) => {
                row.cells().find(|cell| cell.column == *column).map(|cell| cell.value)
            }
        };
        let partition: Vec<&[u8]> = self.partition.iter().map(value).collect::<Option<_>>()?;
        let bytes = schema::partitioner::partition_key(&partition)?;
        Some((PartitionKey::new(&bytes), self.clustering.iter().map(value).collect()))
    }
}

fn uses(base: &TableHandle, view: &TableHandle) -> Vec<ColumnUse> {
    let mut uses = vec![ColumnUse::Unselected; base.layout.columns.len()];
    for (at, column) in base.definition.columns().iter().enumerate() {
        let Some(slot) = base.column_id(at).and_then(|id| uses.get_mut(usize::try_from(id).ok()?))
        else {
            continue;
        };
        let Some(in_view) = view.definition.column_index(&column.name) else { continue };
        *slot = view.column_id(in_view).map_or(ColumnUse::Key, ColumnUse::Copied);
    }
    uses
}
