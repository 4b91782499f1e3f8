//! IX022: a global index of `ScyllaDB` where a local one would suffice.

use crate::facts::workload::index_reads;

use crate::{Check, Product, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix022_scylla_global_when_local_fits.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    if project.settings.target.product != Product::Scylla {
        return;
    }
    for index in &facts.table.indexes {
        let Some(column) = facts.table.column(&index.column) else { continue };
        if !index_reads(project, facts, index).is_within_partitions() {
            continue;
        }
        let keys: Vec<String> = facts
            .table
            .partition_key()
            .iter()
            .map(|column| cql::printer::identifier(&column.name))
            .collect();
        let (table, name) =
            (cql::printer::identifier(&facts.table.name), cql::printer::identifier(&column.name));
        reporter
            .report(
                project.index_location(facts, index),
                "A local index would avoid a second network hop.",
            )
            .with_column(&facts.table, column)
            .help(format!("CREATE INDEX ON {table} (({}), {name})", keys.join(", ")));
    }
}
