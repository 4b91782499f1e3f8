//! DELETE.

use cql::statement::write::Delete;

use super::{
    BoundWrite, WriteRows, analyse_rows, attributes, condition, has_row_operation, is_static_only,
    operation, validate,
};
use crate::bind::context::Context;
use crate::bind::restrictions::{StatementType, existing_column};
use crate::catalog::ColumnKind;
use crate::refusal::{ConditionReason, WriteReason, refuse};
use crate::{Refusal, Result};

/// Binds a DELETE.
pub(in crate::bind) fn bind(cx: &mut Context<'_>, delete: &Delete) -> Result<BoundWrite> {
    let table = cx.table(&delete.table)?;
    let using = attributes::bind(cx, &delete.using, &table.keyspace, &table.name)?;
    let conditions = condition::bind(cx, &table, &delete.conditions, &delete.using)?;
    let mut operations = Vec::with_capacity(delete.targets.len());
    for target in &delete.targets {
        let column = existing_column(&table, &target.column)?;
        let definition = &table.columns()[column];
        if definition.is_primary_key() {
            return Err(Refusal::new(
                WriteReason::DeletesKey { column: definition.name.to_string() },
                target.span,
            )
            .with_help("remove the column to delete the whole row")
            .into());
        }
        operations.push(operation::bind_deletion(cx, &table, column, target)?);
    }
    let statement = StatementType::Delete;
    let only_statics = is_static_only(&table, statement, &operations, &conditions);
    let rows = analyse_rows(cx, statement, &table, &delete.relations, only_statics)?;
    let write = BoundWrite { statement, table, rows, operations, conditions, using, span: cx.span };
    validate::check_prepared(&write)?;
    check_condition(&write)?;
    Ok(write)
}

/// A conditional DELETE of rows, or with conditions on a row, must name that row.
fn check_condition(write: &BoundWrite) -> Result<()> {
    let WriteRows::Where(restrictions) = &write.rows else { return Ok(()) };
    // The rows of a table with COMPACT STORAGE and no clustering columns have a hidden one, which
    // cannot be named.
    let hides_rows = write.table.implicit_clustering().is_some() && write.operations.is_empty();
    if !write.is_conditional() || (restrictions.has_full_primary_key() && !hides_rows) {
        return Ok(());
    }
    let purpose = if write.table.is_virtual {
        ""
    } else if has_row_operation(&write.table, write.statement, &write.operations) {
        " in order to delete non static columns"
    } else if write.conditions.has_column_of(&write.table, ColumnKind::Regular) {
        " in order to use IF condition on non static columns"
    } else {
        return Ok(());
    };
    refuse(ConditionReason::DeleteWithoutKey { purpose }, write.span)
}
