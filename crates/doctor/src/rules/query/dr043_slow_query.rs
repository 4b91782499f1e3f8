//! DR043 slow-query

use cql::Severity;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr043_slow_query.md"), examine);

/// The server logs statements that take longer.
const SLOW_MS: f64 = 500.0;
/// Near the timeouts of the server.
const VERY_SLOW_MS: f64 = 2_000.0;
/// So often it is no accident.
const OFTEN: u64 = 10;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (shape, observed) in &cluster.snapshot.statements {
        let Some(slowest) = observed.max_ms.filter(|ms| *ms >= SLOW_MS) else { continue };
        let planned = cluster.statements.iter().find(|statement| statement.shape == shape);
        let table = planned.and_then(|statement| statement.table.as_ref());
        if table.is_some_and(TableName::is_system) || is_system_statement(&shape.text) {
            continue;
        }
        let severity = match (slowest >= VERY_SLOW_MS, observed.count >= OFTEN) {
            (true, true) => Severity::High,
            (true, false) | (false, true) => Severity::Medium,
            (false, false) => Severity::Low,
        };
        let finding = found.report();
        finding.severity(severity).statement(shape);
        if let Some(table) = table {
            finding.table(table);
        }
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

/// Whether it reads tables of the server itself, as drivers and tools do; the schema does not have
/// them.
fn is_system_statement(text: &str) -> bool {
    let parsed = cql::parse(text);
    let keyspace = parsed.statements.first().and_then(|statement| match &statement.kind {
        cql::StatementKind::Select(select) => select.table.keyspace.as_ref(),
        _ => None,
    });
    keyspace.is_some_and(|keyspace| TableName::new(&keyspace.text, "").is_system())
}
