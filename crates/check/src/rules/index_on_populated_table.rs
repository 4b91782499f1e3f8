//! MG013: A migration creates an index on a table that may have rows.

use schema::catalog::Index;

use crate::facts::{FEW_ROWS, altered, declared_rows, figures, may_hold_data};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG013",
    name: "index-on-populated-table",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[FEW_ROWS],
    check: Check::Step(check),
    page: include_str!("index_on_populated_table.md"),
};

fn check(project: &Project<'_>, step: &Step, found: &mut Reporter<'_>) {
    let Some((before, after)) = altered(step) else { return };
    let rows = declared_rows(project, &after.keyspace, &after.name);
    if rows.is_some_and(|rows| rows < found.limit(&FEW_ROWS))
        || !may_hold_data(project, step, &after.keyspace)
    {
        return;
    }
    let is_new = |index: &&Index| !before.indexes.iter().any(|known| known.name == index.name);
    for index in after.indexes.iter().filter(is_new) {
        // A column that came with the index has no values yet.
        let Some(column) = before.column(&index.column) else { continue };
        let message =
            format!("Every node builds index `{}` over all rows of `{}`.", index.name, after.name);
        let finding = found.at(step.place, message).of_column(after, column);
        match rows {
            Some(rows) => finding.note(format!("{} a copy", figures::counted(rows, "row"))),
            None => finding.confidence(Confidence::Low),
        };
        finding.note("until a node has built it, queries that need the index fail there").help(
            "create it at a quiet hour, wait until every node lists it in system.\"IndexInfo\", and deploy the queries after that",
        );
    }
}
