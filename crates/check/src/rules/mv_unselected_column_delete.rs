//! MV009: deletes of base columns that a view does not select.

use std::collections::BTreeSet;

use crate::facts::{base_of, touches_of};
use crate::{Asks, Category, Check, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "MV009",
    name: "mv-unselected-column-delete",
    category: Category::View,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("mv_unselected_column_delete.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let Some(view) = facts.view.as_ref().filter(|view| !view.include_all) else { return };
    let Some(base) = base_of(project, facts) else { return };
    let mut told = BTreeSet::new();
    for one in touches_of(project, base) {
        let name = &one.column.name;
        let is_selected = view.table.column(name).is_some();
        if is_selected || !one.touch.removes() || !told.insert(name.clone()) {
            continue;
        }
        let message = format!(
            "Deleting `{name}`, which {} does not select, may hide later updates in the view.",
            facts.table.name
        );
        found
            .at(one.place, message)
            .of_column(&base.table, one.column)
            .related(facts.place, "the view")
            .help(format!("select `{name}` in the view, or write a value that means none"));
    }
}
