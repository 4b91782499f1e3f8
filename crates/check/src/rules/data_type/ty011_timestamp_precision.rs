//! TY011: milliseconds that are too coarse.

use cql::types::NativeType;
use model::figures;

use crate::facts::workload::{hottest_share, write_rate};
use crate::vocabulary::types::native_type;
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const RATE: Limit = Limit::new("timestamp-rows-per-second", 1_000.0)
    .describe("rows per second in one partition above which timestamps collide");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty011_timestamp_precision.md"), Check::Table(check))
        .with_limits(&[RATE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(column) = table.clustering().last() else { return };
    if facts.view.is_some() || native_type(&column.ty) != Some(NativeType::Timestamp) {
        return;
    }
    // CK009 checks declared rates of partitions; this rule checks those of statements.
    let is_declared = facts.volume.each.is_some_and(|each| each.per.is_some());
    let (Some(rate), Some(share), false) =
        (write_rate(project, facts), hottest_share(facts), is_declared)
    else {
        return;
    };
    let rate = rate * share;
    if rate <= reporter.limit(&RATE) {
        return;
    }
    let name = &column.name;
    reporter
        .report(project.key_location(facts, name), format!("Milliseconds are too coarse for `{name}`: rows with the same timestamp overwrite each other."))
        .with_column(table, column)
        .note(format!("one partition receives {}", figures::format_rate(rate)))
        .help(format!("make `{name}` a timeuuid, or add one after it"));
}
