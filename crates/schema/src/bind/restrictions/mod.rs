//! Restriction analysis: the relations of a WHERE clause become restrictions of the partition key,
//! the clustering columns and the other columns (Cassandra's `StatementRestrictions`).
//!
//! The result answers three questions: is the statement valid, which partitions and rows does it
//! name, and which restrictions must be checked row by row. The server raises the first error that
//! it meets and tests compare the texts of errors, so the checks run in the order of the server's
//! code, also where another order would be simpler; where a check looks odd, the server's is.
//!
//! - `relation` converts a relation as written into a [`Restriction`] (`restriction`); with
//!   `multi_column` for tuples, `token`, `nearest` (ANN) and `custom` (`expr`).
//! - `restriction_set` collects restrictions on columns of one role; `merge` combines two on the
//!   same column or refuses.
//! - `partition` and `clustering` have the rules of the two key parts; `index` and `sasi` tell
//!   which restrictions an index supports.
//! - `analysis` runs all of it: [`analyse`] is the entry.
//! - `keys` computes the partition keys that a statement names, as far as its text gives them;
//!   `text` prints relations as the server does.

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
pub(crate) use text::relation_text;

use crate::Result;
use crate::bind::term::BoundTerm;
use crate::catalog::{ColumnKind, Table};

/// The statements that have restrictions; those of an INSERT are the key columns it names.
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

/// The input of [`analyse`].
#[derive(Clone, Copy, Debug)]
pub struct WhereClause<'a> {
    /// The kind of statement.
    pub statement: StatementType,
    /// The table or view that is read or written.
    pub table: &'a Arc<Table>,
    /// The relations, as written.
    pub relations: &'a [Relation],
    /// The columns of ORDER BY: ordering by ANN is a restriction, as an index must serve it.
    pub orderings: &'a [BoundOrdering],
    /// Whether only static columns are selected or written.
    pub only_statics: bool,
    /// ALLOW FILTERING.
    pub allow_filtering: bool,
    /// Whether it is the WHERE clause of a view: `IS NOT NULL` is allowed, filtering needs no ALLOW
    /// FILTERING (the filter runs when the base table is written), and indexes are not used.
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
    /// Where it is in the text.
    pub span: cql::Span,
}

/// A valid WHERE clause: what it restricts, and how it is executed.
#[derive(Clone, Debug, PartialEq)]
pub struct Restrictions {
    /// The kind of statement.
    pub statement: StatementType,
    /// The table or view that is read or written.
    pub table: Arc<Table>,
    /// The restrictions of the partition key.
    pub partition: PartitionRestrictions,
    /// The restrictions of the clustering columns.
    pub clustering: RestrictionSet,
    /// The restrictions of static and regular columns, and the ordering by ANN.
    pub others: RestrictionSet,
    /// Columns with `IS NOT NULL` (views only).
    pub not_null: Vec<usize>,
    /// Which of the restrictions are in the row filter.
    pub filters: Filters,
    /// Whether an index is used.
    pub uses_index: bool,
    /// Whether it reads a range of partitions rather than partitions named by their keys.
    pub is_key_range: bool,
}

/// Which restrictions are in the row filter: an index serves them, or rows are checked for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Those of the partition key.
    pub partition: bool,
    /// Those of the clustering columns that the slice does not cover.
    pub clustering: bool,
    /// Those of the other columns.
    pub others: bool,
}

/// A restriction, identified by its index in [`Restrictions`]. Binding values to markers does not
/// change the index, so an access plan that is made once for a prepared statement holds for every
/// execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestrictionId {
    /// An index into the restrictions of the partition key.
    Partition(usize),
    /// An index into the restrictions of the clustering columns.
    Clustering(usize),
    /// An index into the restrictions of the other columns.
    Other(usize),
}

