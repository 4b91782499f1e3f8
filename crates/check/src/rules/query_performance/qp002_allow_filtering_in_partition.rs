//! QP002: ALLOW FILTERING within given partitions.

use model::figures::format_count;
use schema::access::FilterScope;

use crate::facts::tables::is_system_table;
use crate::facts::volumes::unbounded_growth;

use crate::{
    Check, Confidence, Limit, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

const ROWS: Limit = Limit::new("filtered-partition-rows", 100_000.0)
    .describe("rows per partition at which filtering it is of medium severity");
const BYTES: Limit = Limit::new("filtered-partition-bytes", 10e6)
    .describe("bytes per partition at which filtering it is of medium severity");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp002_allow_filtering_in_partition.md"), Check::Statement(check))
        .with_limits(&[ROWS, BYTES]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    let Some(span) = select.allow_filtering else { return };
    if read.filtering.scope != FilterScope::WithinPartitions
        || is_system_table(project, &read.table)
    {
        return;
    }
    let facts = project.facts(&read.table);
    let rows = facts.and_then(|facts| Some((facts, facts.volume.partition_rows()?.large)));
    let bytes = rows.map(|(facts, rows)| facts.volume.partition_bytes(rows));
    // A slice bounded at both ends reads only its rows, however large the partition is.
    let is_bounded = read.rows.rows.is_some()
        || read.rows.range.as_ref().is_some_and(|range| range.from.is_some() && range.to.is_some());
    let growth = facts.filter(|_| !is_bounded).and_then(|facts| unbounded_growth(project, facts));
    let is_large = rows.is_some_and(|(_, rows)| rows > reporter.limit(&ROWS))
        || bytes.is_some_and(|bytes| bytes > reporter.limit(&BYTES));
    let severity = match growth.map(|growth| growth.confidence) {
        Some(Confidence::High) => Severity::High,
        Some(Confidence::Medium) => Severity::Medium,
        _ if is_large && !is_bounded => Severity::Medium,
        _ => Severity::Low,
    };
    let message = match (growth, rows) {
        (Some(_), _) if severity > Severity::Low => {
            format!(
                "{} filters a partition of {} that grows without bound.",
                seen.display_name(),
                read.table.name
            )
        }
        (_, Some((_, rows))) => {
            format!("Filtering is limited to one partition of up to {} rows.", format_count(rows))
        }
        _ => "Filtering is limited to one partition.".to_owned(),
    };
    let names: Vec<&str> = read
        .filtering
        .columns
        .iter()
        .filter_map(|at| Some(&*read.table.columns().get(*at)?.name))
        .collect();
    reporter
        .report(Location { text: seen.place.text, span }, message)
        .with_table(&read.table)
        .severity(severity)
        .help(format!(
            "make `{}` a clustering column, or allow it: -- helenus: allow(QP002) partitions stay small",
            names.join("`, `")
        ));
}
