//! DR045 large-in

use cql::Severity;
use schema::access::{AccessPlan, Count, Partitions};

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr045_large_in.md"), examine);

/// Values of an IN on the partition key: fine up to here, to be watched, to be split, to be
/// redesigned.
const STEPS: [f64; 3] = [20.0, 100.0, 500.0];

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for statement in &cluster.statements {
        let AccessPlan::Read(read) = &statement.plan else { continue };
        let Partitions::Several(count) = read.partitions else { continue };
        let known = match count {
            Count::Known(count) => Some(count as f64),
            Count::Unknown => None,
        };
        let logged = statement.observed.max_in_values.map(|count| count as f64);
        let [watched, many, too_many] = STEPS;
        let values = known.into_iter().chain(logged).reduce(f64::max);
        let Some(values) = values.filter(|values| *values > watched) else { continue };
        let severity = match values {
            values if values >= too_many => Severity::Critical,
            values if values > many => Severity::High,
            _ => Severity::Low,
        };
        let finding = found.report();
        finding.severity(severity).statement(statement.shape);
        if let Some(table) = &statement.table {
            finding.table(table);
        }
        finding
            .above("partitions of one read", Quantity::Count(values), Quantity::Count(watched))
            .evidence("times seen", Quantity::Count(statement.observed.count as f64))
            .evidence_if("slowest", statement.observed.max_ms.map(Quantity::Milliseconds));
        finding.remedy(Remedy::new(
            "Read the partitions one by one, concurrently and prepared, so that drivers send each to its replicas.",
        ));
        finding.remedy(Remedy::new(
            "If the keys come from another query, store what is needed of them with its rows.",
        ));
    }
}
