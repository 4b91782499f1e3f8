//! QP013: a whole large partition read without LIMIT.

use model::figures::format_count;
use schema::access::FilterScope;

use crate::facts::volumes::large_partition_evidence;

use crate::{Check, Confidence, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const ROWS: Limit = Limit::new("unlimited-rows", 100_000.0)
    .describe("number of rows per partition that may be read without LIMIT");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp013_no_limit_on_wide_partition.md"), Check::Statement(check))
        .with_limits(&[ROWS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let reads_all = read.partitions.is_by_key()
        && read.rows.rows.is_none()
        && read.rows.range.is_none()
        && read.limit.is_none()
        && read.per_partition_limit.is_none()
        && read.filtering.scope == FilterScope::None
        && read.index.is_none();
    let statics = read.table.statics();
    let only_static = !read.columns.is_empty()
        && read.columns.iter().all(|at| {
            let column = read.table.columns().get(*at);
            column.is_some_and(|column| statics.contains(column))
                || *at < read.table.partition_key().len()
        });
    if !reads_all || read.aggregates || read.distinct || only_static || !read.rows.equal.is_empty()
    {
        return;
    }
    let Some(facts) = project.facts(&read.table) else { return };
    let Some((rows, confidence)) = large_partition_evidence(project, facts, reporter.limit(&ROWS))
    else {
        return;
    };
    let message = match rows {
        Some(rows) => format!("{} can return {} rows.", seen.display_name(), format_count(rows)),
        None => format!("{} returns an ever-growing number of rows.", seen.display_name()),
    };
    let one = reporter.report(project.select_location(seen), message);
    // Without figures, PS001 reports the growth where the table is created.
    let is_counted = rows.is_some() || confidence == Confidence::High;
    let severity = if is_counted { Severity::Medium } else { Severity::Low };
    one.with_table(&read.table).severity(severity).confidence(confidence);
    one.help("add a LIMIT and read page by page, or bound the slice at both ends");
    if rows.is_none() {
        one.note(format!("the partitions of {} grow without bound", read.table.name));
    }
}
