//! QP014: a request that reads a partition for each row of another.

use std::collections::BTreeMap;

use model::figures::format_count;
use schema::access::{Count, Partitions, ReadPlan};

use crate::vocabulary::ids::is_id;

use crate::{Check, Confidence, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const FEW: Limit = Limit::new("request-partitions-few", 2.0)
    .describe("number of partitions read to serve a request");
const MANY: Limit = Limit::new("request-partitions-many", 10.0)
    .describe("number of partitions per request at which the severity is high");
const FATAL: Limit = Limit::new("request-partitions-fatal", 100.0)
    .describe("number of partitions per request at which the severity is critical");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp014_multi_partition_request.md"), Check::Project(check))
        .with_limits(&[FEW, MANY, FATAL]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let followers = project.statements.iter().filter(|seen| !seen.annotations.after.is_empty());
    let followers: Vec<&ReplayedStatement> = followers.collect();
    if followers.is_empty() {
        return;
    }
    let named = project
        .statements
        .iter()
        .filter_map(|seen| Some((seen.annotations.name.as_deref()?, seen)));
    let named: BTreeMap<&str, &ReplayedStatement> = named.collect();
    for seen in followers {
        for first in seen.annotations.after.iter().filter_map(|name| named.get(&**name)) {
            if let (Some(before), Some(read)) = (first.read(), seen.read())
                && is_fan_out(before, read)
            {
                report(project, (first, before), (seen, read), reporter);
            }
        }
    }
}

/// Whether a read restricts partitions by values from each row of another read.
fn is_fan_out(before: &ReadPlan, read: &ReadPlan) -> bool {
    let fixed =
        if before.partitions == Partitions::One { before.table.partition_key().len() } else { 0 };
    let varies = |at: usize| at >= fixed && !before.rows.equal.contains(&at);
    let gives = |name: &str| {
        let at = before.table.column_index(name);
        at.is_some_and(|at| before.columns.contains(&at) && varies(at))
    };
    let one_row = before.partitions == Partitions::One && before.rows.rows == Some(Count::Known(1));
    !one_row
        && !before.aggregates
        && read.partitions == Partitions::One
        && read.table.partition_key().iter().any(|column| gives(&column.name))
}

fn report(
    project: &Project<'_>,
    (first, before): (&ReplayedStatement, &ReadPlan),
    (seen, read): (&ReplayedStatement, &ReadPlan),
    reporter: &mut Reporter<'_>,
) {
    // The rates of both give the number of rows that are followed. Without them, all rows of a list
    // of bare ids are, since there is nothing to select by.
    let times =
        first.rate().zip(seen.rate()).map(|(first, second)| second / first.max(f64::MIN_POSITIVE));
    if times.is_none() && !has_only_ids(before) {
        return;
    }
    let partitions = times.or_else(|| row_count(project, before)).map(|rows| rows + 1.0);
    let severity = match partitions {
        Some(number) if number > reporter.limit(&FATAL) => Severity::Critical,
        Some(number) if number > reporter.limit(&MANY) => Severity::High,
        Some(number) if number <= reporter.limit(&FEW) => return,
        _ => Severity::Medium,
    };
    let message = match partitions {
        Some(number) => {
            format!(
                "Serving {} after {} reads {} partitions.",
                seen.annotations.display_name(),
                first.annotations.display_name(),
                format_count(number)
            )
        }
        None => format!(
            "{} reads one partition for each row of {}.",
            seen.display_name(),
            first.annotations.display_name()
        ),
    };
    let confidence = if partitions.is_some() { Confidence::High } else { Confidence::Medium };
    reporter
        .report(project.select_location(seen), message)
        .with_table(&read.table)
        .severity(severity)
        .confidence(confidence)
        .with_related(project.select_location(first), "one read is made for each of these rows")
        .help(format!(
            "store the columns it reads from {} in {} too, so that one partition serves both",
            read.table.name, before.table.name
        ));
}

/// Whether a read returns only identifiers.
fn has_only_ids(read: &ReadPlan) -> bool {
    read.columns.iter().filter_map(|at| read.table.columns().get(*at)).all(is_id)
}

/// How many rows a read returns, where that is known.
fn row_count(project: &Project<'_>, read: &ReadPlan) -> Option<f64> {
    let to_number = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    match (read.limit, read.rows.rows) {
        (Some(Count::Known(number)), _) | (_, Some(Count::Known(number))) => {
            Some(to_number(number))
        }
        _ => Some(project.facts(&read.table)?.volume.partition_rows()?.mean),
    }
}
