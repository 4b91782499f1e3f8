//! KS008: a table for each tenant or period.

use crate::facts::tables::table_families;
use crate::{Check, Confidence, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks008_table_per_tenant_or_period.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    for (stem, tables) in table_families(project) {
        let Some(first) = tables.first().and_then(|at| project.tables.get(*at)) else { continue };
        let table = &first.table;
        let keys: Vec<&str> = table.partition_key().iter().map(|column| &*column.name).collect();
        let names: Vec<&str> = tables
            .iter()
            .filter_map(|at| project.tables.get(*at))
            .take(3)
            .map(|facts| &*facts.table.name)
            .collect();
        let message = format!(
            "{} tables have the same columns and key as {} and differ only in the suffix of their names.",
            tables.len(),
            table.name
        );
        reporter
            .report(first.place, message)
            .with_table(table)
            .confidence(Confidence::Medium)
            .note(format!("{}, ...", names.join(", ")))
            .help(format!(
                "use one table {stem}, with the suffix in its key: PRIMARY KEY (({}, part), ...)",
                keys.join(", ")
            ));
    }
}
