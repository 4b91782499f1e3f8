//! PK002: a boolean partition key.

use cql::printer::identifier;
use cql::types::NativeType;

use crate::facts::tables::is_registry;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk002_boolean_partition_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let [column] = table.partition_key() else { return };
    if table.is_view || native_type(&column.ty) != Some(NativeType::Boolean) {
        return;
    }
    // Two rows at most, or a table that stays small.
    let is_small = table.clustering().is_empty() || is_registry(facts);
    let message = format!(
        "Partition key `{}` is boolean, so all rows of {} are in two partitions.",
        column.name, table.name
    );
    let help = match table.clustering().first() {
        Some(next) => format!(
            "partition by an id, and store the flag as a clustering or regular column: PRIMARY KEY ({}, ...)",
            identifier(&next.name)
        ),
        None => "partition by an id, and store the flag as a regular column".to_owned(),
    };
    reporter
        .report(project.key_location(facts, &column.name), message)
        .with_column(table, column)
        .severity(if is_small { Severity::Info } else { Severity::High })
        .confidence(Confidence::Medium)
        .help(help);
}
