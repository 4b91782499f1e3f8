//! What migrations change, and whether that concerns data.

use schema::catalog::{Column, Table};

use super::tables::is_test_schema;
use crate::project::{MigrationStep, ObjectChange};
use crate::{Limit, Project};

/// Below this, building an index or rewriting a table is nothing to plan for.
pub(crate) const FEW_ROWS: Limit = Limit::new("migration-few-rows", 100_000.0)
    .describe("rows of a table that is built or rewritten without a plan");

/// The table before and after, where a step alters one.
pub(crate) fn table_alteration(step: &MigrationStep) -> Option<(&Table, &Table)> {
    match &step.change {
        ObjectChange::Table { before: Some(before), after: Some(after) } => Some((before, after)),
        _ => None,
    }
}

/// Whether what a step changes may hold data that matters: the same text does not create it, and nothing says that it is for tests.
pub(crate) fn can_hold_data(project: &Project<'_>, step: &MigrationStep, keyspace: &str) -> bool {
    !step.on_new && !is_test_schema(project, step.place, keyspace)
}

/// The rows of a table, where they are declared.
pub(crate) fn table_rows(project: &Project<'_>, keyspace: &str, table: &str) -> Option<f64> {
    project.table(keyspace, table)?.volume.rows
}

/// The columns of the key that have another name now, each with the column that it is now: ALTER TABLE RENAME does that.
pub(crate) fn key_renames<'t>(
    before: &'t Table,
    after: &'t Table,
) -> Vec<(&'t Column, &'t Column)> {
    let parts = [
        (before.partition_key(), after.partition_key()),
        (before.clustering(), after.clustering()),
    ];
    let pairs = parts.into_iter().filter(|(then, now)| then.len() == now.len());
    pairs
        .flat_map(|(then, now)| then.iter().zip(now))
        .filter(|(then, now)| {
            then.ty == now.ty
                && before.column(&now.name).is_none()
                && after.column(&then.name).is_none()
        })
        .collect()
}

/// The one column outside the key that is gone while another of the same type came: another name, most likely.
pub(crate) fn column_rename<'t>(
    before: &'t Table,
    after: &'t Table,
) -> Option<(&'t Column, &'t Column)> {
    let gone = |from: &'t Table, to: &'t Table| -> Vec<&'t Column> {
        let values = from.columns().iter().filter(|column| !column.is_primary_key());
        values.filter(|column| to.column(&column.name).is_none()).collect()
    };
    let (then, now) = (gone(before, after), gone(after, before));
    let ([then], [now]) = (&*then, &*now) else { return None };
    (then.ty == now.ty && then.kind == now.kind).then_some((*then, *now))
}
