//! IX023: an index queried within a large partition.

use model::figures::format_count;
use model::index_guide;

use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const ROWS: Limit = Limit::new("indexed-partition-rows", index_guide::PARTITION_ROWS_MAX)
    .describe("number of rows of a partition in which an index is queried");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix023_index_in_large_partition.md"), Check::Statement(check))
        .with_limits(&[ROWS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let is_within = read.index.as_ref().is_some_and(|used| used.within_partition);
    let Some(facts) = project.facts(&read.table).filter(|_| is_within && read.rows.range.is_none())
    else {
        return;
    };
    let Some(rows) = facts.volume.partition_rows() else { return };
    if rows.large > reporter.limit(&ROWS) {
        reporter
            .report(
                project.select_location(seen),
                "The index query collates rows over a very large partition.",
            )
            .with_table(&read.table)
            .note(format!("partitions have up to {} rows", format_count(rows.large)))
            .help("restrict clustering columns as well, or split the partition by a bucket");
    }
}
