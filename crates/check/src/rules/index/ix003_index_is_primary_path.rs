//! IX003: an index that serves a large share of the reads.

use model::figures;
use model::index_guide;
use schema::catalog::Index;

use crate::facts::tables::is_registry;
use crate::facts::workload::{index_reads, read_rate};
use crate::remedies::query_table;

use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const SHARE: Limit = Limit::new("index-read-share", index_guide::READ_SHARE_MAX)
    .describe("share of a table's reads that use an index without a partition key");
const RATE: Limit = Limit::new("index-read-rate", index_guide::READ_RATE_MAX)
    .describe("reads per second that use an index without a partition key");
const RARE: Limit = Limit::new("index-read-rare", index_guide::READ_RATE_RARE)
    .describe("reads per second up to which the share is not considered");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix003_index_is_primary_path.md"), Check::Table(check))
        .with_limits(&[SHARE, RATE, RARE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for index in &facts.table.indexes {
        let Some((rate, share)) = primary_path(project, facts, index, reporter) else { continue };
        let percent = (share * 100.0).round();
        let message =
            format!("{percent}% of the reads of {} go through the index.", facts.table.name);
        let one = reporter.report(project.index_location(facts, index), message);
        one.with_table(&facts.table).note(format!(
            "{} do not restrict the partition key and query every node",
            figures::format_rate(rate)
        ));
        let reads = index_reads(project, facts, index).scattered;
        let first = reads.into_iter().next();
        if let Some(first) = first {
            one.with_related(project.select_location(first), "one of them");
        }
        let table = first.and_then(|seen| query_table(facts, project.select(seen)?));
        one.help(match table {
            Some(table) => {
                format!("read from a table whose key is the restricted columns:\n{table}")
            }
            None => "read from a table whose key is the restricted columns".to_owned(),
        });
    }
}

/// The rate at which an index is queried without a partition key, and its share of all reads, if
/// that is too high.
pub(super) fn primary_path(
    project: &Project<'_>,
    facts: &TableFacts,
    index: &Index,
    found: &Reporter<'_>,
) -> Option<(f64, f64)> {
    let reads = index_reads(project, facts, index).scattered;
    let rate: f64 = reads.iter().filter_map(|seen| seen.rate()).sum();
    let all = read_rate(project, facts)?;
    let share = rate / all.max(f64::MIN_POSITIVE);
    // Rare queries do no harm, whatever their share.
    let is_much =
        rate > found.limit(&RATE) || share > found.limit(&SHARE) && rate > found.limit(&RARE);
    (is_much && !is_registry(facts)).then_some((rate, share))
}
