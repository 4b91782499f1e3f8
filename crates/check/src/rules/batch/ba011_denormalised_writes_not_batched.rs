//! BA011: copies written one by one.

use std::collections::BTreeSet;

use schema::access::{AccessPlan, WriteEffect, WritePlan};

use crate::facts::tables::copies;
use crate::facts::workload::is_same_use_case;
use crate::{Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba011_denormalised_writes_not_batched.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let copies = copies(project);
    if copies.is_empty() {
        return;
    }
    let batched = batch_pairs(project, copies);
    let mut told = BTreeSet::new();
    for pair in project.statements.windows(2) {
        let [one, other] = pair else { continue };
        let (Some(first), Some(second)) = (single_write(one), single_write(other)) else {
            continue;
        };
        if first.table.name == second.table.name || !is_same_use_case(project, one, other) {
            continue;
        }
        let tables = table_pair(project, first, second).filter(|tables| copies.contains(tables));
        let Some(tables) = tables else { continue };
        if batched.contains(&tables) || !told.insert(tables) {
            continue;
        }
        let message = format!(
            "{} and {} hold copies of the same rows but are written separately, so they diverge after a partial failure.",
            first.table.name, second.table.name
        );
        reporter
            .report(other.place, message)
            .with_table(&second.table)
            .confidence(Confidence::Medium)
            .with_related(one.place, "the first copy is written here")
            .help("write both in one logged batch (BEGIN BATCH ... APPLY BATCH), or retry the second from a log until it succeeds");
    }
}

/// The write of an INSERT or UPDATE that is in no batch and no transaction.
fn single_write(seen: &ReplayedStatement) -> Option<&WritePlan> {
    match seen.plan()? {
        AccessPlan::Write(write) if !write.conditional && write.effect == WriteEffect::Upsert => {
            Some(write)
        }
        _ => None,
    }
}

/// The positions of the tables of two writes.
fn table_pair(project: &Project<'_>, one: &WritePlan, other: &WritePlan) -> Option<(usize, usize)> {
    let one = project.position(&one.table)?;
    let other = project.position(&other.table)?;
    Some((one.min(other), one.max(other)))
}

/// Pairs that some batch writes together, evidence that their writers handle them.
fn batch_pairs(
    project: &Project<'_>,
    copies: &BTreeSet<(usize, usize)>,
) -> BTreeSet<(usize, usize)> {
    let mut known = BTreeSet::new();
    for (one, other) in copies {
        let writes = |at: usize| project.tables.get(at).map_or(&[][..], |facts| &facts.writes);
        if writes(*one).iter().any(|statement| writes(*other).binary_search(statement).is_ok()) {
            known.insert((*one, *other));
        }
    }
    known
}
