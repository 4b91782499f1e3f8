//! COMPACT STORAGE: what it does not support, its layout, and how it is dropped.

use cql::types::{NativeType, Type};
use cql::{Name, Span};

use crate::Result;
use crate::catalog::{Column, ColumnKind, Table, TableFlags};
use crate::refusal::{TableReason, refuse};

/// The type of the value in a table with COMPACT STORAGE and no other columns.
const EMPTY: &str = "org.apache.cassandra.db.marshal.EmptyType";

/// Refuses what COMPACT STORAGE does not support; `others` are the columns outside the key, by
/// name.
pub(super) fn check(others: &[&Column], is_dense: bool, span: Span) -> Result<()> {
    if others.iter().any(|column| column.is_multi_cell()) {
        return refuse(TableReason::CompactMultiCell, span);
    }
    if others.iter().any(|column| column.kind == ColumnKind::Static) {
        return refuse(TableReason::CompactStatic, span);
    }
    if !is_dense && others.is_empty() {
        return refuse(TableReason::CompactWithoutColumns, span);
    }
    if is_dense && others.len() > 1 {
        let names: Vec<_> = others.iter().map(|column| &*column.name).collect();
        return refuse(TableReason::CompactManyColumns { columns: names.join(", ") }, span);
    }
    Ok(())
}

/// Applies the layout: sets the flags and adds the hidden columns.
pub(super) fn lay_out(table: &mut Table) {
    let clustering = table.clustering().len();
    let counter = table.flags.counter;
    table.flags =
        TableFlags { compound: clustering > 1, dense: clustering > 0, is_super: false, counter };
    if clustering == 0 {
        let value = if counter { NativeType::Counter } else { NativeType::Blob };
        let name = free_name(table, "column", 1);
        table.hidden.push(new_column(&name, ColumnKind::Clustering, NativeType::Text.into()));
        let name = free_name(table, "value", 0);
        table.hidden.push(new_column(&name, ColumnKind::Regular, value.into()));
    } else if table.regulars().is_empty() {
        let name = free_name(table, "value", 0);
        table.hidden.push(new_column(&name, ColumnKind::Regular, Type::Custom(EMPTY.into())));
    }
}

/// `ALTER TABLE ... DROP COMPACT STORAGE`
pub(super) fn drop_storage(table: &mut Table, name: &Name) -> Result<()> {
    if !table.is_compact() {
        return refuse(TableReason::NotCompact, name.span);
    }
    let mut columns = table.columns().to_vec();
    if table.is_static_compact() {
        for column in columns.iter_mut().filter(|column| column.kind == ColumnKind::Regular) {
            column.kind = ColumnKind::Static;
        }
    }
    columns.append(&mut table.hidden);
    table.flags =
        TableFlags { compound: true, dense: false, is_super: false, counter: table.flags.counter };
    table.set_columns(columns);
    Ok(())
}

fn new_column(name: &str, kind: ColumnKind, ty: Type) -> Column {
    Column { name: name.into(), ty, kind, position: 0, descending: false, mask: None }
}

/// The first free name of `column1`, `column2`, ... or `value`, `value1`, ...
fn free_name(table: &Table, base: &str, first: usize) -> String {
    let mut number = first;
    loop {
        let name = if number == 0 { base.to_owned() } else { format!("{base}{number}") };
        if table.column(&name).is_none() {
            return name;
        }
        number += 1;
    }
}
