//! MG010: A migration gives a table another compaction strategy.

use crate::facts::{
    FEW_ROWS, can_hold_data, compaction_class, figures, table_alteration, table_rows,
};
use crate::{
    Category, Check, Confidence, MigrationStep, Project, Reporter, Requirement, Rule, Severity,
};

pub(super) static RULE: Rule = Rule {
    code: "MG010",
    name: "compaction-change",
    category: Category::Migration,
    severity: Severity::Medium,
    requires: &[Requirement::Change],
    by_default: true,
    limits: &[FEW_ROWS],
    check: Check::Step(check),
    page: include_str!("compaction_change.md"),
};

fn check(project: &Project<'_>, step: &MigrationStep, found: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let (then, now) = (compaction_class(before), compaction_class(after));
    let rows = table_rows(project, &after.keyspace, &after.name);
    let is_small = rows.is_some_and(|rows| rows < found.limit(&FEW_ROWS));
    if then == now || is_small || !can_hold_data(project, step, &after.keyspace) {
        return;
    }
    let message = format!(
        "From {then} to {now}: every node compacts all of `{}` again, and all at once.",
        after.name
    );
    let finding = found.report(step.place, message).with_table(after);
    match rows {
        Some(rows) => finding.note(format!("{} a copy", figures::pluralise(rows, "row"))),
        None => finding.confidence(Confidence::Low),
    };
    finding.help(
        "change one node first through JMX (CompactionParametersJson of the table) and watch it, then the others one by one, and ALTER \
         at a quiet hour at last",
    );
}
