//! PK006: a partition key that says how things stand now.

use crate::facts::{
    Moved, constant_partition, is_place, is_registry, is_state, moved, of_partition_key,
};
use crate::{
    Asks, Category, Check, Confidence, Finding, Project, Reporter, Rule, Severity, TableFacts,
};

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

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
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
        told_with(finding.of_column(table, column), evidence).help(format!(
                "partition by an id that never changes, and find rows by `{}` through an index or a second table",
                column.name
            ));
    }
}

/// A finding with what speaks for it: a batch that changes the column, or its name alone.
pub(super) fn told_with<'f>(
    finding: &'f mut Finding,
    evidence: Option<&Moved<'_>>,
) -> &'f mut Finding {
    match evidence {
        Some(batch) => finding.related(batch.place, "this batch changes it"),
        None => finding.confidence(Confidence::Low),
    }
}
