//! Which index supports which restriction (Cassandra's `IndexRegistry` and
//! `Index.supportsExpression`).

use cql::Span;
use cql::types::{NativeType, Type};

use super::restriction::{Restriction, RestrictionKind};
use super::restriction_set::RestrictionSet;
use super::sasi;
use crate::catalog::{Column, Index, IndexClass, IndexPart, Table};
use crate::refusal::RestrictionReason;
use crate::{Refusal, Result};

/// The indexes of a table, with the questions that the server puts to its registry.
#[derive(Clone, Copy, Debug)]
pub struct IndexRegistry<'a> {
    table: &'a Table,
}

/// The operator of a restriction, as far as indexes distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexOperator {
    /// `=`; also `map[key] = value`
    Equal,
    /// `IN`
    In,
    /// `<`, `<=`, `>`, `>=`
    Range,
    /// `CONTAINS`
    Contains,
    /// `CONTAINS KEY`
    ContainsKey,
    /// `LIKE`, whatever its pattern
    Like,
    /// `ANN OF`
    Nearest,
}

impl<'a> IndexRegistry<'a> {
    /// The indexes of that table; a virtual table has none.
    pub fn new(table: &'a Table) -> Self {
        Self { table }
    }

    /// Whether the column has an index.
    pub(crate) fn has_index_on(self, column: usize) -> bool {
        let name = &self.table.columns()[column].name;
        self.table.indexes.iter().any(|index| index.column == *name)
    }

