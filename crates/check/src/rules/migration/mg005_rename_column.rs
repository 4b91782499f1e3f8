//! MG005: a column outside the key has a different name than in the earlier schema.

use cql::printer::identifier;

use crate::facts::migration::{column_rename, table_alteration};
use crate::facts::tables::is_test_schema;
use crate::{Check, Confidence, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg005_rename_column.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    // Explicit DROP and ADD statements are not a rename.
    if step.statement.is_some() || is_test_schema(project, step.place, &after.keyspace) {
        return;
    }
    let Some((then, now)) = column_rename(before, after) else { return };
    let message = format!(
        "`{}` appears to be renamed to `{}`, but only key columns can be renamed.",
        then.name, now.name
    );
    let (table, name) = (identifier(&after.name), identifier(&now.name));
    let help = format!(
        "ALTER TABLE {table} ADD {name} {}; then write both, copy the old values with their WRITETIME and TTL, read the new one and drop `{}`; or keep the name and select it AS {name}",
        now.ty, then.name
    );
    reporter
        .report(step.place, message)
        .with_column(after, now)
        .confidence(Confidence::Medium)
        .help(help);
}
