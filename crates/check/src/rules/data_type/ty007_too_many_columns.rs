//! TY007: tables of many columns.

use crate::facts::workload::is_write_to;
use crate::{Check, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

const WIDE: Limit =
    Limit::new("columns", 50.0).describe("number of columns at which a table is wide");
const WIDER: Limit = Limit::new("columns-medium", 75.0)
    .describe("number of columns above which a table should be split");
const TOO_WIDE: Limit = Limit::new("columns-high", 200.0)
    .describe("number of columns above which a table must be split");
/// What Amazon Keyspaces takes in one INSERT, without and with a TTL.
const KEYSPACES: [usize; 2] = [225, 166];

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty007_too_many_columns.md"), Check::Table(check))
        .with_limits(&[WIDE, WIDER, TOO_WIDE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    if project.settings.target.product == Product::Keyspaces {
        check_inserts(project, facts, reporter);
    }
    let columns = table.columns().len();
    let count = f64::from(u32::try_from(columns).unwrap_or(u32::MAX));
    let severity = if count > reporter.limit(&TOO_WIDE) {
        Severity::High
    } else if count > reporter.limit(&WIDER) {
        Severity::Medium
    } else if count >= reporter.limit(&WIDE) {
        Severity::Low
    } else {
        return;
    };
    reporter
        .report(facts.place, format!("{} has {columns} columns.", table.name))
        .with_table(table)
        .severity(severity)
        .help("split it by columns that are read and written together; sparse flags may be a map");
}

/// Writes of more columns than Amazon Keyspaces takes.
fn check_inserts(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for seen in facts.writes(project) {
        for write in seen.writes().filter(|write| is_write_to(write, &facts.table)) {
            let columns = write.columns.len() + facts.table.primary_key().len();
            let most = KEYSPACES[usize::from(write.has_ttl)];
            if columns > most {
                reporter
                    .report(
                        seen.place,
                        format!(
                            "The statement writes {columns} columns, but only {most} are allowed."
                        ),
                    )
                    .with_table(&facts.table)
                    .severity(Severity::Error)
                    .help("write the columns in two statements");
            }
        }
    }
}
