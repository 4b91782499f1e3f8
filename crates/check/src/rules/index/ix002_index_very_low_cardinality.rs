//! IX002: an index on a column with few values.

use model::figures::format_count;
use model::index_guide;
use schema::catalog::{IndexClass, IndexPart};

use crate::facts::tables::is_registry;
use crate::facts::volumes::column_cardinality;
use crate::facts::workload::index_reads;
use crate::remedies::lookup_table;
use crate::vocabulary::status::is_low_cardinality;

use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const VALUES: Limit = Limit::new("index-few-values", index_guide::VERY_FEW_VALUES)
    .describe("number of distinct values of an indexed column below which it has too few");
const TOO_FEW: Limit = Limit::new("index-too-few-values", 5.0)
    .describe("number of distinct values below which a storage-attached index has severity medium");
const SOME: Limit = Limit::new("index-some-values", 100.0).describe(
    "number of distinct values below which an index is acceptable, but should be monitored",
);
const ROWS: Limit = Limit::new("index-entry-rows", 100_000.0)
    .describe("rows per value on one node at which the severity of a legacy index is high");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix002_index_very_low_cardinality.md"), Check::Table(check))
        .with_limits(&[VALUES, TOO_FEW, SOME, ROWS]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for index in &facts.table.indexes {
        let Some(column) = facts.table.column(&index.column) else { continue };
        let Some(known) =
            column_cardinality(facts, column).filter(|_| index.part == IndexPart::Simple)
        else {
            continue;
        };
        let by_name = known.confidence == Confidence::Low && is_low_cardinality(column);
        let is_acceptable = known.values >= reporter.limit(&VALUES) && !by_name;
        let is_declared = known.confidence == Confidence::High;
        if is_acceptable && (known.values >= reporter.limit(&SOME) || !is_declared) {
            continue;
        }
        let rows = facts.volume.rows.map(|rows| rows / known.values.max(1.0));
        let on_node = rows.map_or(0.0, |rows| rows / f64::from(project.nodes.max(1)));
        let is_local = index.class == IndexClass::Legacy;
        let reads = index_reads(project, facts, index);
        let severity = match () {
            () if reads.is_within_partitions() || reads.is_rare() => Severity::Info,
            () if is_registry(facts) || is_acceptable => Severity::Info,
            () if is_local && on_node > reporter.limit(&ROWS) => Severity::High,
            () if is_local => Severity::Medium,
            () if is_declared && known.values < reporter.limit(&TOO_FEW) => Severity::Medium,
            () => Severity::Low,
        };
        let message = if is_acceptable {
            format!(
                "`{}` has about {} values: an index is acceptable for rare queries.",
                column.name,
                format_count(known.values)
            )
        } else if by_name {
            format!(
                "`{}` has few values (inferred from its name), so each index entry lists a large share of {}.",
                column.name, facts.table.name
            )
        } else {
            format!(
                "`{}` has about {} values, so each index entry lists a large share of {}.",
                column.name,
                format_count(known.values),
                facts.table.name
            )
        };
        let one = reporter.report(project.index_location(facts, index), message);
        one.with_column(&facts.table, column).severity(severity).confidence(known.confidence);
        if let Some(rows) = rows.filter(|_| !by_name) {
            one.note(format!(
                "{} rows per value, {} of them on each of {} nodes",
                format_count(rows),
                format_count(on_node),
                project.nodes
            ));
        }
        if is_acceptable {
            one.help("monitor the duration of the queries, and restrict the partition key where it is known");
            continue;
        }
        one.help(match lookup_table(facts, &column.name) {
            Some(table) => format!("restrict the partition key in each query, or read from a table that is split by a bucket:\n{table}"),
            None => "restrict the partition key in each query".to_owned(),
        });
    }
}
