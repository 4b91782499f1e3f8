//! MV011: a view of partitions that grow without bound.

use crate::facts::tables::base_table;
use crate::facts::volumes::unbounded_growth;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, TableFacts};

const BYTES: Limit = Limit::new("view-base-partition-bytes", 100e6).describe(
    "size in bytes of a base table partition above which building and repairing a view is expensive",
);

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv011_mv_of_wide_partition.md"), Check::Table(check))
        .with_limits(&[BYTES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(base) = base_table(project, facts) else { return };
    let size = base.volume.partition.as_ref();
    let bytes = size.map(|size| size.large_bytes);
    let confidence = match bytes {
        Some(bytes) if bytes > reporter.limit(&BYTES) => Confidence::High,
        Some(_) => return,
        // With names as the only evidence, PS001 reports the base table, which is enough.
        None => match unbounded_growth(project, base) {
            Some(growth) if growth.confidence > Confidence::Low => growth.confidence,
            _ => return,
        },
    };
    let finding = reporter.report(
        facts.place,
        format!(
            "{} is a view of {}, whose partitions are unbounded.",
            facts.table.name, base.table.name
        ),
    );
    finding
        .with_table(&facts.table)
        .confidence(confidence)
        .with_related(base.place, "the base table")
        .help(
            "bound the partitions of the base table first, with a time span in its partition key",
        );
    finding.notes.extend(size.into_iter().flat_map(|size| size.notes(base)));
}
