//! MG001: a table has a different primary key than in the earlier schema.

use cql::printer::identifier;
use schema::catalog::{Column, Table};

use crate::facts::migration::{key_renames, table_alteration};
use crate::facts::tables::is_test_schema;
use crate::fix::Edit;
use crate::remedies::NewKey;
use crate::remedies::{next_version_name, relocation_steps};
use crate::vocabulary::keys::is_bucket;
use crate::{Check, Fix, FixKind, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg001_primary_key_change.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    if is_same_key(before, after) || is_test_schema(project, step.place, &after.keyspace) {
        return;
    }
    let (then, now) = (key_clause(before), key_clause(after));
    let next = next_version_name(project, after);
    let edits = vec![Edit { place: step.place, text: identifier(&next) }];
    let title = format!("create it as {next} in addition to the old one");
    let finding = reporter
        .report(
            step.place,
            format!("The key of `{}` changed, but ALTER cannot change a key.", after.name),
        )
        .with_table(after)
        .note(format!("it was {then} and is now {now}"))
        .help(relocation_steps(before, after, &next))
        .with_fix(Some(Fix { title, kind: FixKind::Plan, edits }));
    let lost = before.partition_key().iter().find(|column| {
        is_bucket(column) && !after.partition_key().iter().any(|now| now.name == column.name)
    });
    if let Some(bucket) = lost {
        finding.note(format!(
            "`{}` no longer splits the partitions, so they may grow without bound",
            bucket.name
        ));
    }
}

/// Whether the keys have the same columns, perhaps under other names.
fn is_same_key(before: &Table, after: &Table) -> bool {
    let renamed = key_renames(before, after);
    let same = |then: &[Column], now: &[Column]| {
        then.len() == now.len()
            && then.iter().zip(now).all(|(then, now)| {
                then.name == now.name
                    || renamed
                        .iter()
                        .any(|(old, new)| old.name == then.name && new.name == now.name)
            })
    };
    same(before.partition_key(), after.partition_key())
        && same(before.clustering(), after.clustering())
}

fn key_clause(table: &Table) -> String {
    NewKey::from_table(table).clause()
}
