//! DR043 slow-query

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr043_slow_query.md"), examine);

/// The server logs statements that take longer.
const SLOW_MS: f64 = 500.0;
/// Near the timeouts of the server.
const VERY_SLOW_MS: f64 = 2_000.0;
/// So often it is no accident.
const OFTEN: u64 = 10;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (table, shape, observed) in cluster.named_statements() {
        let Some(slowest) = observed.max_ms.filter(|ms| *ms >= SLOW_MS) else { continue };
        let severity = match (slowest >= VERY_SLOW_MS, observed.count >= OFTEN) {
            (true, true) => Severity::High,
            (true, false) | (false, true) => Severity::Medium,
            (false, false) => Severity::Low,
        };
        let finding = found.report();
        finding.severity(severity).statement(shape).table(&table);
        finding
            .exceed("slowest", Quantity::Milliseconds(slowest), Quantity::Milliseconds(SLOW_MS))
            .evidence("times seen", Quantity::Count(observed.count as f64));
        if observed.timed > 1 {
            let mean = observed.total_ms / observed.timed as f64;
            finding.evidence("mean", Quantity::Milliseconds(mean));
        }
        finding.remedy(
            Remedy::new("See how it runs: partitions, rows, SSTables and tombstones.")
                .with_command(format!(
                    "helenus explain --schema schema.cql '{}'",
                    shape.text.replace('\'', "''")
                )),
        );
    }
}
