//! MG014: A migration creates a view of a table that may have rows.

use model::figures;

use crate::facts::migration::{FEW_ROWS, can_hold_data, table_rows};
use crate::project::ObjectChange;
use crate::{Check, Confidence, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg014_view_on_populated_table.md"), Check::Step(check))
        .with_limits(&[FEW_ROWS]);

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let ObjectChange::View { before, after: Some(view) } = &step.change else { return };
    let is_same = before.as_ref().is_some_and(|then| then.table.columns() == view.table.columns());
    let rows = table_rows(project, &view.table.keyspace, &view.base_table);
    let is_small = rows.is_some_and(|rows| rows < reporter.limit(&FEW_ROWS));
    if is_same || is_small || !can_hold_data(project, step, &view.table.keyspace) {
        return;
    }
    let message = format!(
        "Every node builds `{}` from all rows of `{}`, which takes long and is hard to stop.",
        view.table.name, view.base_table
    );
    let finding = reporter.report(step.place, message).with_table(&view.table);
    match rows {
        Some(rows) => finding.note(format!("{} per replica", figures::pluralise(rows, "row"))),
        None => finding.confidence(Confidence::Low),
    };
    if before.is_some() {
        finding.note("ALTER cannot change the columns of a view: it has to be dropped and rebuilt");
    }
    finding.help("create a table for the query, write both, and copy the old rows by token ranges at a controlled rate");
}
