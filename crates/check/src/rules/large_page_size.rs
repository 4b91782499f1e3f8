//! QP019: pages of many rows.

use cql::StatementKind;

use crate::{
    Category, Check, Limit, Project, ReplayedStatement, Reporter, Requirement, Rule, Severity,
};

const ROWS: Limit = Limit { name: "page-rows", default: 5_000.0, what: "rows of a page" };

pub(super) static RULE: Rule = Rule {
    code: "QP019",
    name: "large-page-size",
    category: Category::QueryPerformance,
    severity: Severity::Low,
    requires: &[Requirement::Queries, Requirement::Target],
    by_default: true,
    limits: &[ROWS],
    check: Check::Statement(check),
    page: include_str!("large_page_size.md"),
};

fn check(project: &Project<'_>, seen: &ReplayedStatement, found: &mut Reporter<'_>) {
    let Some(statement) = project.syntax(seen) else { return };
    let StatementKind::Shell(command) = &statement.kind else { return };
    if command.word != "PAGING" {
        return;
    }
    let Ok(rows) = command.rest.trim().parse::<u32>() else { return };
    if f64::from(rows) > found.limit(&ROWS) {
        found
            .report(seen.place, format!("Pages of {rows} rows pressure the heap."))
            .help("take pages of 1,000 to 5,000 rows");
    }
}
