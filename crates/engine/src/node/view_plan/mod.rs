//! [`ViewPlan`]: how the rows of a view are derived from those of its base table.

mod filter;

use std::sync::Arc;

use cql::TableId;
use schema::catalog::ColumnKind;
use storage::{ColumnId, DecoratedKey, Layout, Row};

use super::handle::TableHandle;
use super::schema::Schema;
use crate::error::{Error, Result};
use crate::function::Env;
use filter::ViewFilter;

/// The derivation of a view's rows.
#[derive(Debug)]
pub(crate) struct ViewPlan {
    pub(crate) table: TableId,
    pub(crate) layout: Arc<Layout>,
    partition: Vec<KeySource>,
    clustering: Vec<KeySource>,
    /// By the id of the base table's column.
    columns: Vec<ColumnUse>,
    /// The column of the view's key that is not in the base key.
    pub(crate) key_column: Option<ColumnId>,
    /// Whether it selects all columns of the base table.
    pub(crate) include_all: bool,
    filter: ViewFilter,
}

/// The source of a key column's value.
#[derive(Clone, Copy, Debug)]
enum KeySource {
    Partition(usize),
    Clustering(usize),
    Cell(ColumnId),
}

/// The use of a base column in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnUse {
    /// It is not in the view.
    Unselected,
    /// It is part of the view's key.
    Key,
    /// It is copied to this column.
    Copied(ColumnId),
}

impl ViewPlan {
    pub(crate) fn new(
        env: &Env<'_>,
        schema: &Schema,
        base: &TableHandle,
        view: &TableHandle,
    ) -> Result<Self> {
        let gone = || Error::server(format!("{} is not a view", view.definition.name));
        let definition = view.view.as_ref().ok_or_else(gone)?;
        let source = |name: &str| -> Option<KeySource> {
            let at = base.definition.column_index(name)?;
            let column = &base.definition.columns()[at];
            Some(match column.kind {
                ColumnKind::Partition => KeySource::Partition(column.position),
                ColumnKind::Clustering => KeySource::Clustering(column.position),
                ColumnKind::Static | ColumnKind::Regular => KeySource::Cell(base.column_id(at)?),
            })
        };
        let sources = |columns: &[schema::catalog::Column]| -> Result<Vec<KeySource>> {
            columns.iter().map(|column| source(&column.name).ok_or_else(gone)).collect()
        };
        let partition = sources(view.definition.partition_key())?;
        let clustering = sources(view.definition.clustering())?;
        let key_column = partition.iter().chain(&clustering).find_map(|source| match source {
            KeySource::Cell(column) => Some(*column),
            _ => None,
        });
        Ok(Self {
            table: view.id,
            layout: Arc::clone(&view.layout),
            partition,
            clustering,
            columns: column_uses(base, view),
            key_column,
            include_all: definition.include_all,
            filter: ViewFilter::new(env, schema, base, definition)?,
        })
    }

    /// Whether rows of a partition may be in the view.
    pub(crate) fn matches_partition(&self, base: &TableHandle, key: &DecoratedKey) -> bool {
        let values: Vec<Option<&[u8]>> = base.partition_values(key).into_iter().map(Some).collect();
        self.filter.matches(&values)
    }

    /// Whether the row with these clustering values may be in the view.
    pub(crate) fn matches_row(&self, base: &TableHandle, key: &DecoratedKey, row: &Row) -> bool {
        if self.filter.is_partition_only() {
            return true;
        }
        let partition = base.partition_values(key).into_iter().map(Some);
        let values: Vec<Option<&[u8]>> = partition.chain(row.clustering()).collect();
        self.filter.matches(&values)
    }

    /// The use of a column of the base table.
    pub(crate) fn column_use(&self, column: ColumnId) -> ColumnUse {
        let at = usize::try_from(column).unwrap_or(usize::MAX);
        self.columns.get(at).copied().unwrap_or(ColumnUse::Unselected)
    }

    /// The partition key and clustering values of the view row of a base row.
    pub(crate) fn entry_key<'r>(
        &self,
        base: &TableHandle,
        key: &'r DecoratedKey,
        row: &'r Row,
    ) -> Option<(DecoratedKey, Vec<Option<&'r [u8]>>)> {
        let of_partition = base.partition_values(key);
        let of_row: Vec<Option<&'r [u8]>> = row.clustering().collect();
        let value = |source: &KeySource| match source {
            KeySource::Partition(at) => of_partition.get(*at).copied(),
            KeySource::Clustering(at) => of_row.get(*at).copied().flatten(),
            KeySource::Cell(column) => {
                row.cells().find(|cell| cell.column == *column).map(|cell| cell.value)
            }
        };
        let partition: Vec<&[u8]> = self.partition.iter().map(value).collect::<Option<_>>()?;
        let bytes = schema::partitioner::partition_key(&partition)?;
        Some((DecoratedKey::new(&bytes), self.clustering.iter().map(value).collect()))
    }
}

fn column_uses(base: &TableHandle, view: &TableHandle) -> Vec<ColumnUse> {
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
