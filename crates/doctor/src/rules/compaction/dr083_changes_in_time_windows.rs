//! DR083 changes-in-time-windows

use schema::access::{AccessPlan, WriteEffect, WriteTarget};
use schema::bind::restrictions::StatementType;

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr083_changes_in_time_windows.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, table) in cluster.defined_tables() {
        if super::strategy(table) != Some("TimeWindowCompactionStrategy") {
            continue;
        }
        let change = cluster.statements_on(&name).find(|statement| {
            matches!(&statement.plan, AccessPlan::Write(write)
                if matches!(write.effect, WriteEffect::DeleteRows | WriteEffect::DeleteColumns)
                    && !matches!(write.target, WriteTarget::Partition)
                    || write.statement == StatementType::Update && write.effect == WriteEffect::Upsert)
        });
        let Some(change) = change else { continue };
        let finding = found.report();
        finding
            .table(&name)
            .statement(change.shape)
            .evidence("times seen", Quantity::Count(change.observed.count as f64));
        let count = cluster.worst(&name, |figures| figures.sstable_count.map(|it| it as f64));
        finding.evidence_if("SSTables", count.map(|(_, it)| Quantity::Count(it)));
        finding.remedy(Remedy::new(
            "Write each row once and let it expire; keep what changes in a table of its own, without time windows.",
        ));
        finding.remedy(
            Remedy::new("Find the files that keep expired ones from being deleted.")
                .with_command(format!("sstableexpiredblockers {} {}", table.keyspace, table.name)),
        );
    }
}
