//! The result set of a conditional write: `[applied]` and, if that is false, the current rows.

use std::sync::Arc;

use cql::types::{NativeType, Type};
use schema::catalog::ColumnKind;
use storage::Row;

use super::cas::CasRequest;
use super::current_partition::CurrentPartition;
use crate::node::handle::TableHandle;
use crate::result::{ResultColumn, ResultSet};
use crate::rows::live_row::pack;

const FALSE: &[u8] = &[0];
const TRUE: &[u8] = &[1];

/// The result of a write that was applied: `[applied]` is true.
pub(super) fn build_success(handle: &TableHandle) -> ResultSet {
    let mut rows = ResultSet::new(Arc::new([verdict_column(handle)]));
    rows.push(Some(TRUE));
    rows.end_row();
    rows
}

fn verdict_column(handle: &TableHandle) -> ResultColumn {
    result_column(handle, "[applied]", NativeType::Boolean.into())
}

fn result_column(handle: &TableHandle, name: &str, ty: Type) -> ResultColumn {
    let table = &handle.definition;
    ResultColumn {
        keyspace: table.keyspace.clone(),
        table: table.name.clone(),
        name: name.into(),
        ty,
    }
}

/// The result of a write that was not applied: `[applied]` is false, with the rows that have
/// conditions.
pub(super) fn build_failure(request: &CasRequest<'_>, current: &CurrentPartition) -> ResultSet {
    let handle = request.handle;
    let rows: Vec<Option<&Row>> = current.rows().map(Some).collect();
    let rows = if rows.is_empty() && current.statics().is_some() { vec![None] } else { rows };
    if rows.is_empty() {
        let mut only = ResultSet::new(Arc::new([verdict_column(handle)]));
        only.push(Some(FALSE));
        only.end_row();
        return only;
    }
    let shown = select_columns(request);
    let definitions = handle.definition.columns();
    let columns = shown.iter().filter_map(|column| definitions.get(*column));
    let columns = columns.map(|column| result_column(handle, &column.name, column.ty.clone()));
    let mut result = ResultSet::new([verdict_column(handle)].into_iter().chain(columns).collect());
    for row in rows {
        result.push(Some(FALSE));
        for column in &shown {
            push_column(&mut result, handle, current, row, *column);
        }
        result.end_row();
    }
    result
}

/// The columns of the result, as positions in the definition. A batch may have conditions on
/// several rows, so it returns their keys as well.
fn select_columns(request: &CasRequest<'_>) -> Vec<usize> {
    let table = &request.handle.definition;
    let Some(requested) = &request.shown else { return (0..table.columns().len()).collect() };
    let keys = if request.is_batch { table.primary_key().len() } else { 0 };
    let mut shown: Vec<usize> = (0..keys).collect();
    for column in requested {
        if !shown.contains(column) {
            shown.push(*column);
        }
    }
    shown
}

/// Adds the value of a column of a row; without a row, only key and static columns have one.
fn push_column(
    result: &mut ResultSet,
    handle: &TableHandle,
    current: &CurrentPartition,
    row: Option<&Row>,
    column: usize,
) {
    let Some(definition) = handle.definition.columns().get(column) else { return };
    let part = match definition.kind {
        ColumnKind::Partition => {
            return result
                .push(handle.partition_values(&current.key).get(definition.position).copied());
        }
        ColumnKind::Clustering => {
            let value = row.and_then(|row| row.clustering().nth(definition.position));
            return result.push(value.flatten());
        }
        ColumnKind::Static => current.statics(),
        ColumnKind::Regular => row,
    };
    let id = handle.column_id(column).filter(|id| current.is_read(*id));
    let (Some(id), Some(part)) = (id, part) else { return result.push(None) };
    let now = current.now_seconds;
    let live: Vec<_> = part.cells().filter(|cell| cell.column == id && cell.is_live(now)).collect();
    match live.first() {
        None => result.push(None),
        Some(_) if definition.ty.is_multi_cell() => result.push(Some(&pack(&definition.ty, &live))),
        Some(cell) => result.push(Some(cell.value)),
    }
}
