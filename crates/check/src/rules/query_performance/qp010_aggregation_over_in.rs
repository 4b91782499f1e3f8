//! QP010: an aggregate over several partitions.

use schema::access::Count;

use crate::facts::workload::partition_count;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp010_aggregation_over_in.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    if !read.aggregates {
        return;
    }
    let (number, severity) = match partition_count(read, select) {
        Some(Count::Known(number)) if number > 1 => (number.to_string(), Severity::Medium),
        Some(Count::Unknown) => ("several".to_owned(), Severity::Low),
        _ => return,
    };
    reporter
        .report(
            project.select_location(seen),
            format!("The query aggregates {number} partitions in one request."),
        )
        .with_table(&read.table)
        .severity(severity)
        .help("aggregate each partition separately and combine the results in the client");
}
