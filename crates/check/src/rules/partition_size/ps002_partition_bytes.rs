//! PS002: partitions of too many bytes.

use model::figures;
use schema::size::limits;

use crate::facts::volumes::unbounded_growth;
use crate::project::GrowthEnd;
use crate::{Check, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const LARGE: Limit = Limit::new("partition-bytes", 100e6)
    .describe("size in bytes above which a partition is too large");
pub(super) const HUGE: Limit = Limit::new("partition-bytes-critical", 1e9)
    .describe("size in bytes above which a partition breaks repair and streaming");
/// The size at which `ScyllaDB` itself warns.
const SCYLLA_LARGE: f64 = 1_000e6;
/// A conservative target.
const STRICT_LARGE: f64 = 10e6;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps002_partition_bytes.md"), Check::Table(check))
        .with_limits(&[LARGE, HUGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, facts.volume.partition.as_ref()) else { return };
    let is_told_elsewhere = match size.until {
        GrowthEnd::Expires(_) | GrowthEnd::Rolls(_) => true,
        GrowthEnd::Never(_) => unbounded_growth(project, facts).is_some(),
        GrowthEnd::Declared | GrowthEnd::Retained(_) => table.clustering().is_empty(),
    };
    if is_told_elsewhere {
        return;
    }
    let Some(severity) = partition_severity(project, reporter, size.large_bytes) else { return };
    let after = match size.until {
        GrowthEnd::Retained(seconds) | GrowthEnd::Never(seconds) => {
            format!(" after {}", figures::format_duration(seconds))
        }
        _ => String::new(),
    };
    let message = format!(
        "Partitions of {} reach {}{after}.",
        table.name,
        figures::format_bytes(size.large_bytes)
    );
    let Some(first) = table.partition_key().first() else { return };
    let finding = reporter
        .report(project.key_location(facts, &first.name), message)
        .with_table(table)
        .severity(severity)
        .confidence(size.confidence)
        .help(
            "add a time bucket or a shard to the partition key to keep each partition below 100 MB",
        );
    finding.notes.extend(size.notes(facts));
    finding.notes.extend(consequence(size.large_bytes));
}

/// The severity of a partition with this number of bytes, if it is too large.
pub(super) fn partition_severity(
    project: &Project<'_>,
    found: &Reporter<'_>,
    bytes: f64,
) -> Option<Severity> {
    let large = partition_bytes_max(project, found);
    if bytes > found.limit(&HUGE).max(large) && large < SCYLLA_LARGE {
        Some(Severity::Critical)
    } else if bytes > large {
        Some(Severity::High)
    } else {
        (project.settings.strict && bytes > STRICT_LARGE).then_some(Severity::Info)
    }
}

/// The maximum size of a partition in bytes.
pub(super) fn partition_bytes_max(project: &Project<'_>, found: &Reporter<'_>) -> f64 {
    let is_said = project.settings.limits.contains_key(LARGE.name);
    match project.settings.target.product {
        Product::Scylla if !is_said => SCYLLA_LARGE,
        _ => found.limit(&LARGE),
    }
}

/// The consequences of a partition with this number of bytes.
pub(super) fn consequence(bytes: f64) -> Option<String> {
    let crossed = limits::highest_crossed(bytes)?;
    Some(format!("above {}: {}", figures::format_bytes(crossed.most), crossed.consequence))
}
