//! CO006: appends to a list that may be repeated.

use cql::types::Type;

use crate::facts::{ColumnOperation, column_writes, has_column_write};
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co006_list_append_retry.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, found: &mut Reporter<'_>) {
    if !has_column_write(seen, |ty| matches!(ty, Type::List(..))) {
        return;
    }
    for one in column_writes(project, seen) {
        let is_append = matches!(one.operation, ColumnOperation::Append | ColumnOperation::Prepend);
        let Type::List(element, _) = &one.column.ty else { continue };
        // Under a condition that no longer holds, a repeated statement does nothing.
        if !is_append || one.write.conditional {
            continue;
        }
        let name = &one.column.name;
        found
            .report(one.place, format!("A retried append to `{name}` duplicates the element."))
            .with_column(&one.write.table, one.column)
            .help(format!("make `{name}` a set<{element}>, or a map<timeuuid, {element}> whose keys the writer makes"));
    }
}
