//! MG003: a column has a different type than in the earlier schema.

use schema::catalog::ColumnKind;

use crate::facts::migration::table_alteration;
use crate::facts::tables::is_test_schema;
use crate::remedies::{next_version_name, relocation_steps};
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg003_type_change.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    if is_test_schema(project, step.place, &after.keyspace) {
        return;
    }
    for column in after.columns() {
        let Some(then) = before.column(&column.name) else { continue };
        // A field more or less in a user type is a change of that type.
        if then.ty.to_string() == column.ty.to_string() && then.kind == column.kind
            || then.is_primary_key() != column.is_primary_key()
        {
            continue;
        }
        let name = &column.name;
        let (message, help) = if then.kind != column.kind {
            let word =
                if column.kind == ColumnKind::Static { "static" } else { "a regular column" };
            (format!("`{name}` is now {word}, but ALTER cannot change that."), new_column(name))
        } else if column.is_primary_key() {
            let next = next_version_name(project, after);
            (
                format!(
                    "The type of `{name}` changed from {} to {}, but ALTER cannot change types.",
                    then.ty, column.ty
                ),
                relocation_steps(before, after, &next),
            )
        } else {
            (
                format!(
                    "The type of `{name}` changed from {} to {}, but ALTER cannot change types.",
                    then.ty, column.ty
                ),
                new_column(name),
            )
        };
        reporter.report(step.place, message).with_column(after, column).help(help);
    }
}

fn new_column(name: &str) -> String {
    format!(
        "add a column with a different name, write both, copy the old values with their WRITETIME and TTL, read the new one, and drop `{name}`"
    )
}
