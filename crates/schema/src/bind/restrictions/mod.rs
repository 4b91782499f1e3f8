//! WHERE: its relations become restrictions of the partition key, the clustering columns and the other columns, with
//! the checks, their order and their texts as in the server.

mod analysis;
pub mod clustering;
mod custom;
pub mod index;
mod keys;
mod merge;
mod multi_column;
mod nearest;
mod partition;
mod relation;
mod restriction;
mod restriction_set;
pub mod sasi;
mod text;
mod token;

use std::fmt;
use std::sync::Arc;

use cql::relation::Relation;

pub use analysis::analyse;
pub(crate) use analysis::filtering_refusal;
pub use index::IndexRegistry;
pub use keys::partition_keys;
pub(crate) use keys::{distinct_values, is_null, key_of};
pub use partition::{PartitionRestrictions, TokenRestriction, TokenRestrictionKind};
pub(crate) use relation::{existing_column, receiver};
pub use restriction::{
    ContainsRestriction, InList, Operand, Restriction, RestrictionKind, Slice, SliceBound,
};
pub use restriction_set::RestrictionSet;
pub use text::relation_text;

use crate::Result;
use crate::bind::term::BoundTerm;
use crate::catalog::{ColumnKind, Table};

/// The statements that have a WHERE clause (INSERT: the key it names).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementType {
    /// INSERT
    Insert,
    /// UPDATE
    Update,
    /// DELETE
    Delete,
    /// SELECT
    Select,
}

impl fmt::Display for StatementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Insert => "INSERT",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
            Self::Select => "SELECT",
        })
    }
}

/// What [`analyse`] looks at.
#[derive(Clone, Copy, Debug)]
pub struct WhereClause<'a> {
    /// The statement it belongs to.
    pub statement: StatementType,
    /// The table.
    pub table: &'a Arc<Table>,
    /// The relations, as written.
    pub relations: &'a [Relation],
    /// ORDER BY.
    pub orderings: &'a [BoundOrdering],
    /// Whether only static columns are selected or written.
    pub only_statics: bool,
    /// ALLOW FILTERING.
    pub allow_filtering: bool,
    /// Whether it defines a view: `IS NOT NULL` is allowed, filtering needs no leave, indexes do not count.
    pub for_view: bool,
}

/// One column of ORDER BY.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundOrdering {
    /// The column, as a position among the table's columns.
    pub column: usize,
    /// `ANN OF vector`
    pub nearest_to: Option<BoundTerm>,
    /// `DESC`
    pub descending: bool,
    /// Where it stands.
    pub span: cql::Span,
}

/// What a WHERE clause asks for, and how it is answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Restrictions {
    /// The statement it belongs to.
    pub statement: StatementType,
    /// The table.
    pub table: Arc<Table>,
    /// Of the partition key.
    pub partition: PartitionRestrictions,
    /// Of the clustering columns.
    pub clustering: RestrictionSet,
    /// Of static and regular columns; also the ordering by distance.
    pub others: RestrictionSet,
    /// Columns with `IS NOT NULL` (views only).
    pub not_null: Vec<usize>,
    /// Which of them rows are checked for.
    pub filters: Filters,
    /// Whether an index is asked.
    pub uses_index: bool,
    /// Whether it reads a range of partitions rather than named ones.
    pub is_key_range: bool,
}

/// The restrictions that are part of the row filter: an index serves them, or rows are checked for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Those of the partition key.
    pub partition: bool,
    /// Those of the clustering columns that the slice does not answer.
    pub clustering: bool,
    /// Those of the other columns.
    pub others: bool,
}

/// A restriction by its place in the WHERE clause's [`Restrictions`]. Values that replace markers leave it where it is, so
/// what is decided about an open statement holds for every run of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestrictionId {
    /// Among those of the partition key.
    Partition(usize),
    /// Among those of the clustering columns.
    Clustering(usize),
    /// Among those of the other columns.
    Other(usize),
}

impl Restrictions {
    /// The restriction at a place.
    pub fn get(&self, id: RestrictionId) -> Option<&Restriction> {
        let (set, at) = match id {
            RestrictionId::Partition(at) => (&self.partition.columns, at),
            RestrictionId::Clustering(at) => (&self.clustering, at),
            RestrictionId::Other(at) => (&self.others, at),
        };
        set.restrictions.get(at)
    }

