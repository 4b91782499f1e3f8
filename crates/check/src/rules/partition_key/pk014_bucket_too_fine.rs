//! PK014: time buckets so short that a read needs many of them.

use cql::term::TermKind;
use model::figures;
use schema::access::{Count, Partitions};
use schema::catalog::Column;

use crate::facts::workload::partition_count;
use crate::project::query_shape::query_shape;
use crate::project::statement_title;
use crate::vocabulary::times::{bucket_seconds, is_time_bucket};
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts};

const BUCKETS: Limit =
    Limit::new("buckets-per-read", 2.0).describe("number of time buckets read by one query");
/// Maximum size in bytes of a wider bucket.
const TARGET_BYTES: f64 = 100e6;
/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Bucket widths that have names.
const SPANS: [(f64, &str); 4] =
    [(365.0 * DAY, "a year"), (30.0 * DAY, "a month"), (7.0 * DAY, "a week"), (DAY, "a day")];

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk014_bucket_too_fine.md"), Check::Statement(check))
        .with_limits(&[BUCKETS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let Some(facts) = project.facts(&read.table) else { return };
    let key = read.table.partition_key();
    let Some(at) = key.iter().position(is_time_bucket) else { return };
    let Some((buckets, rows)) = read_extent(project, seen, facts, at) else { return };
    let few = reporter.limit(&BUCKETS);
    if buckets <= few {
        return;
    }
    let message = format!(
        "{} reads {} buckets of `{}` to return {} rows.",
        statement_title(project, seen),
        figures::format_count(buckets),
        key[at].name,
        rows.map_or_else(|| "its".to_owned(), figures::format_count)
    );
    let finding = reporter.report(seen.place, message);
    finding.with_column(&read.table, &key[at]).help(
        match sufficient_bucket(facts, &key[at], buckets) {
            Some(width) => {
                format!("widen the bucket to {width}, so that one or two of them answer the query")
            }
            None => "widen the bucket".to_owned(),
        },
    );
    if let Some(size) = facts.volume.partition.as_ref() {
        finding.note(format!("{} rows per bucket", figures::format_count(size.rows.mean)));
    }
}

/// The buckets that a read touches, and the rows that it returns: a list of buckets, or a LIMIT
/// that one bucket does not fill.
fn read_extent(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    facts: &TableFacts,
    at: usize,
) -> Option<(f64, Option<f64>)> {
    let read = seen.read()?;
    let cql::StatementKind::Select(select) = &project.syntax(seen)?.kind else { return None };
    let each =
        facts.volume.partition.as_ref().map(|size| size.rows.mean).filter(|rows| *rows > 0.0);
    match read.partitions {
        Partitions::Several(_) => {
            let Count::Known(number) = partition_count(read, select)? else { return None };
            let is_listed = query_shape(&read.table, select).listed == [at];
            let number = f64::from(u32::try_from(number).ok()?);
            is_listed.then(|| (number, each.map(|rows| rows * number)))
        }
        // Restrictions on clustering columns select a part of a partition, independent of the
        // bucket's size.
        Partitions::One if read.rows.is_whole_partition() && !read.aggregates => {
            let limit = select.limit.as_ref()?;
            let TermKind::Constant(constant) = &limit.kind else { return None };
            let rows: f64 = constant.text.parse().ok()?;
            Some(((rows / each?).ceil(), Some(rows)))
        }
        _ => None,
    }
}

/// A bucket that holds what a read needs now so many for, and no more: two of them answer it wherever it starts. `None` if it would be
/// too large.
fn sufficient_bucket(facts: &TableFacts, column: &Column, buckets: f64) -> Option<String> {
    let bytes = facts.volume.partition.as_ref()?.large_bytes;
    let span = bucket_seconds(column)?;
    let fits = |seconds: &f64| bytes * seconds / span < TARGET_BYTES;
    let needed = span * buckets;
    let named = SPANS.iter().rev().find(|(seconds, _)| needed <= *seconds);
    let days = (needed / DAY).ceil();
    match named {
        // Between a day and a month, any number of days will do.
        Some((seconds, name)) if days <= 1.0 || days > 14.0 || needed >= *seconds => {
            fits(seconds).then(|| (*name).to_owned())
        }
        _ => Some(days * DAY).filter(fits).map(|_| format!("{days} days")),
    }
}
