//! CK015: static columns in partitions of a span of time.

use crate::facts::{is_time, is_time_bucket, names};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CK015",
    name: "static-in-bucketed-partition",
    category: Category::Clustering,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("static_in_bucketed_partition.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let key = table.partition_key();
    let Some(first) = table.statics().first() else { return };
    // Beside the bucket there is something that the value may belong to.
    let Some(bucket) = key.iter().find(|column| is_time_bucket(column)) else { return };
    let Some(entity) = key.iter().find(|column| !is_time_bucket(column)) else { return };
    // A year or a day that no moments are sorted under is a fact about the thing.
    if !table.clustering().iter().any(is_time) {
        return;
    }
    let message = format!(
        "Static `{}` must be written again for every `{}`.",
        names(table.statics()),
        bucket.name
    );
    found
        .at(project.column_place(facts, &first.name), message)
        .of_column(table, first)
        .confidence(Confidence::Medium)
        .help(format!(
            "keep it in a table whose partition key is `{}`, if it belongs to that",
            entity.name
        ));
}
