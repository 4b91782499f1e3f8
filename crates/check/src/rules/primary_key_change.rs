//! MG001: A table has another primary key than in the earlier schema.

use cql::printer::identifier;
use schema::catalog::{Column, Table};

use crate::facts::{altered, is_bucket, is_for_tests, next_version, relocation, renamed_keys};
use crate::fix::Edit;
use crate::project::NewKey;
use crate::{Asks, Category, Check, Fix, FixKind, Project, Reporter, Rule, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG001",
    name: "primary-key-change",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Step(check),
    page: include_str!("primary_key_change.md"),
};

fn check(project: &Project<'_>, step: &Step, found: &mut Reporter<'_>) {
    let Some((before, after)) = altered(step) else { return };
    if same_key(before, after) || is_for_tests(project, step.place, &after.keyspace) {
        return;
    }
    let (then, now) = (key(before), key(after));
    let next = next_version(project, after);
    let edits = vec![Edit { place: step.place, text: identifier(&next) }];
    let title = format!("create it as {next} beside the old one");
    let finding = found
        .at(step.place, format!("The key of `{}` changed, and no ALTER changes a key.", after.name))
        .of_table(after)
        .note(format!("it was {then} and is {now}"))
        .help(relocation(before, after, &next))
        .with_fix(Some(Fix { title, kind: FixKind::Plan, edits }));
    let lost = before.partition_key().iter().find(|column| {
        is_bucket(column) && !after.partition_key().iter().any(|now| now.name == column.name)
    });
    if let Some(bucket) = lost {
        finding.note(format!(
            "`{}` no longer divides the partitions: they may grow without bound",
            bucket.name
        ));
    }
}

/// Whether the keys have the same columns, perhaps under other names.
fn same_key(before: &Table, after: &Table) -> bool {
    let renamed = renamed_keys(before, after);
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

fn key(table: &Table) -> String {
    NewKey::of(table).text()
}
