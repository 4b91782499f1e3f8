//! DR023 repair-overdue

use std::collections::BTreeMap;

use schema::access::{AccessPlan, WriteEffect};

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr023_repair_overdue.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let Some(now) = cluster.now_ms() else { return };
    let mut repaired: BTreeMap<&TableName, i64> = BTreeMap::new();
    for (_, node) in cluster.nodes() {
        for (table, at) in &node.repaired_at_ms {
            let known = repaired.entry(table).or_insert(*at);
            *known = (*known).max(*at);
        }
    }
    for (table, at) in repaired {
        let Some(definition) = cluster.definition(table).filter(|_| !table.is_system()) else {
            continue;
        };
        let grace = f64::from(definition.params.gc_grace_seconds);
        let age = now.saturating_sub(at) as f64 / 1_000.0;
        if grace <= 0.0 || age <= grace || !has_replicas(cluster, table) {
            continue;
        }
        let deletes = cluster.statements_on(table).any(|statement| {
            matches!(&statement.plan, AccessPlan::Write(write)
                if matches!(write.effect, WriteEffect::DeleteRows | WriteEffect::DeleteColumns))
        });
        let finding = found.report();
        if !deletes {
            finding.severity(cql::Severity::Medium);
        }
        finding
            .table(table)
            .exceed("time since the last repair", Quantity::Seconds(age), Quantity::Seconds(grace))
            .evidence("last repair", Quantity::Moment(at));
        finding.remedy(
            Remedy::new("Repair the table, and schedule repairs more often than gc_grace_seconds.")
                .with_command(format!("nodetool repair -pr {} {}", table.keyspace, table.table)),
        );
    }
}

/// Whether the rows have several replicas: a single one has nothing to be repaired with.
fn has_replicas(cluster: &Examination<'_>, table: &TableName) -> bool {
    let keyspace = cluster.snapshot.schema.as_ref().and_then(|it| it.keyspace(&table.keyspace));
    let factors = keyspace.into_iter().flat_map(|keyspace| keyspace.replication.options.values());
    factors.filter_map(|factor| factor.parse::<u32>().ok()).sum::<u32>() > 1
}
