//! KS006: many tables.

use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity};

const MANY: Limit = Limit::new("tables", 100.0)
    .describe("number of tables, views and indexes per cluster that is high");
const TOO_MANY: Limit = Limit::new("tables-too-many", 200.0)
    .describe("number of tables, views and indexes per cluster that is too high");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks006_too_many_tables.md"), Check::Project(check))
        .with_limits(&[MANY, TOO_MANY]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut count = 0_u32;
    let mut crossing = None;
    for facts in &project.tables {
        count += 1 + u32::try_from(facts.table.indexes.len()).unwrap_or_default();
        if f64::from(count) > reporter.limit(&MANY) {
            crossing = crossing.or(Some(facts));
        }
    }
    let Some(facts) = crossing else { return };
    let many = reporter.limit(&MANY);
    let severity = if f64::from(count) > reporter.limit(&TOO_MANY) {
        Severity::High
    } else {
        Severity::Medium
    };
    let message = format!(
        "The schema has {count} tables, views and indexes, each with a memtable, files and metrics on every node."
    );
    reporter
        .report(facts.place, message)
        .with_table(&facts.table)
        .severity(severity)
        .note(format!("{} is the one that exceeds {many}", facts.table.name))
        .help("drop those that no query needs; put tenants and periods into keys instead of table names");
}
