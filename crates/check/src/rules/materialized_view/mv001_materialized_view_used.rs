//! MV001: a materialized view.

use crate::facts::tables::is_test_schema;
use crate::facts::volumes::partition_key_cardinality;
use crate::remedies::view_table;
use crate::{Check, FixKind, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv001_materialized_view_used.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(view) = &facts.view else { return };
    let target = project.settings.target;
    let severity = match target.product {
        // Keyspaces does not support views, which PT001 reports.
        Product::Keyspaces => return,
        Product::Apache if is_test_schema(project, facts.place, &facts.table.keyspace) => {
            Severity::Low
        }
        Product::Apache if target.is_apache_from((4, 0)) => Severity::High,
        Product::Apache => Severity::Medium,
        Product::Dse | Product::Astra | Product::Scylla => Severity::Info,
    };
    let name = &facts.table.name;
    let message = if target.product == Product::Apache {
        format!("{name} is a materialized view, an experimental feature of {}.", target.name())
    } else {
        format!("{name} makes each write to {} read the row first.", view.base_table)
    };
    let written = project.view_creation(facts).map(|create| cql::printer::print(&create.name));
    let table = view_table(&facts.table, &written.unwrap_or_default());
    let finding = reporter.report(facts.place, message);
    finding.with_table(&facts.table).severity(severity).help(format!(
        "create a separate table, and write it with {} in a logged batch:\n{table}",
        view.base_table
    ));
    if target.is_apache_from((4, 0)) {
        finding.note(
            "materialized views are disabled unless materialized_views_enabled is true in cassandra.yaml",
        );
    }
    // A table in a handful of partitions is no better than such a view.
    let spreads = partition_key_cardinality(facts).is_none_or(|keys| keys.values >= 10_000.0);
    if let (true, Some(seen)) = (spreads, project.statements.get(facts.statement)) {
        finding.fix(FixKind::Plan, "use a separate table", seen.place, table);
    }
}
