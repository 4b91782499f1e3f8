//! Recognises reads and writes of a single row by its full key whose values are used as they are:
//! the statements that clients send most, and that the engine's fast path executes.
//!
//! Everything that needs more than looking up a key and copying values is left to the general path:
//! the conditions below are what the fast path relies on and does not check again.

use cql::types::{NativeType, Type};

use crate::bind::restrictions::{
    Filters, Operand, Restriction, RestrictionKind, RestrictionSet, Restrictions, StatementType,
};
use crate::bind::select::{BoundSelect, limit_value};
use crate::bind::selection::{Expression, SelectedColumn};
use crate::bind::term::BoundTerm;
use crate::bind::write::{BoundWrite, Operation, OperationKind, WriteRows};
use crate::catalog::{Column, ColumnKind, Table};

/// The key of one row: a marker or a constant for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleRow {
    /// The values of the partition key.
    pub partition: Vec<BoundTerm>,
    /// The values of the clustering columns.
    pub clustering: Vec<BoundTerm>,
}

/// A read of single-cell columns of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleRowRead {
    /// The key of the row.
    pub row: SingleRow,
    /// The selected columns, as positions among the table's: key columns and single-cell columns.
    pub columns: Vec<usize>,
}

/// An INSERT or UPDATE of single-cell columns of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleRowWrite {
    /// The key of the row.
    pub row: SingleRow,
    /// The columns that are set, as positions among the table's, each to a marker or constant.
    pub columns: Vec<(usize, BoundTerm)>,
    /// `USING TIMESTAMP`: a marker or constant.
    pub timestamp: Option<BoundTerm>,
    /// Whether it writes the row's liveness (INSERT), besides its columns.
    pub inserts: bool,
}

impl SingleRow {
    fn from_restrictions(table: &Table, restrictions: &Restrictions) -> Option<Self> {
        Some(Self {
            partition: equal_terms(&restrictions.partition.columns, table.partition_key())?,
            clustering: equal_terms(&restrictions.clustering, table.clustering())?,
        })
    }
}

impl SingleRowRead {
    /// The SELECT as a read of a single row, if it is one.
    pub(super) fn from_select(select: &BoundSelect) -> Option<Self> {
        let restrictions = &select.restrictions;
        let table = &*select.table;
        // A limit by marker may be zero, which is an error.
        let is_certain = |limit: &Option<BoundTerm>| match limit {
            None => true,
            Some(limit) => limit_value(limit).is_some_and(|rows| rows > 0),
        };
        let is_plain = !restrictions.uses_index
            && !restrictions.is_key_range
            && restrictions.filters == Filters::default()
            && restrictions.others.is_empty()
            && restrictions.partition.token.is_none()
            && select.aggregation.is_none()
            && !select.is_json
            && !select.is_distinct
            && !table.is_compact()
            && is_certain(&select.limit)
            && is_certain(&select.per_partition_limit);
        if !is_plain {
            return None;
        }
        let plain = |selected: &SelectedColumn| plain_column(table, selected);
        Some(Self {
            row: SingleRow::from_restrictions(table, restrictions)?,
            columns: select.selection.columns.iter().map(plain).collect::<Option<_>>()?,
        })
    }
}

impl SingleRowWrite {
    /// The write as a write of a single row, if it is one.
    pub(super) fn from_write(write: &BoundWrite) -> Option<Self> {
        let table = &*write.table;
        let is_plain = table.indexes.is_empty()
            && table.triggers.is_empty()
            && table.params.default_time_to_live == 0
            && !table.is_compact()
            && !write.is_conditional()
            && write.statement != StatementType::Delete
            && write.using.ttl.is_none();
        let WriteRows::Where(restrictions) = &write.rows else { return None };
        if !is_plain || restrictions.partition.token.is_some() {
            return None;
        }
        let timestamp = match &write.using.timestamp {
            None => None,
            Some((term, _)) => Some(plain_term(term, &NativeType::Bigint.into())?),
        };
        let set = |operation: &Operation| plain_operation(table, operation);
        Some(Self {
            row: SingleRow::from_restrictions(table, restrictions)?,
            columns: write.operations.iter().map(set).collect::<Option<_>>()?,
            timestamp,
            inserts: write.statement == StatementType::Insert,
        })
    }
}

/// A value for each of the columns, if each is restricted by `=` on its own.
fn equal_terms(set: &RestrictionSet, columns: &[Column]) -> Option<Vec<BoundTerm>> {
    let each = |(restriction, column): (&Restriction, &Column)| match &restriction.kind {
        RestrictionKind::Equal(Operand::Terms(terms)) if restriction.columns.len() == 1 => {
            plain_term(terms.first()?, &column.ty)
        }
        _ => None,
    };
    if set.restrictions.len() != columns.len() {
        return None;
    }
    set.restrictions.iter().zip(columns).map(each).collect()
}

/// A term whose bytes are used as they are. A collection bound to a marker is not one: its elements
/// must be sorted first.
fn plain_term(term: &BoundTerm, ty: &Type) -> Option<BoundTerm> {
    match term {
        BoundTerm::Marker(_) if ty.is_collection() => None,
        BoundTerm::Marker(_) | BoundTerm::Value(Some(_)) => Some(term.clone()),
        _ => None,
    }
}

/// A selected column that is returned as it is stored.
fn plain_column(table: &Table, selected: &SelectedColumn) -> Option<usize> {
    let Expression::Column(at) = selected.expression else { return None };
    let column = table.columns().get(at)?;
    let is_plain =
        column.mask.is_none() && is_one_cell(column) && column.kind != ColumnKind::Static;
    is_plain.then_some(at)
}

fn plain_operation(table: &Table, operation: &Operation) -> Option<(usize, BoundTerm)> {
    let column = table.columns().get(operation.column)?;
    match &operation.kind {
        OperationKind::Set(term) if column.kind == ColumnKind::Regular && is_one_cell(column) => {
            Some((operation.column, plain_term(term, &column.ty)?))
        }
        _ => None,
    }
}

fn is_one_cell(column: &Column) -> bool {
    !column.is_multi_cell() && !column.ty.is_counter()
}