impl Restrictions {
    /// The restriction with this id.
    pub fn get(&self, id: RestrictionId) -> Option<&Restriction> {
        let (set, at) = match id {
            RestrictionId::Partition(at) => (&self.partition.columns, at),
            RestrictionId::Clustering(at) => (&self.clustering, at),
            RestrictionId::Other(at) => (&self.others, at),
        };
        set.restrictions.get(at)
    }

    /// The restrictions with these ids.
    pub fn select<'a>(&'a self, ids: &'a [RestrictionId]) -> impl Iterator<Item = &'a Restriction> {
        ids.iter().filter_map(|id| self.get(*id))
    }

    /// Whether a column is restricted by `=`.
    pub(crate) fn is_equal_restricted(&self, column: usize) -> bool {
        self.set_of(column).restriction_on(column).is_some_and(Restriction::is_equal)
    }

    /// Whether a column is restricted in any way, `IS NOT NULL` included.
    pub fn is_restricted(&self, column: usize) -> bool {
        // A restriction of the token alone restricts all columns of the partition key.
        let by_token = self.partition.columns.is_empty()
            && self.partition.token.is_some()
            && column < self.table.partition_key().len();
        self.not_null.contains(&column)
            || by_token
            || self.set_of(column).restriction_on(column).is_some()
    }

    /// The set with the restrictions on columns of this column's kind.
    pub(crate) fn set_of(&self, column: usize) -> &RestrictionSet {
        match self.table.columns()[column].kind {
            ColumnKind::Partition => &self.partition.columns,
            ColumnKind::Clustering => &self.clustering,
            ColumnKind::Static | ColumnKind::Regular => &self.others,
        }
    }

    /// Columns outside the primary key in the row filter, optionally with those of `IS NOT NULL`.
    pub(crate) fn non_key_restricted_columns(&self, with_not_null: bool) -> Vec<usize> {
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

    /// Whether an IN names the partitions.
    pub fn is_key_in_relation(&self) -> bool {
        self.partition.has_in(&self.table)
    }

    /// Whether it orders by ANN.
    pub(crate) fn is_nearest(&self) -> bool {
        self.others.nearest().is_some()
    }

    /// Whether all primary key columns are restricted by `=` or IN.
    pub(crate) fn has_full_primary_key(&self) -> bool {
        !self.partition.is_on_token(&self.table)
            && !self.partition.has_unrestricted_columns(&self.table)
            && self.partition.has_only_equality(&self.table)
            && self.clustering.column_count() == self.table.clustering().len()
            && self.clustering.has_only_equality()
    }

    /// Whether a range of rows is read or written: some clustering column is not restricted by `=`
    /// or IN.
    pub(crate) fn is_column_range(&self) -> bool {
        let columns =
            if self.table.is_static_compact() { 0 } else { self.table.clustering().len() };
        self.clustering.column_count() < columns || !self.clustering.has_only_equality()
    }

    /// Whether a partition without rows is still returned with its static columns.
    pub(crate) fn can_return_static_content(&self) -> bool {
        let on_regulars = self
            .others
            .columns()
            .any(|column| self.table.columns()[column].kind == ColumnKind::Regular);
        self.table.is_static_compact() || (self.clustering.is_empty() && !on_regulars)
    }

    /// The restrictions in the row filter.
    pub(crate) fn filter_restrictions(&self) -> impl Iterator<Item = &Restriction> {
        let part = |on: bool, set| Some(set).filter(|_| on).into_iter();
        part(self.filters.partition, &self.partition.columns)
            .chain(part(self.filters.clustering, &self.clustering))
            .chain(part(self.filters.others, &self.others))
            .flat_map(|set: &RestrictionSet| set.restrictions.iter())
    }

    /// Whether rows must be checked for something that no single group of indexes covers.
    pub(crate) fn needs_filtering(&self) -> Result<bool> {
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

    /// Whether filtering requires ALLOW FILTERING; on most virtual tables it does not.
    pub(crate) fn is_allow_filtering_required(&self) -> bool {
        !self.table.is_virtual
            || (&*self.table.keyspace == "system_views" && &*self.table.name == "system_logs")
    }
}
