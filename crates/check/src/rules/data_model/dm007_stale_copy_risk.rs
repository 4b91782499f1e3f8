//! DM007: copies that an update does not change.

use std::collections::{BTreeMap, BTreeSet};

use schema::access::{AccessPlan, WriteEffect, WritePlan};
use schema::bind::restrictions::StatementType;

use crate::facts::tables::copies;
use crate::{Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm007_stale_copy_risk.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut others: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (one, other) in copies(project) {
        others.entry(*one).or_default().push(*other);
        others.entry(*other).or_default().push(*one);
    }
    let mut told = BTreeSet::new();
    for (at, copies) in &others {
        let Some(facts) = project.tables.get(*at) else { continue };
        let copies: Vec<&TableFacts> =
            copies.iter().filter_map(|at| project.tables.get(*at)).collect();
        for column in facts.table.regulars().iter().filter(|column| !column.ty.is_counter()) {
            let Some(update) = first_update(project, facts, &column.name) else { continue };
            let holding = || copies.iter().filter(|copy| copy.table.column(&column.name).is_some());
            let left = holding().find(|copy| is_stale(project, copy, facts, &column.name));
            let Some(left) = left.filter(|_| told.insert((&facts.table.keyspace, &column.name)))
            else {
                continue;
            };
            let all = 1 + holding().count();
            let changed =
                all - holding().filter(|copy| is_stale(project, copy, facts, &column.name)).count();
            let message = format!(
                "`{}` is updated in {changed} of the {all} tables that contain it; {} still has the old value.",
                column.name, left.table.name
            );
            reporter
                .report(update.place, message)
                .with_column(&left.table, column)
                .confidence(Confidence::Medium)
                .with_related(left.place, "this copy is not updated")
                .help(format!("update {} in the same logged batch", left.table.name));
        }
    }
}

fn writes_of<'p>(
    seen: &'p ReplayedStatement,
    facts: &TableFacts,
) -> impl Iterator<Item = &'p WritePlan> {
    let same = |write: &&WritePlan| {
        write.table.name == facts.table.name && write.table.keyspace == facts.table.keyspace
    };
    seen.writes().filter(same)
}

fn is_column_write(write: &WritePlan, column: &str) -> bool {
    let is_it =
        |at: &usize| write.table.columns().get(*at).is_some_and(|known| &*known.name == column);
    write.columns.iter().any(is_it)
}

/// The first UPDATE of a column.
fn first_update<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
    column: &str,
) -> Option<&'p ReplayedStatement> {
    facts.writes(project).find(|seen| {
        writes_of(seen, facts)
            .any(|write| write.statement == StatementType::Update && is_column_write(write, column))
    })
}

/// Whether a copy is written, but no known statement updates the column in it.
fn is_stale(project: &Project<'_>, copy: &TableFacts, source: &TableFacts, column: &str) -> bool {
    let mut writes = copy.writes(project).peekable();
    writes.peek().is_some()
        && !writes.any(|seen| {
            let with_source = matches!(seen.plan(), Some(AccessPlan::Batch(_)))
                && writes_of(seen, source).any(|write| write.statement == StatementType::Update);
            with_source
                || writes_of(seen, copy).any(|write| {
                    // A row that moves is deleted and reinserted.
                    let replaced = write.effect == WriteEffect::DeleteRows;
                    replaced
                        || write.statement == StatementType::Update
                            && is_column_write(write, column)
                })
        })
}
