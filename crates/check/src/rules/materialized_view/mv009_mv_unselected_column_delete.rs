//! MV009: deletes of base columns that a view does not select.

use std::collections::BTreeSet;

use crate::facts::tables::base_table;
use crate::facts::workload::table_column_writes;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv009_mv_unselected_column_delete.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(view) = facts.view.as_ref().filter(|view| !view.include_all) else { return };
    let Some(base) = base_table(project, facts) else { return };
    let mut told = BTreeSet::new();
    for one in table_column_writes(project, base) {
        let name = &one.column.name;
        let is_selected = view.table.column(name).is_some();
        if is_selected || !one.operation.is_removal() || !told.insert(name.clone()) {
            continue;
        }
        let message = format!(
            "Deleting `{name}`, which {} does not select, may hide later updates in the view.",
            facts.table.name
        );
        reporter
            .report(one.place, message)
            .with_column(&base.table, one.column)
            .with_related(facts.place, "the view")
            .help(format!("select `{name}` in the view, or write a placeholder value instead"));
    }
}
