//! DR080 sstables-per-read

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Finding, Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr080_sstables_per_read.md"), examine);

/// `SSTables` of one read that are usual.
const SSTABLES: f64 = 10.0;
const SSTABLES_HIGH: f64 = 30.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    examine_tables(cluster, found);
    examine_traces(cluster, found);
}

/// Statements that were traced, on tables whose usual reads are not known.
fn examine_traces(cluster: &Examination<'_>, found: &mut Reporter) {
    for (table, shape, observed) in cluster.list_named_statements() {
        let is_measured = cluster.worst(&table, |figures| figures.sstables_per_read.as_ref()?.p99);
        let most = observed.max_sstables.map(|count| count as f64);
        let Some(most) = most.filter(|most| *most > SSTABLES && is_measured.is_none()) else {
            continue;
        };
        let finding = found.report();
        finding.table(&table).statement(shape).exceed(
            "SSTables of one traced read",
            Quantity::Count(most),
            Quantity::Count(SSTABLES),
        );
        suggest(cluster, &table, finding);
    }
}

fn examine_tables(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        let p99 = cluster.worst(table, |figures| figures.sstables_per_read.as_ref()?.p99);
        let Some((node, p99)) = p99.filter(|(_, p99)| *p99 > SSTABLES) else { continue };
        let median = cluster.worst(table, |figures| figures.sstables_per_read.as_ref()?.p50);
        let count = cluster.worst(table, |figures| figures.sstable_count.map(|it| it as f64));
        let finding = found.report();
        if p99 > SSTABLES_HIGH {
            finding.severity(Severity::High);
        }
        finding
            .table(table)
            .node(node)
            .exceed(
                "99 of 100 reads touch at most, in SSTables",
                Quantity::Count(p99),
                Quantity::Count(SSTABLES),
            )
            .evidence_if("half of the reads", median.map(|(_, it)| Quantity::Count(it)))
            .evidence_if("SSTables", count.map(|(_, it)| Quantity::Count(it)));
        suggest(cluster, table, finding);
    }
}

fn suggest(cluster: &Examination<'_>, table: &TableName, finding: &mut Finding) {
    let strategy = cluster.definition(table).and_then(|it| super::strategy(it));
    finding.evidence_if("compaction", strategy.map(|it| Quantity::Word(it.to_owned())));
    finding.remedy(
            Remedy::new("See whether compactions wait; if not, partitions are written over a long time: put a bucket of time into the key.")
                .with_command("nodetool compactionstats"),
        );
    if strategy == Some("SizeTieredCompactionStrategy") {
        finding.remedy(
                Remedy::new("For tables that are read more than written, use the leveled strategy.")
                    .with_cql(format!(
                        "ALTER TABLE {table} WITH compaction = {{'class': 'LeveledCompactionStrategy'}};"
                    )),
            );
    }
}
