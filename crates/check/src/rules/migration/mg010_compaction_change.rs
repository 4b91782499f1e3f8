//! MG010: A migration gives a table another compaction strategy.

use model::figures;

use crate::facts::lifetimes::compaction_class;
use crate::facts::migration::{FEW_ROWS, can_hold_data, table_alteration, table_rows};
use crate::{Check, Confidence, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg010_compaction_change.md"), Check::Step(check))
        .with_limits(&[FEW_ROWS]);

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let (then, now) = (compaction_class(before), compaction_class(after));
    let rows = table_rows(project, &after.keyspace, &after.name);
    let is_small = rows.is_some_and(|rows| rows < reporter.limit(&FEW_ROWS));
    if then == now || is_small || !can_hold_data(project, step, &after.keyspace) {
        return;
    }
    let message = format!(
        "Changing from {then} to {now} makes every node recompact all of `{}` at the same time.",
        after.name
    );
    let finding = reporter.report(step.place, message).with_table(after);
    match rows {
        Some(rows) => finding.note(format!("{} per replica", figures::pluralise(rows, "row"))),
        None => finding.confidence(Confidence::Low),
    };
    finding.help(
        "change one node first through JMX (CompactionParametersJson of the table) and monitor it, then the others one by one, and run ALTER last, at a time of low load",
    );
}
