//! A set of restrictions on columns of the same role.

use std::collections::HashSet;
use std::sync::Arc;

use super::merge::merge;
use super::restriction::{Restriction, RestrictionKind};
use crate::Result;
use crate::catalog::Table;

/// Restrictions of disjoint columns, in key order (others by name).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestrictionSet {
    /// The restrictions.
    pub restrictions: Vec<Restriction>,
    /// The columns they are on: a clause may have very many.
    restricted: Arc<HashSet<usize>>,
}

impl RestrictionSet {
    /// Adds a restriction, merging it with what is there for the same columns.
    pub(super) fn add(&mut self, table: &Table, restriction: Restriction) -> Result<()> {
        let known = restriction.columns.iter().any(|column| self.restricted.contains(column));
        Arc::make_mut(&mut self.restricted).extend(&restriction.columns);
        if !known {
            let place = order(table, &restriction);
            let at = self.restrictions.partition_point(|one| order(table, one) <= place);
            self.restrictions.insert(at, restriction);
            return Ok(());
        }
        let overlaps = |one: &Restriction| {
            one.columns.iter().any(|column| restriction.columns.contains(column))
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

    /// The same columns, restricted otherwise.
    pub(in crate::bind) fn map(
        &self,
        kind: impl Fn(&Restriction) -> Result<RestrictionKind>,
    ) -> Result<Self> {
        let one = |from: &Restriction| {
            let kind = kind(from)?;
            let columns = from.columns.clone();
            Ok(Restriction { columns, multi_column: from.multi_column, kind, span: from.span })
        };
        let restrictions = self.restrictions.iter().map(one).collect::<Result<_>>()?;
        Ok(Self { restrictions, restricted: Arc::clone(&self.restricted) })
    }

    /// Whether some column has a list of values (other than one).
    pub fn has_in(&self) -> bool {
        self.restrictions.iter().any(Restriction::is_in)
    }

    /// Whether some restriction looks into a collection.
    pub fn has_contains(&self) -> bool {
        self.restrictions.iter().any(Restriction::is_contains)
    }

    /// Whether some column has a range.
    pub fn has_slice(&self) -> bool {
        self.restrictions.iter().any(Restriction::is_slice)
    }

    /// Whether all restrictions are `=` or IN.
    pub fn has_only_equality(&self) -> bool {
        self.restrictions.iter().all(|one| one.is_equal() || one.is_in())
    }

    /// Whether there is no restriction.
    pub fn is_empty(&self) -> bool {
        self.restrictions.is_empty()
    }

    /// How many columns are restricted.
    pub fn column_count(&self) -> usize {
        self.restrictions.iter().map(|restriction| restriction.columns.len()).sum()
    }

    /// The restricted columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.restrictions.iter().flat_map(|restriction| restriction.columns.iter().copied())
    }

    /// The restriction of a column.
    pub fn restriction_on(&self, column: usize) -> Option<&Restriction> {
        self.restrictions.iter().find(|restriction| restriction.columns.contains(&column))
    }

    /// The ordering by distance, if there is one.
    pub fn nearest(&self) -> Option<&Restriction> {
        self.restrictions.iter().find(|one| matches!(one.kind, RestrictionKind::Nearest(_)))
    }
}

/// Key columns by position; columns outside the key come first, by name.
fn order<'a>(table: &'a Table, restriction: &Restriction) -> (Option<usize>, &'a str) {
    let column = &table.columns()[restriction.first_column()];
    (column.is_primary_key().then_some(column.position), &column.name)
}
