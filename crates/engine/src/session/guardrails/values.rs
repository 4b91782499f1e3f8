//! Guardrails of values: the sizes of columns and collections that a write stores, and the number
//! of keys that the IN relations of a statement name.

use std::collections::HashSet;

use cql::types::Type;
use schema::bind::restrictions::{InList, Operand, Restriction, RestrictionKind, Restrictions};
use schema::bind::select::BoundSelect;
use schema::bind::term::BoundTerm;
use schema::bind::write::{BoundWrite, Operation, OperationKind, WriteRows};
use schema::catalog::{Column, Table};

use super::GuardrailCheck;
use crate::error::Result;

/// What a cell has besides its value and path: a timestamp, a TTL and a deletion time.
const CELL_OVERHEAD: usize = 20;
/// The size of the id of a list element.
const LIST_PATH: usize = 16;

impl GuardrailCheck<'_> {
    /// Checks the IN relations of a SELECT.
    pub(super) fn check_select_keys(&self, select: &BoundSelect) -> Result<()> {
        let restrictions = &select.restrictions;
        self.check_products(restrictions, &select.table)?;
        if !restrictions.is_key_in_relation() {
            return Ok(());
        }
        let columns = &restrictions.partition.columns.restrictions;
        let keys = columns.iter().map(count_distinct).fold(1, usize::saturating_mul);
        let table = &select.table.name;
        let threshold = self.settings.partition_keys_in_select;
        self.check_threshold("partition_keys_in_select", threshold, keys, |is_warning, limit| {
            if is_warning {
                format!(
                    "Query with partition keys in IN clause on table {table}, with number of partition keys {keys} exceeds \
                     warning threshold of {limit}."
                )
            } else {
                format!(
                    "Aborting query with partition keys in IN clause on table {table}, number of partition keys {keys} \
                     exceeds fail threshold of {limit}."
                )
            }
        })
    }

    /// Checks the IN relations of partition keys, and of rows if every clustering column is given.
    fn check_products(&self, restrictions: &Restrictions, table: &Table) -> Result<()> {
        let partition = &restrictions.partition.columns.restrictions;
        self.check_product(partition, "partition key")?;
        let clustering = &restrictions.clustering.restrictions;
        let named: usize = clustering.iter().map(|one| one.columns.len()).sum();
        let names_rows = named == table.clustering().len()
            && clustering.iter().all(|one| one.is_equal() || is_in(one));
        if names_rows { self.check_product(clustering, "clustering key") } else { Ok(()) }
    }

    /// Like the server, checks the product after every column.
    fn check_product(&self, restrictions: &[Restriction], keys: &str) -> Result<()> {
        if !restrictions.iter().any(is_in) {
            return Ok(());
        }
        let threshold = self.settings.in_select_cartesian_product;
        let mut size = 1_usize;
        for restriction in restrictions {
            size = size.saturating_mul(values(restriction).map_or(1, <[Operand]>::len));
            let name = "in_select_cartesian_product";
            self.check_threshold(name, threshold, size, |is_warning, limit| {
                let product = format!(
                    "he cartesian product of the IN restrictions on {keys} produces {size} values, this exceeds"
                );
                if is_warning {
                    format!("T{product} warning threshold of {limit}.")
                } else {
                    format!("Aborting query because t{product} fail threshold of {limit}.")
                }
            })?;
        }
        Ok(())
    }

    /// Checks the rows and values of a write.
    pub(super) fn check_written_values(&self, write: &BoundWrite) -> Result<()> {
        if let WriteRows::Where(restrictions) = &write.rows {
            self.check_products(restrictions, &write.table)?;
        }
        for operation in &write.operations {
            if let Some(column) = write.table.columns().get(operation.column) {
                self.check_operation(column, operation)?;
            }
        }
        Ok(())
    }

    fn check_operation(&self, column: &Column, operation: &Operation) -> Result<()> {
        if matches!(column.ty, Type::List(..)) {
            self.check_list_operation(&operation.kind)?;
        }
        match &operation.kind {
            OperationKind::SetElement(BoundTerm::Value(Some(key)), value) => {
                if let BoundTerm::Value(Some(value)) = value {
                    self.check_value(column, value.len())?;
                }
                let path = if matches!(column.ty, Type::Map(..)) { key.len() } else { LIST_PATH };
                self.check_value(column, path)
            }
            OperationKind::Set(BoundTerm::Value(Some(bytes)))
            | OperationKind::Add(BoundTerm::Value(Some(bytes))) => {
                let Some(cells) = split_cells(&column.ty, bytes) else {
                    return self.check_value(column, bytes.len());
                };
                self.check_items(column, cells.len())?;
                if !column.is_multi_cell() {
                    return self.check_value(column, bytes.len());
                }
                self.check_cells(column, &cells)?;
                self.check_collection(column, &cells)
            }
            OperationKind::Prepend(BoundTerm::Value(Some(bytes))) => {
                let cells = split_cells(&column.ty, bytes).unwrap_or_default();
                self.check_cells(column, &cells)
            }
            _ => Ok(()),
        }
    }

    /// Refuses operations on lists that read them first, if these are not allowed.
    fn check_list_operation(&self, kind: &OperationKind) -> Result<()> {
        let operation = match kind {
            OperationKind::SetElement(..) => "Setting of list items by index",
            OperationKind::DeleteElement(_) => "Removal of list items by index",
            OperationKind::Subtract(_) => "Removal of list items",
            _ => return Ok(()),
        };
        let enabled = self.settings.read_before_write_list_operations_enabled;
        let feature = format!("{operation} requiring read before write");
        self.check_enabled("read_before_write_list_operations", enabled, &feature, "")
    }

    fn check_cells(&self, column: &Column, cells: &[CellSize]) -> Result<()> {
        cells.iter().try_for_each(|cell| {
            self.check_value(column, cell.value)?;
            self.check_value(column, cell.path)
        })
    }

    fn check_value(&self, column: &Column, size: usize) -> Result<()> {
        let name = &column.name;
        self.check_size("column_value_size", self.settings.column_value_size, size, || {
            format!("Value of column '{name}' has size {size}")
        })
    }

    fn check_items(&self, column: &Column, count: usize) -> Result<()> {
        let name = &column.name;
        self.check_size("items_per_collection", self.settings.items_per_collection, count, || {
            format!("Detected collection {name} with {count} items")
        })
    }

    fn check_collection(&self, column: &Column, cells: &[CellSize]) -> Result<()> {
        let size: usize = cells.iter().map(|cell| cell.value + cell.path + CELL_OVERHEAD).sum();
        let name = &column.name;
        self.check_size("collection_size", self.settings.collection_size, size, || {
            format!("Detected collection {name} of size {size}")
        })
    }
}

