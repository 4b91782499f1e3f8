//! PK007: a table with its tenant outside the key, where other tables have it in theirs.

use std::collections::BTreeMap;

use cql::printer::identifier;

use crate::facts::tables::is_registry;
use crate::vocabulary::tenants::{is_tenant, is_tenant_id};
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

/// Fewer tables with a tenant in their key are no convention.
const CONVENTION_MIN: usize = 3;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk007_tenant_missing_from_key.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut by_keyspace: BTreeMap<&str, Vec<&TableFacts>> = BTreeMap::new();
    for facts in project.tables.iter().filter(|facts| !facts.table.is_view) {
        by_keyspace.entry(&facts.table.keyspace).or_default().push(facts);
    }
    for tables in by_keyspace.values() {
        let Some(tenant) = tenant_convention(tables) else { continue };
        for facts in tables {
            report_missing(project, facts, tenant, reporter);
        }
    }
}

/// The tenant column that half of the tables or more have in their partition key.
fn tenant_convention<'t>(tables: &[&'t TableFacts]) -> Option<&'t str> {
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    for facts in tables {
        let tenants = facts.table.partition_key().iter().filter(|column| is_tenant(column));
        for column in tenants {
            *used.entry(&column.name).or_default() += 1;
        }
    }
    let (name, number) = used.into_iter().max_by_key(|(_, number)| *number)?;
    (number >= CONVENTION_MIN && number * 2 >= tables.len()).then_some(name)
}

fn report_missing(
    project: &Project<'_>,
    facts: &TableFacts,
    tenant: &str,
    reporter: &mut Reporter<'_>,
) {
    let table = &facts.table;
    let Some(at) = table.column_index(tenant) else { return };
    let Some(column) = table.regulars().iter().find(|column| &*column.name == tenant) else {
        return;
    };
    if is_registry(facts) || table.partition_key().iter().any(is_tenant_id) {
        return;
    }
    let asked = facts.queries(project).find(|asked| asked.shape.is_used(at));
    let message = format!(
        "`{tenant}` is not in the primary key of {}, so reads by tenant need an index or filtering.",
        table.name
    );
    let finding = reporter.report(project.column_location(facts, tenant), message);
    finding.with_column(table, column).help(format!(
        "make it the first column of the partition key: PRIMARY KEY (({}, ...), ...)",
        identifier(tenant)
    ));
    match asked {
        Some(asked) => finding.with_related(asked.seen.place, "this query restricts it"),
        // Rows that are read by an id need no tenant.
        None => finding.severity(Severity::Low).confidence(Confidence::Low),
    };
}
