//! PS003: partitions of too many cells.

use model::figures;
use schema::size::formula;

use super::ps002_partition_bytes::{LARGE, partition_bytes_max};
use super::ps004_partition_rows::ROWS;
use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const CELLS: Limit = Limit::new("partition-cells", 100_000.0)
    .describe("number of cells per partition above which the Cassandra documentation warns");
const MANY: Limit = Limit::new("partition-cells-many", 10_000_000.0).describe(
    "number of cells per partition above which it is slow regardless of its size in bytes",
);
/// The maximum number of cells that a partition can hold.
const HARD: f64 = 2e9;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps003_partition_cells.md"), Check::Table(check))
        .with_limits(&[CELLS, MANY]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, facts.volume.partition.as_ref()) else { return };
    let cells = formula::values(&facts.volume.layout(table), size.rows.large);
    let is_told = size.large_bytes > partition_bytes_max(project, reporter)
        || size.rows.large > reporter.limit(&ROWS);
    let severity = if cells >= HARD {
        Severity::Error
    } else if cells > reporter.limit(&MANY) && !is_told {
        Severity::High
    } else if cells > reporter.limit(&CELLS) && !is_told {
        Severity::Low
    } else {
        return;
    };
    let Some(first) = table.partition_key().first() else { return };
    let message = format!("{} per partition of {}.", figures::pluralise(cells, "cell"), table.name);
    let finding = reporter
        .report(project.key_location(facts, &first.name), message)
        .with_table(table)
        .severity(severity)
        .confidence(size.confidence)
        .note(format!(
            "{} of {}",
            figures::pluralise(size.rows.large, "row"),
            figures::pluralise(cells / size.rows.large.max(1.0), "value")
        ))
        .help("add a bucket to the partition key, or store values that are read together in one column");
    finding.notes.push(size.arithmetic.clone());
    let limit = figures::format_bytes(reporter.limit(&LARGE));
    if severity == Severity::Low {
        let bytes = figures::format_bytes(size.large_bytes);
        if let Some(finding) = reporter.findings.last_mut() {
            finding.note(format!("{bytes} in total, below {limit}"));
        }
    }
}
