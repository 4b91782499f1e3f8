//! PK006: a partition key that holds a current state.

use crate::facts::keys::{KeyUpdate, constant_partition, key_updates};
use crate::facts::tables::is_registry;
use crate::facts::volumes::partition_key_cardinality;
use crate::vocabulary::descriptions::is_address_state;
use crate::vocabulary::status::is_state;
use crate::{Check, Confidence, Finding, Project, Reporter, RuleEntry, TableFacts};

/// Below this number of values, PK001 reports the key.
const FEW: f64 = 1_000.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk006_mutable_partition_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.is_view {
        return;
    }
    let moved = key_updates(project, facts);
    let is_said_already = partition_key_cardinality(facts).is_some_and(|keys| keys.values < FEW);
    let is_quiet =
        is_said_already || is_registry(facts) || constant_partition(project, facts).is_some();
    for column in table.partition_key() {
        let evidence = moved.iter().find(|moved| moved.column.name == column.name);
        if evidence.is_none() && (is_quiet || !is_state(column) || is_address_state(table, column))
        {
            continue;
        }
        let message = format!(
            "Changing `{}` requires deleting and reinserting the row, which leaves a tombstone each time.",
            column.name
        );
        let finding = reporter.report(project.key_location(facts, &column.name), message);
        add_evidence(finding.with_column(table, column), evidence).help(format!(
                "partition by an id that never changes, and look up rows by `{}` through an index or a second table",
                column.name
            ));
    }
}

/// Adds the evidence to a finding: a batch that changes the column, or only its name.
pub(in crate::rules) fn add_evidence<'f>(
    finding: &'f mut Finding,
    evidence: Option<&KeyUpdate<'_>>,
) -> &'f mut Finding {
    match evidence {
        Some(batch) => finding.with_related(batch.place, "this batch changes the value"),
        None => finding.confidence(Confidence::Low),
    }
}
