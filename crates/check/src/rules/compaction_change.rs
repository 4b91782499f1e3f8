//! MG010: A migration gives a table another compaction strategy.

use crate::facts::{FEW_ROWS, altered, compaction_class, declared_rows, figures, may_hold_data};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG010",
    name: "compaction-change",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[FEW_ROWS],
    check: Check::Step(check),
    page: include_str!("compaction_change.md"),
};

fn check(project: &Project<'_>, step: &Step, found: &mut Reporter<'_>) {
    let Some((before, after)) = altered(step) else { return };
    let (then, now) = (compaction_class(before), compaction_class(after));
    let rows = declared_rows(project, &after.keyspace, &after.name);
    let is_small = rows.is_some_and(|rows| rows < found.limit(&FEW_ROWS));
    if then == now || is_small || !may_hold_data(project, step, &after.keyspace) {
        return;
    }
    let message = format!(
        "From {then} to {now}: every node compacts all of `{}` again, and all at once.",
        after.name
    );
    let finding = found.at(step.place, message).of_table(after);
    match rows {
        Some(rows) => finding.note(format!("{} a copy", figures::counted(rows, "row"))),
        None => finding.confidence(Confidence::Low),
    };
    finding.help(
        "change one node first through JMX (CompactionParametersJson of the table) and watch it, then the others one by one, and ALTER \
         at a quiet hour at last",
    );
}
