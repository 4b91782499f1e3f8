//! QP019: pages of many rows.

use cql::StatementKind;

use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const ROWS: Limit = Limit::new("page-rows", 5_000.0).describe("number of rows per page");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp019_large_page_size.md"), Check::Statement(check))
        .with_limits(&[ROWS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(statement) = project.syntax(seen) else { return };
    let StatementKind::Shell(command) = &statement.kind else { return };
    if command.word != "PAGING" {
        return;
    }
    let Ok(rows) = command.rest.trim().parse::<u32>() else { return };
    if f64::from(rows) > reporter.limit(&ROWS) {
        reporter
            .report(seen.place, format!("Pages of {rows} rows put pressure on the heap."))
            .help("use pages of 1,000 to 5,000 rows");
    }
}
