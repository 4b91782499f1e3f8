//! UPDATE.

use std::collections::{HashMap, HashSet};

use cql::statement::write::{Assignment, AssignmentOperation, Update};

use super::{BoundWrite, analyse_rows, attributes, condition, is_static_only, operation, validate};
use crate::bind::context::Context;
use crate::bind::restrictions::{StatementType, existing_column};
use crate::refusal::{WriteReason, refuse};
use crate::{Refusal, Result};

/// Binds an UPDATE.
pub(in crate::bind) fn bind(cx: &mut Context<'_>, update: &Update) -> Result<BoundWrite> {
    check_assignments(&update.assignments)?;
    let table = cx.table(&update.table)?;
    let using = attributes::bind(cx, &update.using, &table.keyspace, &table.name)?;
    let conditions = condition::bind(cx, &table, &update.conditions, &update.using)?;
    let is_conditional = !matches!(conditions, super::BoundConditions::None);
    let mut operations = Vec::with_capacity(update.assignments.len());
    for assignment in &update.assignments {
        let column = existing_column(&table, &assignment.column)?;
        let definition = &table.columns()[column];
        if definition.is_primary_key() {
            return Err(Refusal::new(
                WriteReason::SetsKey { column: definition.name.to_string() },
                assignment.column.span,
            )
            .with_help("delete the row and insert it under the new key; a key cannot change")
            .into());
        }
        operations.push(operation::bind_assignment(
            cx,
            &table,
            column,
            assignment,
            is_conditional,
        )?);
    }
    let statement = StatementType::Update;
    let only_statics = is_static_only(&table, statement, &operations, &conditions);
    let rows = analyse_rows(cx, statement, &table, &update.relations, only_statics)?;
    let write = BoundWrite { statement, table, rows, operations, conditions, using, span: cx.span };
    validate::check_prepared(&write)?;
    Ok(write)
}

/// The server's grammar refuses to set a column twice; parts of a collection or user type may be
/// set individually.
pub(super) fn check_assignments(assignments: &[Assignment]) -> Result<()> {
    let mut columns: HashMap<&str, ColumnAssignments<'_>> = HashMap::new();
    for assignment in assignments {
        let name = &assignment.column;
        let seen = columns.entry(&name.text).or_default();
        let clashes = match &assignment.operation {
            AssignmentOperation::Set(_) => seen.any,
            AssignmentOperation::SetField(field, _) => {
                seen.whole || !seen.fields.insert(&field.text)
            }
            _ => seen.whole,
        };
        if clashes {
            return refuse(WriteReason::SetTwice { column: name.text.to_string() }, name.span);
        }
        seen.any = true;
        seen.whole |= matches!(assignment.operation, AssignmentOperation::Set(_));
    }
    Ok(())
}

/// The assignments to a column so far.
#[derive(Default)]
struct ColumnAssignments<'a> {
    any: bool,
    whole: bool,
    fields: HashSet<&'a str>,
}
