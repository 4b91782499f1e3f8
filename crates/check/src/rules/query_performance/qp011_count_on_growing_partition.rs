//! QP011: COUNT over a large partition.

use cql::selectable::SelectableKind;
use model::figures::format_count;

use crate::facts::volumes::large_partition_evidence;

use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const ROWS: Limit = Limit::new("counted-rows", 100_000.0)
    .describe("number of rows per partition that may be counted");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp011_count_on_growing_partition.md"), Check::Statement(check))
        .with_limits(&[ROWS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    let counts = select.selectors.iter().any(|selector| is_count(&selector.expression.kind));
    let is_bounded = read.rows.rows.is_some()
        || read.rows.range.as_ref().is_some_and(|range| range.from.is_some() && range.to.is_some());
    if !counts || !read.partitions.is_by_key() || is_bounded {
        return;
    }
    let Some(facts) = project.facts(&read.table) else { return };
    let Some((rows, confidence)) = large_partition_evidence(project, facts, reporter.limit(&ROWS))
    else {
        return;
    };
    let one = reporter.report(
        project.select_location(seen),
        "COUNT reads every row and tombstone of the partition.",
    );
    one.with_table(&read.table).confidence(confidence);
    match rows {
        Some(rows) => one.note(format!("partitions have up to {} rows", format_count(rows))),
        None => one.note("the partitions grow without bound"),
    };
    one.help("maintain the number in a counter, or count a slice bounded at both ends");
}

fn is_count(kind: &SelectableKind) -> bool {
    match kind {
        SelectableKind::CountRows => true,
        SelectableKind::Call(name, _) => name.keyspace.is_none() && &*name.name.text == "count",
        _ => false,
    }
}