/// The sizes of the value and the path of a cell.
#[derive(Clone, Copy, Debug)]
struct CellSize {
    value: usize,
    path: usize,
}

/// The cells of a collection, or those that it would have; `None` for other values.
fn split_cells(ty: &Type, bytes: &[u8]) -> Option<Vec<CellSize>> {
    let width = match ty {
        Type::Map(..) => 2,
        Type::List(..) | Type::Set(..) => 1,
        _ => return None,
    };
    let parts = cql::value::split(ty, bytes).ok()?;
    let cell = |parts: &[Option<&[u8]>]| {
        let size = |at: usize| parts.get(at).copied().flatten().map_or(0, <[u8]>::len);
        match ty {
            Type::List(..) => CellSize { value: size(0), path: LIST_PATH },
            _ => CellSize { value: size(1), path: size(0) },
        }
    };
    Some(parts.chunks(width).map(cell).collect())
}

fn values(restriction: &Restriction) -> Option<&[Operand]> {
    match &restriction.kind {
        RestrictionKind::In(InList::Values(values)) => Some(values),
        _ => None,
    }
}

fn is_in(restriction: &Restriction) -> bool {
    matches!(restriction.kind, RestrictionKind::In(_))
}

fn count_distinct(restriction: &Restriction) -> usize {
    let Some(values) = values(restriction) else { return 1 };
    let constant = |term: &BoundTerm| match term {
        BoundTerm::Value(value) => value.clone(),
        _ => None,
    };
    let distinct: HashSet<Vec<Option<Box<[u8]>>>> =
        values.iter().map(|operand| operand.terms().iter().map(constant).collect()).collect();
    distinct.len()
}
