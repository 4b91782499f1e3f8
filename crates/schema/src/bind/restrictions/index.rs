//! Which index serves which restriction.

use cql::Span;
use cql::types::{NativeType, Type};

use super::restriction::{Restriction, RestrictionKind};
use super::restriction_set::RestrictionSet;
use super::sasi;
use crate::catalog::{Column, Index, IndexClass, IndexPart, Table};
use crate::refusal::RestrictionReason;
use crate::{Refusal, Result};

/// The indexes of a table, asked as the server asks its registry.
#[derive(Clone, Copy, Debug)]
pub struct IndexRegistry<'a> {
    table: &'a Table,
}

/// What an index is asked to serve.
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

    /// Whether some index stands on the column.
    pub fn has_index_on(self, column: usize) -> bool {
        let name = &self.table.columns()[column].name;
        self.table.indexes.iter().any(|index| index.column == *name)
    }

    /// Whether some index serves the restriction, at least in part.
    pub fn supports(self, restriction: &Restriction) -> Result<bool> {
        for index in &self.table.indexes {
            if self.index_supports(restriction, index)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some index serves one of the restrictions.
    pub fn supports_any(self, set: &RestrictionSet) -> Result<bool> {
        for restriction in &set.restrictions {
            if self.supports(restriction)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The groups of indexes that can answer together: storage-attached ones all in one, others each alone.
    pub fn groups(self) -> Vec<Vec<usize>> {
        let is_sai = |at: &usize| self.table.indexes[*at].class == IndexClass::Sai;
        let (attached, alone): (Vec<usize>, Vec<usize>) =
            (0..self.table.indexes.len()).partition(is_sai);
        let mut groups: Vec<Vec<usize>> = alone.into_iter().map(|at| vec![at]).collect();
        if !attached.is_empty() {
            groups.insert(0, attached);
        }
        groups
    }

    /// Whether rows that these indexes find must still be checked for the restriction.
    pub fn needs_filtering(self, restriction: &Restriction, group: &[usize]) -> Result<bool> {
        let indexes = || group.iter().filter_map(|at| self.table.indexes.get(*at));
        if restriction.multi_column {
            for column in &restriction.columns {
                let mut served = false;
                for index in indexes() {
                    served |= self.serves_column(restriction, *column, index)?;
                }
                if !served {
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

    /// Whether the index serves the restriction, at least in part.
    pub fn index_supports(self, restriction: &Restriction, index: &Index) -> Result<bool> {
        for column in &restriction.columns {
            if self.serves_column(restriction, *column, index)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn serves_column(
        self,
        restriction: &Restriction,
        column: usize,
        index: &Index,
    ) -> Result<bool> {
        let column = &self.table.columns()[column];
        if index.column != column.name {
            return Ok(false);
        }
        let mut served = false;
        for operator in operators(&restriction.kind) {
            served |= supports(index, column, operator, restriction.span)?;
        }
        Ok(served)
    }
}

/// What a restriction needs of an index; any of them will do.
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

/// Whether an index on that column serves the operator.
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
        // The keys of a set's cells are its elements, so a set is indexed by keys whatever was asked for.
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

/// Types whose values SAI keeps as literals: it finds them, but does not order them.
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
