//! Restrictions of the partition key: by its columns, by its token, or both (Cassandra's
//! `PartitionKeySingleRestrictionSet`, `TokenRestriction` and `TokenFilter`).
//!
//! If both are there, the columns decide where they name the keys, and the token only filters them;
//! if the columns do not name whole keys, the token decides which range is scanned, and the columns
//! filter.

use cql::Span;

use super::merge::{both_kinds, merge_slices, more_than_one};
use super::restriction::{Restriction, Slice};
use super::restriction_set::RestrictionSet;
use crate::Result;
use crate::bind::term::BoundTerm;
use crate::catalog::Table;

/// The restrictions of the partition key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartitionRestrictions {
    /// The restrictions of its columns.
    pub columns: RestrictionSet,
    /// The restriction of its token.
    pub token: Option<TokenRestriction>,
}

/// A restriction of the token.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenRestriction {
    /// A token or a range of them.
    pub kind: TokenRestrictionKind,
    /// The relation it came from; after a merge, the last one.
    pub span: Span,
}

/// The kinds of token restrictions.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenRestrictionKind {
    /// `token(k) = x`
    Equal(BoundTerm),
    /// `token(k) > x AND token(k) <= y`
    Slice(Slice),
}

impl PartitionRestrictions {
    /// Adds a restriction of one column.
    pub(super) fn add(&mut self, table: &Table, restriction: Restriction) -> Result<()> {
        self.columns.add(table, restriction)
    }

    /// Adds a restriction of the token.
    pub(super) fn add_token(&mut self, table: &Table, other: TokenRestriction) -> Result<()> {
        let Some(token) = &self.token else {
            self.token = Some(other);
            return Ok(());
        };
        let span = other.span;
        let names =
            table.partition_key().iter().map(|column| &*column.name).collect::<Vec<_>>().join(", ");
        let slice = match (&token.kind, &other.kind) {
            (TokenRestrictionKind::Equal(_), _) => {
                return Err(more_than_one(&names, "an Equal", span).into());
            }
            (TokenRestrictionKind::Slice(_), TokenRestrictionKind::Equal(_)) => {
                return Err(both_kinds("Columns", &names, span).into());
            }
            (TokenRestrictionKind::Slice(slice), TokenRestrictionKind::Slice(more)) => {
                merge_slices(slice, more, &names, span)?
            }
        };
        self.token = Some(TokenRestriction { kind: TokenRestrictionKind::Slice(slice), span });
        Ok(())
    }

    /// Whether there is no restriction.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.token.is_none()
    }

    /// Whether the restrictions of the columns must be checked partition by partition: some column
    /// is unrestricted, or not by `=` or IN, so that no token can be computed.
    pub(crate) fn is_filtering_needed(&self, table: &Table) -> bool {
        !self.columns.is_empty()
            && (self.has_missing_columns(table)
                || self.columns.has_slice()
                || self.columns.has_contains())
    }

    /// Whether some column is unrestricted. A token restriction alone counts for all columns.
    pub(crate) fn has_unrestricted_columns(&self, table: &Table) -> bool {
        if self.columns.is_empty() { self.token.is_none() } else { self.has_missing_columns(table) }
    }

    /// Whether the token decides which partitions are read: the columns do not name them.
    pub(crate) fn is_on_token(&self, table: &Table) -> bool {
        self.token.is_some()
            && (self.columns.is_empty()
                || self.is_filtering_needed(table)
                || self.has_missing_columns(table))
    }

    /// Whether an IN names the partitions.
    pub(crate) fn has_in(&self, table: &Table) -> bool {
        self.columns.has_in() && !self.is_on_token(table)
    }

    /// Whether there is a range, of a column or (if no column is restricted) of the token.
    pub(crate) fn has_slice(&self) -> bool {
        if self.columns.is_empty() {
            self.token
                .as_ref()
                .is_some_and(|token| matches!(token.kind, TokenRestrictionKind::Slice(_)))
        } else {
            self.columns.has_slice()
        }
    }

    /// Whether all restrictions are `=` or IN on columns.
    pub(crate) fn has_only_equality(&self, table: &Table) -> bool {
        !self.is_on_token(table) && self.columns.has_only_equality()
    }

    fn has_missing_columns(&self, table: &Table) -> bool {
        self.columns.column_count() < table.partition_key().len()
    }
}
