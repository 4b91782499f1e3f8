//! DM013: a value that is looked for before it is inserted.

use std::collections::BTreeSet;

use schema::access::{AccessPlan, ReadPlan, WriteEffect, WritePlan};
use schema::catalog::Column;

use crate::facts::workload::is_same_use_case;
use crate::vocabulary::matcher::has_word;
use crate::{Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm013_uniqueness_by_index.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let reserved = reservation_columns(project);
    for pair in project.statements.windows(2) {
        let [look, insert] = pair else { continue };
        let (Some(read), Some(write)) = (look.read(), plain_insert(insert)) else { continue };
        let same =
            read.table.name == write.table.name && read.table.keyspace == write.table.keyspace;
        if !same || !is_same_use_case(project, look, insert) {
            continue;
        }
        let Some(column) =
            lookup_column(read, write).filter(|column| !reserved.contains(&*column.name))
        else {
            continue;
        };
        let message = format!(
            "Whether `{}` is unique is only checked before the insert: two concurrent clients can both find no row and both insert one.",
            column.name
        );
        reporter
            .report(insert.place, message)
            .with_column(&write.table, column)
            .confidence(Confidence::Medium)
            .with_related(look.place, "the check is here")
            .help(format!(
                "first reserve the value: CREATE TABLE {0}_by_{1} ({1} {2} PRIMARY KEY, ...) and INSERT INTO {0}_by_{1} ... IF NOT EXISTS",
                write.table.name, column.name, column.ty
            ));
    }
}

/// An INSERT without a condition, in no batch.
fn plain_insert(seen: &ReplayedStatement) -> Option<&WritePlan> {
    match seen.plan()? {
        AccessPlan::Write(write) if !write.conditional && write.effect == WriteEffect::Upsert => {
            Some(write)
        }
        _ => None,
    }
}

/// The column that is looked for by an index or filter, inserted next, and unique by its name.
fn lookup_column<'r>(read: &'r ReadPlan, write: &WritePlan) -> Option<&'r Column> {
    const WORDS: &[&str] = &[
        "email", "mail", "username", "login", "phone", "slug", "handle", "nickname", "nick", "sku",
        "isbn", "iban", "ssn", "domain", "url", "serial",
    ];
    let by_index = read.index.iter().flat_map(|index| index.columns.iter());
    let mut columns = by_index.chain(&read.filtering.columns);
    let position = columns.find(|at| write.columns.contains(at))?;
    let column = read.table.columns().get(*position)?;
    let is_unique = has_word(&column.name, WORDS) && !column.is_primary_key();
    is_unique.then_some(column)
}

/// Columns that a separate table reserves: it is keyed by them and written with IF NOT EXISTS.
fn reservation_columns<'p>(project: &'p Project<'_>) -> BTreeSet<&'p str> {
    let tables = project
        .tables
        .iter()
        .filter(|facts| facts.writes(project).any(ReplayedStatement::is_conditional));
    tables
        .filter_map(|facts| facts.table.partition_key().first())
        .map(|column| &*column.name)
        .collect()
}
