//! DR042 range-reads

use schema::access::{AccessPlan, Partitions};

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr042_range_reads.md"), examine);

/// The share of reads that are range reads above which they are no accident.
const SHARE: f64 = 5.0;
const SCANS_MIN: u64 = 100;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        if cluster.is_small(table) || is_explained(cluster, table) {
            continue;
        }
        let count = |latency: &Option<crate::snapshot::RequestLatency>| {
            latency.as_ref()?.milliseconds.count
        };
        let scans = cluster.sum(table, |figures| count(&figures.coordinator_scan_latency));
        let reads = cluster.sum(table, |figures| count(&figures.coordinator_read_latency));
        let (Some(scans), Some(reads)) = (scans, reads) else { continue };
        let share = scans as f64 / scans.saturating_add(reads).max(1) as f64 * 100.0;
        if scans < SCANS_MIN || share < SHARE {
            continue;
        }
        let slowest = cluster
            .worst(table, |figures| figures.coordinator_scan_latency.as_ref()?.milliseconds.p99);
        let finding = found.report();
        finding
            .table(table)
            .exceed(
                "range reads among the reads",
                Quantity::Percent(share),
                Quantity::Percent(SHARE),
            )
            .evidence("range reads", Quantity::Count(scans as f64))
            .evidence_if(
                "99 of 100 take at most",
                slowest.map(|(_, ms)| Quantity::Milliseconds(ms)),
            );
        finding.remedy(
            Remedy::new(
                "Find the statements: they use an index, ALLOW FILTERING or no partition key.",
            )
            .with_command("nodetool setlogginglevel org.apache.cassandra.db.monitoring DEBUG"),
        );
    }
}

/// Whether a statement that was seen reads ranges: other rules report it.
fn is_explained(cluster: &Examination<'_>, table: &TableName) -> bool {
    cluster.statements_on(table).any(|statement| {
        matches!(&statement.plan, AccessPlan::Read(read)
            if matches!(read.partitions, Partitions::All | Partitions::TokenRange { .. }))
    })
}
