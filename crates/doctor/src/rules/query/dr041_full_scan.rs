//! DR041 full-scan

use cql::Severity;
use schema::access::{AccessPlan, FilterScope, Partitions, ReadPlan};

use crate::rules::examination::Examination;
use crate::rules::figures::SMALL_TABLE_PARTITIONS;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr041_full_scan.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for statement in &cluster.statements {
        let AccessPlan::Read(read) = &statement.plan else { continue };
        let Some(name) = &statement.table else { continue };
        if !is_scan(read) || cluster.is_small(name) {
            continue;
        }
        let partitions = cluster.count_partitions(name);
        let finding = found.report();
        if read.aggregates {
            finding.severity(Severity::High);
        }
        finding.table(name).statement(statement.shape);
        if let Some(count) = partitions {
            finding.exceed(
                "partitions that are read",
                Quantity::Count(count as f64),
                Quantity::Count(SMALL_TABLE_PARTITIONS as f64),
            );
        }
        finding
            .evidence("times seen", Quantity::Count(statement.observed.count as f64))
            .evidence_if("slowest", statement.observed.max_ms.map(Quantity::Milliseconds));
        finding.remedy(Remedy::new(
            "Give the partition key; for exports read token ranges one by one, in the background.",
        ));
    }
}

/// Whether it reads all partitions without filtering, which DR040 reports. A LIMIT ends the scan
/// early.
fn is_scan(read: &ReadPlan) -> bool {
    read.partitions == Partitions::All
        && read.index.is_none()
        && read.filtering.scope == FilterScope::None
        && !(read.limit.is_some() && read.stops_at_limit)
}
