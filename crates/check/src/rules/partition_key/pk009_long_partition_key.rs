//! PK009: keys of many bytes.

use model::figures;

use crate::remedies::column_names;
use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const LONG: Limit = Limit::new("key-bytes-long", 256.0)
    .describe("size in bytes above which a partition key is long");
const VERY_LONG: Limit = Limit::new("key-bytes-very-long", 1_024.0)
    .describe("size in bytes above which a partition key is very long");
/// The server's maximum for a partition key and for a clustering value.
const MOST: f64 = 65_535.0;
/// Overhead in bytes of each column of a composite partition key.
const COMPONENT: f64 = 3.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk009_long_partition_key.md"), Check::Table(check))
        .with_limits(&[LONG, VERY_LONG]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let columns = table.partition_key().len();
    let (Some(first), false) = (table.partition_key().first(), table.is_view) else { return };
    let known: Vec<f64> =
        facts.volume.columns.iter().take(columns).map(|column| column.bytes.value).collect();
    let frame = if columns > 1 { COMPONENT } else { 0.0 };
    let bytes: f64 = known.iter().map(|bytes| bytes + frame).sum();
    let is_declared = (0..columns).any(|at| facts.volume.bytes(at).is_some());
    let severity = if bytes > MOST {
        Severity::Error
    } else if bytes > reporter.limit(&VERY_LONG) {
        Severity::Medium
    } else {
        Severity::Low
    };
    let key = column_names(table.partition_key());
    if is_declared && bytes > reporter.limit(&LONG) {
        let message = format!(
            "Partition key `{key}` averages {}, and every index, bloom filter and cache entry repeats it.",
            figures::format_bytes(bytes)
        );
        reporter
            .report(project.key_location(facts, &first.name), message)
            .with_column(table, first)
            .severity(severity)
            .help("use a digest of the value as the key (a version 5 uuid, or a hash as blob), and store the value in a regular column");
    }
    for (at, column) in table.clustering().iter().enumerate() {
        if facts.volume.bytes(columns + at).is_some_and(|bytes| bytes > MOST) {
            let message = format!(
                "Values of `{}` exceed the maximum of 65,535 bytes for a clustering column.",
                column.name
            );
            reporter
                .report(project.key_location(facts, &column.name), message)
                .with_column(table, column)
                .severity(Severity::Error)
                .help("use a digest in the key, and store the value in a regular column");
        }
    }
}
