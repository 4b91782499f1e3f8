//! DR062 batch-without-grace

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::EventKind;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr062_batch_without_grace.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (table, groups) in cluster.events(EventKind::LoggedBatchWithoutGrace) {
        let count: u64 = groups.iter().map(|(_, _, summary)| summary.count).sum();
        let finding = found.report();
        finding.evidence("warnings in the log", Quantity::Count(count as f64));
        let raise =
            Remedy::new("Give the table a gc_grace_seconds above the time of a failed write.");
        match table {
            Some(table) => {
                let cql = format!("ALTER TABLE {table} WITH gc_grace_seconds = 10800;");
                finding.table(table).remedy(raise.with_cql(cql));
            }
            None => {
                finding.remedy(raise);
            }
        }
    }
}
