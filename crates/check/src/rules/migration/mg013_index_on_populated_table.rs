//! MG013: A migration creates an index on a table that may have rows.

use model::figures;
use schema::catalog::Index;

use crate::facts::migration::{FEW_ROWS, can_hold_data, table_alteration, table_rows};
use crate::{Check, Confidence, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg013_index_on_populated_table.md"), Check::Step(check))
        .with_limits(&[FEW_ROWS]);

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let rows = table_rows(project, &after.keyspace, &after.name);
    if rows.is_some_and(|rows| rows < reporter.limit(&FEW_ROWS))
        || !can_hold_data(project, step, &after.keyspace)
    {
        return;
    }
    let is_new = |index: &&Index| !before.indexes.iter().any(|known| known.name == index.name);
    for index in after.indexes.iter().filter(is_new) {
        // A column added together with the index has no values yet.
        let Some(column) = before.column(&index.column) else { continue };
        let message =
            format!("Every node builds index `{}` over all rows of `{}`.", index.name, after.name);
        let finding = reporter.report(step.place, message).with_column(after, column);
        match rows {
            Some(rows) => finding.note(format!("{} per replica", figures::pluralise(rows, "row"))),
            None => finding.confidence(Confidence::Low),
        };
        finding.note("queries that need the index fail on a node until it has built it").help(
            "create it at a time of low load, wait until every node lists it in system.\"IndexInfo\", and deploy the queries after that",
        );
    }
}
