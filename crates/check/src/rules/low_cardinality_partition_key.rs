//! PK001: a partition key with few values.

use crate::facts::{is_registry, of_partition_key};
use crate::{Asks, Category, Check, Found, Limit, Project, Rule, Severity, TableFacts};

const FEW: Limit = Limit {
    name: "partition-keys-few",
    default: 100.0,
    what: "values of a partition key below which a table is in too few partitions",
};
const ENOUGH: Limit = Limit {
    name: "partition-keys-enough",
    default: 1_000.0,
    what: "values of a partition key from which on a table is spread well",
};

pub(super) static RULE: Rule = Rule {
    code: "PK001",
    name: "low-cardinality-partition-key",
    category: Category::PartitionKey,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[FEW, ENOUGH],
    check: Check::Table(check),
    page: include_str!("low_cardinality_partition_key.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let table = &facts.table;
    let Some(keys) = of_partition_key(facts) else { return };
    if table.is_view || is_registry(project, facts) || keys.values >= 10.0 * found.limit(&ENOUGH) {
        return;
    }
    let severity = if keys.values < found.limit(&FEW) {
        Severity::High
    } else if keys.values < found.limit(&ENOUGH) {
        Severity::Medium
    } else {
        Severity::Info
    };
    let Some(first) = table.partition_key().first() else { return };
    let names: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
    let names = names.join(", ");
    let message = format!(
        "Partition key `{names}` can take only about {0} values, so {1} lives in {0} partitions whatever the cluster size.",
        keys.values, table.name
    );
    let help = format!(
        "add a column with many values, or a bucket, to the partition key: PRIMARY KEY (({names}, bucket), ...)"
    );
    found
        .at(project.key_place(facts, &first.name), message)
        .of_column(table, first)
        .severity(severity)
        .confidence(keys.confidence)
        .help(help);
}
