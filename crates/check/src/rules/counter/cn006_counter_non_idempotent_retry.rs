//! CN006: increments that may be repeated.

use schema::access::WriteEffect;

use crate::facts::workload::is_write_to;
use crate::{Check, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn006_counter_non_idempotent_retry.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if !table.is_counter() {
        return;
    }
    let counting = facts.writes(project).find(|seen| {
        let mut writes = seen.writes();
        writes.any(|write| write.effect == WriteEffect::Count && is_write_to(write, table))
    });
    let Some(seen) = counting else { return };
    // This holds for every counter: only strict mode raises it above info.
    let severity = if project.settings.strict { Severity::Medium } else { Severity::Info };
    reporter
        .report(seen.place, "An increment that times out may be applied twice or not at all.")
        .with_table(table)
        .severity(severity)
        .help("disable retries in the driver and the application, and correct the counts from events where they matter");
}
