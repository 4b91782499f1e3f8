//! CO004: a list where a set would do.

use cql::types::{Frozenness, Type};

use crate::facts::workload::{ColumnOperation, table_column_writes};
use crate::vocabulary::collections::is_ordered_name;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co004_list_type.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_list = |ty: &Type| matches!(ty, Type::List(_, Frozenness::No));
    if facts.view.is_some() || !table.columns().iter().any(|column| is_list(&column.ty)) {
        return;
    }
    let touched = table_column_writes(project, facts);
    for column in table.columns().iter().filter(|column| is_list(&column.ty)) {
        let name = &column.name;
        // CO006 reports appends and CO005 positions, with more precise messages.
        let is_told = touched.iter().any(|one| {
            one.column.name == *name
                && one.operation.is_partial()
                && one.operation != ColumnOperation::Remove
        });
        if is_told || is_ordered_name(name) {
            continue;
        }
        let Type::List(element, _) = &column.ty else { continue };
        reporter
            .report(
                project.type_location(facts, name),
                format!("`{name}` is a list: some of its operations read before they write, and appends cannot be retried safely."),
            )
            .with_column(table, column)
            .confidence(Confidence::Medium)
            .help(format!(
                "use set<{element}> if order and duplicates do not matter, or frozen<list<{element}>> if it is always written as a whole"
            ));
    }
}
