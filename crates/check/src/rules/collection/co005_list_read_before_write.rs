//! CO005: elements of a list by position or value.

use crate::facts::workload::{ColumnOperation, column_writes};
use crate::{Check, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co005_list_read_before_write.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    if !seen.writes().any(|write| write.reads_first) {
        return;
    }
    for one in column_writes(project, seen) {
        if !is_by_position(one.operation, &one.column.ty) {
            continue;
        }
        let settings = project.settings;
        let switch = settings.server.get("read_before_write_list_operations_enabled");
        let is_refused = settings.target.product == Product::Astra
            || switch.is_some_and(|value| value == "false");
        let severity = if is_refused { Severity::Error } else { Severity::Medium };
        let name = &one.column.name;
        let message = format!("The server has to read list `{name}` before it can write it.");
        reporter
            .report(one.place, message)
            .with_column(&one.write.table, one.column)
            .severity(severity)
            .help(format!("make `{name}` a map with positions or timeuuids as keys, or a table with one row per element"));
    }
}

fn is_by_position(touch: ColumnOperation, ty: &cql::types::Type) -> bool {
    matches!(ty, cql::types::Type::List(..))
        && matches!(
            touch,
            ColumnOperation::SetAt | ColumnOperation::RemoveAt | ColumnOperation::RemoveEqual
        )
}
