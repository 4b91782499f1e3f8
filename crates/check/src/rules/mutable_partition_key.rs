//! PK006: a partition key that says how things stand now.

use crate::facts::{constant_partition, is_place, is_registry, is_state, moved, of_partition_key};
use crate::{Asks, Category, Check, Confidence, Found, Project, Rule, Severity, TableFacts};

/// Below so many values PK001 speaks.
const FEW: f64 = 1_000.0;

pub(super) static RULE: Rule = Rule {
    code: "PK006",
    name: "mutable-partition-key",
    category: Category::PartitionKey,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("mutable_partition_key.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let table = &facts.table;
    if table.is_view {
        return;
    }
    let moved = moved(project, facts);
    let is_said_already = of_partition_key(facts).is_some_and(|keys| keys.values < FEW);
    let is_quiet = is_said_already
        || is_registry(project, facts)
        || constant_partition(project, facts).is_some();
    for column in table.partition_key() {
        let evidence = moved.iter().find(|moved| moved.column.name == column.name);
        if evidence.is_none() && (is_quiet || !is_state(column) || is_place(table, column)) {
            continue;
        }
        let message = format!(
            "Changing `{}` means a delete and an insert of the row, and leaves a tombstone each time.",
            column.name
        );
        let finding = found.at(project.key_place(facts, &column.name), message);
        finding
            .of_column(table, column)
            .confidence(if evidence.is_some() { Confidence::High } else { Confidence::Low })
            .help(format!(
                "partition by an id that never changes, and find rows by `{}` through an index or a second table",
                column.name
            ));
        if let Some(evidence) = evidence {
            finding.related(evidence.place, "this batch changes it");
        }
    }
}
