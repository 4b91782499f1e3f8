//! DR045 large-in

use cql::Severity;
use schema::access::{AccessPlan, Count, Partitions};

use crate::rules::examination::{Examination, PlannedStatement};
use crate::rules::finding::{Finding, Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr045_large_in.md"), examine);

/// Values of an IN on the partition key: fine up to here, to be watched, to be split, to be
/// redesigned.
const STEPS: [f64; 3] = [20.0, 100.0, 500.0];

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (table, groups) in cluster.events(EventKind::LargeIn) {
        let most = groups.iter().filter_map(|(node, _, summary)| Some((*node, summary.max?)));
        let most = most.max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((node, severity, values)) =
            most.and_then(|(node, values)| Some((node, severity(values)?, values)))
        else {
            continue;
        };
        let has_statement = table.is_some_and(|table| {
            cluster.statements_on(table).any(|statement| count_values(statement).is_some())
        });
        // The statement itself says more.
        if has_statement {
            continue;
        }
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let finding = found.report();
        if let Some(table) = table {
            finding.table(table);
        }
        finding
            .severity(severity)
            .node(node)
            .exceed("partitions of one read", Quantity::Count(values), Quantity::Count(STEPS[0]))
            .evidence("warnings in the log", Quantity::Count(count as f64));
        suggest(finding);
    }
    for statement in &cluster.statements {
        let Some(values) = count_values(statement) else { continue };
        let Some(severity) = severity(values) else { continue };
        let finding = found.report();
        finding.severity(severity).statement(statement.shape);
        if let Some(table) = &statement.table {
            finding.table(table);
        }
        finding
            .exceed("partitions of one read", Quantity::Count(values), Quantity::Count(STEPS[0]))
            .evidence("times seen", Quantity::Count(statement.observed.count as f64))
            .evidence_if("slowest", statement.observed.max_ms.map(Quantity::Milliseconds));
        suggest(finding);
    }
}

/// The most partitions that a read names by IN; `None` if it names none so.
fn count_values(statement: &PlannedStatement<'_>) -> Option<f64> {
    let AccessPlan::Read(read) = &statement.plan else { return None };
    let Partitions::Several(count) = read.partitions else { return None };
    let known = match count {
        Count::Known(count) => Some(count as f64),
        Count::Unknown => None,
    };
    let logged = statement.observed.max_in_values.map(|count| count as f64);
    known.into_iter().chain(logged).reduce(f64::max)
}

fn severity(values: f64) -> Option<Severity> {
    let [watched, many, too_many] = STEPS;
    match values {
        values if values >= too_many => Some(Severity::Critical),
        values if values > many => Some(Severity::High),
        values if values > watched => Some(Severity::Low),
        _ => None,
    }
}

fn suggest(finding: &mut Finding) {
    finding.remedy(Remedy::new(
        "Read the partitions one by one, concurrently and prepared, so that drivers send each to its replicas.",
    ));
    finding.remedy(Remedy::new("Or send the keys in parts of at most 20."));
    finding.remedy(Remedy::new(
        "If the keys come from another query, store what is needed of them with its rows.",
    ));
}
