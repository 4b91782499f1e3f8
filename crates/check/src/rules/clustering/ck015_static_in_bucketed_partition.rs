//! CK015: static columns in partitions of a span of time.

use crate::remedies::column_names;
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck015_static_in_bucketed_partition.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let key = table.partition_key();
    let Some(first) = table.statics().first() else { return };
    // Another column of the key may be what the value belongs to.
    let Some(bucket) = key.iter().find(|column| is_time_bucket(column)) else { return };
    let Some(entity) = key.iter().find(|column| !is_time_bucket(column)) else { return };
    // A year or a day without times in the clustering key is a property of the entity.
    if !table.clustering().iter().any(is_time) {
        return;
    }
    let message = format!(
        "Static column `{}` has to be written again for every `{}`.",
        column_names(table.statics()),
        bucket.name
    );
    reporter
        .report(project.column_location(facts, &first.name), message)
        .with_column(table, first)
        .confidence(Confidence::Medium)
        .help(format!(
            "store it in a table with partition key `{}`, if it belongs to that",
            entity.name
        ));
}
