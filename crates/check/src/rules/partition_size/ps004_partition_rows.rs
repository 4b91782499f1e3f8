//! PS004: partitions of too many rows.

use model::figures;

use super::ps002_partition_bytes::{LARGE, partition_bytes_max};
use crate::facts::volumes::unbounded_growth;
use crate::project::GrowthEnd;
use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const ROWS: Limit = Limit::new("partition-rows", 100_000.0)
    .describe("number of rows above which a partition is slow to read");
pub(super) const MANY: Limit = Limit::new("partition-rows-many", 300_000.0)
    .describe("number of rows above which a partition is slow to read and to repair");
/// The number of rows is reported rather than the bytes if it exceeds its limit by this factor more
/// than the bytes exceed theirs: the rows are tiny.
const TINY_ROWS: f64 = 10.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps004_partition_rows.md"), Check::Table(check))
        .with_limits(&[ROWS, MANY, LARGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, facts.volume.partition.as_ref()) else { return };
    let rows = size.rows.large;
    let most = partition_bytes_max(project, reporter);
    let over = rows / reporter.limit(&MANY);
    let bytes_say_it = size.large_bytes > most && over < TINY_ROWS * size.large_bytes / most;
    let grows_anyway =
        matches!(size.until, GrowthEnd::Never(_)) && unbounded_growth(project, facts).is_some();
    if bytes_say_it || size.large_bytes > most && grows_anyway {
        return;
    }
    let severity = if over > 1.0 && matches!(size.until, GrowthEnd::Never(_)) {
        // It takes years, and the bytes stay within bounds.
        Severity::Low
    } else if over > 1.0 {
        Severity::High
    } else if rows > reporter.limit(&ROWS) && !matches!(size.until, GrowthEnd::Never(_)) {
        Severity::Medium
    } else {
        return;
    };
    let Some(first) = table.partition_key().first() else { return };
    let message = format!("{} per partition of {}.", figures::pluralise(rows, "row"), table.name);
    let finding = reporter
        .report(project.key_location(facts, &first.name), message)
        .with_table(table)
        .severity(severity)
        .confidence(size.confidence)
        .help("add a time bucket or a shard to the partition key");
    finding.notes.extend(size.notes(facts));
}
