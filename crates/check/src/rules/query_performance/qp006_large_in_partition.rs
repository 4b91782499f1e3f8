//! QP006: IN with many partition keys.

use schema::access::{Count, ReadPlan};

use crate::facts::workload::partition_count;

use crate::{
    Check, Limit, Product, Project, ReplayedStatement, Reporter, RuleEntry, Settings, Severity,
};

const SOME: Limit = Limit::new("in-keys-some", 20.0)
    .describe("number of partition keys in an IN list at which the severity is medium");
const MANY: Limit = Limit::new("in-keys-many", 100.0)
    .describe("number of partition keys in an IN list at which the severity is high");
const FATAL: Limit = Limit::new("in-keys-fatal", 500.0)
    .describe("number of partition keys in an IN list at which the severity is critical");

/// `max_partition_key_restrictions_per_query` of `ScyllaDB`.
const SCYLLA: usize = 100;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp006_large_in_partition.md"), Check::Statement(check))
        .with_limits(&[SOME, MANY, FATAL]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    let number = match partition_count(read, select) {
        Some(Count::Known(number)) => number,
        Some(Count::Unknown) => return report_unknown_length(project, seen, read, reporter),
        None => return,
    };
    // PT003 reports what ScyllaDB rejects.
    if project.settings.target.product == Product::Scylla && number > SCYLLA {
        return;
    }
    let limits = [&FATAL, &MANY, &SOME].map(|limit| to_f64(number) > reporter.limit(limit));
    let severity = if key_limit(project.settings).is_some_and(|cap| number > cap) {
        Severity::Error
    } else {
        match limits {
            [true, ..] => Severity::Critical,
            [_, true, _] => Severity::High,
            [_, _, true] => Severity::Medium,
            _ => return,
        }
    };
    let message =
        format!("IN with {number} partition keys makes one coordinator execute {number} reads.");
    let one = reporter.report(project.select_location(seen), message);
    one.with_table(&read.table).severity(severity);
    if severity == Severity::Error {
        let cap = key_limit(project.settings).unwrap_or_default();
        one.note(format!("the target rejects more than {cap} partition keys in a SELECT"));
    }
    one.help(match limits {
        [true, ..] => "redesign: use a table whose partition holds the rows together, or copy the columns to where the keys come from; nothing makes a list of this length cheap",
        [_, true, _] => "split the list into chunks of 20, or read each key with a separate query, about 50 concurrently",
        _ => "monitor the latency of the coordinators; if it suffers, read each key with a separate query, about 50 concurrently",
    });
}

/// `IN ?`: the length of the list is not known here.
fn report_unknown_length(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    read: &ReadPlan,
    reporter: &mut Reporter<'_>,
) {
    let message = format!("{} reads one partition per key in its IN list.", seen.display_name());
    reporter
        .report(project.select_location(seen), message)
        .with_table(&read.table)
        .severity(Severity::Info)
        .help("bind at most 20 keys at a time");
}

/// The maximum; more is rejected.
fn key_limit(settings: &Settings) -> Option<usize> {
    let configured = settings.server.get("partition_keys_in_select_fail_threshold");
    let configured = configured.and_then(|value| value.parse().ok());
    configured.or(match settings.target.product {
        Product::Astra => Some(20),
        _ => None,
    })
}

fn to_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