    /// The restrictions at these places.
    pub fn select<'a>(&'a self, ids: &'a [RestrictionId]) -> impl Iterator<Item = &'a Restriction> {
        ids.iter().filter_map(|id| self.get(*id))
    }

    /// Whether a column is fixed by `=`.
    pub fn is_equal_restricted(&self, column: usize) -> bool {
        self.set_of(column).restriction_on(column).is_some_and(Restriction::is_equal)
    }

    /// Whether a column is restricted in any way, `IS NOT NULL` included.
    pub fn is_restricted(&self, column: usize) -> bool {
        let by_token = self.partition.columns.is_empty()
            && self.partition.token.is_some()
            && column < self.table.partition_key().len();
        self.not_null.contains(&column)
            || by_token
            || self.set_of(column).restriction_on(column).is_some()
    }

    /// The restrictions of the columns of that one's role.
    pub fn set_of(&self, column: usize) -> &RestrictionSet {
        match self.table.columns()[column].kind {
            ColumnKind::Partition => &self.partition.columns,
            ColumnKind::Clustering => &self.clustering,
            ColumnKind::Static | ColumnKind::Regular => &self.others,
        }
    }

    /// Columns outside the primary key that rows are checked for; with `IS NOT NULL` ones if asked.
    pub fn non_key_restricted_columns(&self, with_not_null: bool) -> Vec<usize> {
        let is_key = |column: &usize| self.table.columns()[*column].is_primary_key();
        let mut columns: Vec<usize> = Vec::new();
        if self.filters.others {
            columns.extend(self.others.columns().filter(|column| !is_key(column)));
        }
        if with_not_null {
            columns.extend(self.not_null.iter().copied().filter(|column| !is_key(column)));
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Whether partitions are named by a list of values.
    pub fn is_key_in_relation(&self) -> bool {
        self.partition.has_in(&self.table)
    }

    /// Whether it orders by distance.
    pub fn is_nearest(&self) -> bool {
        self.others.nearest().is_some()
    }

    /// Whether all primary key columns are fixed to values.
    pub fn has_full_primary_key(&self) -> bool {
        !self.partition.is_on_token(&self.table)
            && !self.partition.has_unrestricted_columns(&self.table)
            && self.partition.has_only_equality(&self.table)
            && self.clustering.column_count() == self.table.clustering().len()
            && self.clustering.has_only_equality()
    }

    /// Whether a range of rows is read or written: some clustering column is not fixed to values.
    pub fn is_column_range(&self) -> bool {
        let columns =
            if self.table.is_static_compact() { 0 } else { self.table.clustering().len() };
        self.clustering.column_count() < columns || !self.clustering.has_only_equality()
    }

    /// Whether a partition without rows still answers with its static columns.
    pub fn can_return_static_content(&self) -> bool {
        let on_regulars = self
            .others
            .columns()
            .any(|column| self.table.columns()[column].kind == ColumnKind::Regular);
        self.table.is_static_compact() || (self.clustering.is_empty() && !on_regulars)
    }

    /// The restrictions in the row filter.
    pub fn filter_restrictions(&self) -> impl Iterator<Item = &Restriction> {
        let part = |on: bool, set| Some(set).filter(|_| on).into_iter();
        part(self.filters.partition, &self.partition.columns)
            .chain(part(self.filters.clustering, &self.clustering))
            .chain(part(self.filters.others, &self.others))
            .flat_map(|set: &RestrictionSet| set.restrictions.iter())
    }

    /// Whether rows are checked one by one for something that no index (group) answers alone.
    pub fn needs_filtering(&self) -> Result<bool> {
        let registry = IndexRegistry::new(&self.table);
        if self.filters == Filters::default() {
            return Ok(!self.clustering.is_empty());
        }
        for group in registry.groups() {
            let mut needs = false;
            for restriction in self.filter_restrictions() {
                needs |= registry.needs_filtering(restriction, &group)?;
            }
            if !needs {
                return Ok(
                    self.filter_restrictions().next().is_none() && !self.clustering.is_empty()
                );
            }
        }
        Ok(true)
    }

    /// Whether the server wants ALLOW FILTERING before it filters; most virtual tables do not ask.
    pub fn is_allow_filtering_required(&self) -> bool {
        !self.table.is_virtual
            || (&*self.table.keyspace == "system_views" && &*self.table.name == "system_logs")
    }
}
