//! [`RestrictionSet`]: the restrictions on columns of the same kind, merged by column.

use std::collections::HashSet;
use std::sync::Arc;

use super::merge::merge;
use super::restriction::{Restriction, RestrictionKind};
use crate::Result;
use crate::catalog::Table;

/// Restrictions of disjoint columns, in key order (others by name).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestrictionSet {
    /// The restrictions; [`RestrictionId`](super::RestrictionId) refers to them by index.
    pub restrictions: Vec<Restriction>,
    /// The restricted columns, so that adding is fast for clauses with thousands of relations.
    restricted: Arc<HashSet<usize>>,
}

impl RestrictionSet {
    /// Adds a restriction and merges it with an existing one on the same columns. A tuple may
    /// overlap several, but at most one of them can be merged: all but slices that start at the
    /// same column are refused.
    pub(super) fn add(&mut self, table: &Table, restriction: Restriction) -> Result<()> {
        let is_restricted =
            restriction.columns.iter().any(|column| self.restricted.contains(column));
        Arc::make_mut(&mut self.restricted).extend(&restriction.columns);
        if !is_restricted {
            let key = order(table, &restriction);
            let at = self.restrictions.partition_point(|existing| order(table, existing) <= key);
            self.restrictions.insert(at, restriction);
            return Ok(());
        }
        let overlaps = |existing: &Restriction| {
            existing.columns.iter().any(|column| restriction.columns.contains(column))
        };
        let mut merged = None;
        let mut rest = Vec::with_capacity(self.restrictions.len() + 1);
        for existing in self.restrictions.drain(..) {
            if overlaps(&existing) {
                merged = Some(merge(table, &existing, restriction.clone())?);
            } else {
                rest.push(existing);
            }
        }
        rest.push(merged.unwrap_or(restriction));
        rest.sort_by(|a, b| order(table, a).cmp(&order(table, b)));
        self.restrictions = rest;
        Ok(())
    }

    /// A set on the same columns with other operands, as when values are bound to markers.
    pub(in crate::bind) fn map(
        &self,
        kind: impl Fn(&Restriction) -> Result<RestrictionKind>,
    ) -> Result<Self> {
        let convert = |from: &Restriction| {
            let kind = kind(from)?;
            let columns = from.columns.clone();
            Ok(Restriction { columns, multi_column: from.multi_column, kind, span: from.span })
        };
        let restrictions = self.restrictions.iter().map(convert).collect::<Result<_>>()?;
        Ok(Self { restrictions, restricted: Arc::clone(&self.restricted) })
    }

    /// Whether some restriction is IN (with other than one value).
    pub(crate) fn has_in(&self) -> bool {
        self.restrictions.iter().any(Restriction::is_in)
    }

    /// Whether some restriction is CONTAINS, CONTAINS KEY or an entry of a map.
    pub(crate) fn has_contains(&self) -> bool {
        self.restrictions.iter().any(Restriction::is_contains)
    }

    /// Whether some restriction is a range.
    pub(crate) fn has_slice(&self) -> bool {
        self.restrictions.iter().any(Restriction::is_slice)
    }

    /// Whether all restrictions are `=` or IN.
    pub(crate) fn has_only_equality(&self) -> bool {
        self.restrictions.iter().all(|restriction| restriction.is_equal() || restriction.is_in())
    }

    /// Whether there is no restriction.
    pub fn is_empty(&self) -> bool {
        self.restrictions.is_empty()
    }

    /// The number of restricted columns.
    pub fn column_count(&self) -> usize {
        self.restrictions.iter().map(|restriction| restriction.columns.len()).sum()
    }

    /// The restricted columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.restrictions.iter().flat_map(|restriction| restriction.columns.iter().copied())
    }

    /// The restriction of a column.
    pub(crate) fn restriction_on(&self, column: usize) -> Option<&Restriction> {
        self.restrictions.iter().find(|restriction| restriction.columns.contains(&column))
    }

    /// The ordering by ANN, if there is one.
    pub fn nearest(&self) -> Option<&Restriction> {
        self.restrictions.iter().find(|restriction| restriction.is_nearest())
    }
}

/// The sort key: key columns by position; columns outside the key come first, by name.
fn order<'a>(table: &'a Table, restriction: &Restriction) -> (Option<usize>, &'a str) {
    let column = &table.columns()[restriction.first_column()];
    (column.is_primary_key().then_some(column.position), &column.name)
}
