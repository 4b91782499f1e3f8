//! DR001 large-partition

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::figures::{PARTITION_BYTES, PARTITION_BYTES_CRITICAL};
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, TableName};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr001_large_partition.md"), examine);

/// Bounds of the stages of growth: reads, compaction, repair, the cluster.
const STAGES: [f64; 4] = [PARTITION_BYTES, 500e6, PARTITION_BYTES_CRITICAL, 2e9];
/// The buckets of the server's histograms are 20 % apart.
const BUCKET_WIDTH: f64 = 1.2;

/// A partition with the node that has it.
struct LargePartition<'a> {
    node: &'a str,
    /// The size as reported.
    bytes: f64,
    /// The size that it has at least.
    least: f64,
    key: Option<&'a str>,
}

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let mut tables: Vec<&TableName> = cluster.snapshot.list_measured_tables();
    tables.extend(cluster.events(EventKind::LargePartition).into_keys().flatten());
    tables.sort_unstable();
    tables.dedup();
    for table in tables {
        let partitions = list_partitions(cluster, table);
        let largest = partitions.iter().max_by(|a, b| a.bytes.total_cmp(&b.bytes));
        let Some(largest) = largest.filter(|largest| largest.bytes >= PARTITION_BYTES) else {
            continue;
        };
        let p99 = cluster.worst(table, |figures| figures.partition_bytes.as_ref()?.p99);
        let is_common = p99.is_some_and(|(_, bytes)| bytes / BUCKET_WIDTH >= PARTITION_BYTES);
        let severity = match largest.least {
            least if least >= PARTITION_BYTES_CRITICAL || is_common => Severity::Critical,
            least if least >= PARTITION_BYTES => Severity::High,
            _ => Severity::Medium,
        };
        let keyed = partitions.iter().filter(|it| it.key.is_some());
        let key = keyed.max_by(|a, b| a.bytes.total_cmp(&b.bytes)).and_then(|it| it.key);
        let stage = STAGES.iter().filter(|bound| largest.bytes >= **bound).count();
        let bytes = |(_, bytes): (&str, f64)| Quantity::Bytes(bytes);
        let finding = found.report();
        finding.severity(severity).table(table).node(largest.node).key(key);
        finding
            .exceed(
                "largest partition",
                Quantity::Bytes(largest.bytes),
                Quantity::Bytes(PARTITION_BYTES),
            )
            .evidence_if("99 of 100 partitions at most", p99.map(bytes))
            .evidence("stage of growth", Quantity::Word(format!("{stage} of 4")));
        let divide = Remedy::new(
            "Divide the partitions: add a bucket of time or a shard to the partition key, and move the rows.",
        );
        finding.remedy(match cluster.definition(table) {
            Some(definition) => divide.with_cql(redesign::split_partitions(definition)),
            None => divide,
        });
        finding.remedy(
            Remedy::new("List the sizes of the partitions on a node that has them.").with_command(
                format!("nodetool tablehistograms {} {}", table.keyspace, table.table),
            ),
        );
    }
}

/// The largest partitions that each source knows of.
fn list_partitions<'a>(cluster: &Examination<'a>, table: &TableName) -> Vec<LargePartition<'a>> {
    let mut partitions = Vec::new();
    for (node, facts) in cluster.nodes() {
        if let Some(figures) = facts.tables.get(table) {
            let exact = figures.largest_partitions.iter().map(|it| LargePartition {
                node,
                bytes: it.value as f64,
                least: it.value as f64,
                key: Some(&it.key),
            });
            partitions.extend(exact);
            let measured = figures.partition_bytes.as_ref().and_then(|bytes| bytes.max);
            partitions.extend(measured.filter(|bytes| bytes.is_finite()).map(|bytes| {
                LargePartition { node, bytes, least: bytes / BUCKET_WIDTH, key: None }
            }));
        }
        let files = facts.sstables.get(table).into_iter().flatten();
        partitions.extend(files.flat_map(|file| &file.largest_partitions).map(|it| {
            let bytes = it.value as f64;
            LargePartition { node, bytes, least: bytes, key: Some(&it.key) }
        }));
        for (logged, _, summary) in facts.log.groups_of(EventKind::LargePartition) {
            if logged != Some(table) {
                continue;
            }
            partitions.extend(summary.max.map(|bytes| LargePartition {
                node,
                bytes,
                least: bytes,
                key: summary.worst.as_ref().and_then(|worst| worst.key.as_deref()),
            }));
        }
    }
    partitions
}
