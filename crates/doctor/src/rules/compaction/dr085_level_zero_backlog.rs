//! DR085 level-zero-backlog

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr085_level_zero_backlog.md"), examine);

/// Files in level 0 from which the server compacts them by size instead.
const FILES: f64 = 32.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for table in cluster.snapshot.list_measured_tables() {
        let files = cluster.worst(table, |figures| {
            figures.sstables_by_level.as_ref()?.first().map(|count| *count as f64)
        });
        let Some((node, files)) = files.filter(|(_, files)| *files >= FILES) else { continue };
        let finding = found.report();
        finding.table(table).node(node).exceed(
            "SSTables in level 0",
            Quantity::Count(files),
            Quantity::Count(FILES),
        );
        finding.remedy(
            Remedy::new("Give compaction more throughput, or use the size-tiered strategy for a table that is mostly written.")
                .with_cql(format!(
                    "ALTER TABLE {table} WITH compaction = {{'class': 'SizeTieredCompactionStrategy'}};"
                )),
        );
    }
}