    /// Whether some index supports the restriction, at least in part.
    pub fn supports(self, restriction: &Restriction) -> Result<bool> {
        for index in &self.table.indexes {
            if self.index_supports(restriction, index)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some index supports one of the restrictions.
    pub(crate) fn supports_any(self, set: &RestrictionSet) -> Result<bool> {
        for restriction in &set.restrictions {
            if self.supports(restriction)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The groups of indexes that the server can combine in one query: all storage-attached ones
    /// together, every other index alone.
    pub fn groups(self) -> Vec<Vec<usize>> {
        let is_sai = |at: &usize| self.table.indexes[*at].class == IndexClass::Sai;
        let (sai, others): (Vec<usize>, Vec<usize>) =
            (0..self.table.indexes.len()).partition(is_sai);
        let mut groups: Vec<Vec<usize>> = others.into_iter().map(|at| vec![at]).collect();
        if !sai.is_empty() {
            groups.insert(0, sai);
        }
        groups
    }

    /// Whether rows that these indexes return must still be checked for the restriction. A tuple
    /// restriction needs an index on each of its columns. Several CONTAINS on one column need SAI,
    /// which intersects them; other indexes look up one and leave the rest to filtering.
    pub(crate) fn needs_filtering(
        self,
        restriction: &Restriction,
        group: &[usize],
    ) -> Result<bool> {
        let indexes = || group.iter().filter_map(|at| self.table.indexes.get(*at));
        if restriction.multi_column {
            for column in &restriction.columns {
                let mut is_supported = false;
                for index in indexes() {
                    is_supported |= self.is_column_supported(restriction, *column, index)?;
                }
                if !is_supported {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let several =
            matches!(&restriction.kind, RestrictionKind::Contains(contains) if contains.len() > 1);
        for index in indexes() {
            if self.index_supports(restriction, index)?
                && !(several && index.class != IndexClass::Sai)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the index supports the restriction, at least in part.
    pub(crate) fn index_supports(self, restriction: &Restriction, index: &Index) -> Result<bool> {
        for column in &restriction.columns {
            if self.is_column_supported(restriction, *column, index)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the index is on this column of the restriction and supports its operator. All
    /// operators are tried even after a match: SASI fails on one that it does not know.
    fn is_column_supported(
        self,
        restriction: &Restriction,
        column: usize,
        index: &Index,
    ) -> Result<bool> {
        let column = &self.table.columns()[column];
        if index.column != column.name {
            return Ok(false);
        }
        let mut is_supported = false;
        for operator in operators(&restriction.kind) {
            is_supported |= supports(index, column, operator, restriction.span)?;
        }
        Ok(is_supported)
    }
}

/// The operators of a restriction; an index that supports one of them supports it in part.
fn operators(kind: &RestrictionKind) -> Vec<IndexOperator> {
    match kind {
        RestrictionKind::Equal(_) => vec![IndexOperator::Equal],
        RestrictionKind::In(_) => vec![IndexOperator::In],
        RestrictionKind::Slice(_) => vec![IndexOperator::Range],
        RestrictionKind::Like(_) => vec![IndexOperator::Like],
        RestrictionKind::Nearest(_) => vec![IndexOperator::Nearest],
        RestrictionKind::Contains(contains) => [
            (contains.values.is_empty(), IndexOperator::Contains),
            (contains.keys.is_empty(), IndexOperator::ContainsKey),
            (contains.entries.is_empty(), IndexOperator::Equal),
        ]
        .into_iter()
        .filter_map(|(absent, operator)| (!absent).then_some(operator))
        .collect(),
    }
}

/// Whether an index on that column supports the operator.
pub fn supports(
    index: &Index,
    column: &Column,
    operator: IndexOperator,
    span: Span,
) -> Result<bool> {
    match &index.class {
        IndexClass::Legacy => Ok(has_legacy_support(index, column, operator)),
        IndexClass::Sai => Ok(has_sai_support(index, column, operator)),
        IndexClass::Sasi => sasi::supports(index, column, operator).ok_or_else(|| {
            Refusal::new(
                RestrictionReason::UnknownOperator { operator: operator.text().to_owned() },
                span,
            )
            .into()
        }),
        IndexClass::Custom(_) => Ok(false),
    }
}

impl IndexOperator {
    /// As the server prints it.
    const fn text(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::In => "IN",
            Self::Range => ">",
            Self::Contains => "CONTAINS",
            Self::ContainsKey => "CONTAINS KEY",
            Self::Like => "LIKE",
            Self::Nearest => "ANN",
        }
    }
}

fn has_legacy_support(index: &Index, column: &Column, operator: IndexOperator) -> bool {
    if !(column.ty.is_collection() && column.is_multi_cell()) {
        return operator == IndexOperator::Equal;
    }
    match (&column.ty, index.part) {
        // A set's elements are the paths of its cells, so a set is indexed by keys whatever the
        // statement said.
        (Type::Set(..), _) => {
            matches!(operator, IndexOperator::Contains | IndexOperator::ContainsKey)
        }
        (Type::Map(..), IndexPart::Keys) => operator == IndexOperator::ContainsKey,
        (Type::Map(..), IndexPart::Entries) => operator == IndexOperator::Equal,
        _ => operator == IndexOperator::Contains,
    }
}

fn has_sai_support(index: &Index, column: &Column, operator: IndexOperator) -> bool {
    match operator {
        IndexOperator::Like | IndexOperator::In => return false,
        IndexOperator::Nearest => return matches!(column.ty, Type::Vector(..)),
        _ => {}
    }
    if column.ty.is_collection() && column.is_multi_cell() {
        return match index.part {
            IndexPart::Keys => operator == IndexOperator::ContainsKey,
            IndexPart::Entries => operator == IndexOperator::Equal,
            _ => operator == IndexOperator::Contains,
        };
    }
    if index.part == IndexPart::Full {
        return operator == IndexOperator::Equal;
    }
    operator == IndexOperator::Equal || !is_sai_equality_only(&column.ty)
}

/// Types whose values SAI stores as literals: they can be looked up, but are not ordered.
fn is_sai_equality_only(ty: &Type) -> bool {
    match ty {
        Type::Native(native) => {
            matches!(
                native,
                NativeType::Text | NativeType::Ascii | NativeType::Boolean | NativeType::Uuid
            )
        }
        Type::Custom(_) => false,
        _ => true,
    }
}
