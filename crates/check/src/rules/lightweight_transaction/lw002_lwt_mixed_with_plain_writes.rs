//! LW002: columns written with and without IF.

use std::collections::BTreeSet;

use schema::access::{WriteEffect, WritePlan, WriteTarget};
use schema::bind::restrictions::StatementType;
use schema::catalog::Table;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("lw002_lwt_mixed_with_plain_writes.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let transactions = || facts.writes(project).filter(|seen| seen.is_conditional());
    let Some(first) = transactions().next() else { return };
    let (inserts, others): (Vec<_>, Vec<_>) = transactions()
        .flat_map(|seen| writes_of(seen, table))
        .partition(|write| write.statement == StatementType::Insert);
    let in_rows = |write: &&WritePlan| write.target != WriteTarget::Statics;
    let rows = inserts.iter().chain(&others).copied().any(|write| in_rows(&write));
    let voted = ConditionalColumns { created: columns(&inserts), decided: columns(&others), rows };
    let plain = facts.writes(project).filter(|seen| !seen.is_conditional());
    let mixed = plain.flat_map(|seen| {
        writes_of(seen, table)
            .filter_map(|write| voted.find_mixed_write(write))
            .map(move |mixed| (seen, mixed))
    });
    // The most severe one is reported, and of those the first.
    let mut told: Option<(&ReplayedStatement, MixedWrite)> = None;
    for (seen, mixed) in mixed {
        if told.as_ref().is_none_or(|(_, known)| known.severity < mixed.severity) {
            told = Some((seen, mixed));
        }
    }
    let Some((seen, mixed)) = told else { return };
    let column = mixed.column.and_then(|at| table.columns().get(at));
    let what = match column {
        Some(column) => format!("Column `{}` of {} is", column.name, table.name),
        None => format!("Rows of {} are", table.name),
    };
    let message = format!(
        "{what} written with IF elsewhere: a write without IF bypasses Paxos, so either may win."
    );
    let finding = reporter.report(seen.place, message);
    match column {
        Some(column) => finding.with_column(table, column),
        None => finding.with_table(table),
    };
    finding
        .severity(mixed.severity)
        .with_related(first.place, "this statement uses IF")
        .help("use IF in every write (IF EXISTS is enough), or in none");
}

/// What a statement writes to a table.
fn writes_of<'s>(
    seen: &'s ReplayedStatement,
    table: &Table,
) -> impl Iterator<Item = &'s WritePlan> {
    let same = |write: &&WritePlan| {
        write.table.name == table.name && write.table.keyspace == table.keyspace
    };
    seen.writes().filter(same)
}

fn columns(writes: &[&WritePlan]) -> BTreeSet<usize> {
    writes.iter().flat_map(|write| write.columns.iter().copied()).collect()
}

/// The columns that transactions write.
struct ConditionalColumns {
    /// By INSERT.
    created: BTreeSet<usize>,
    /// By UPDATE or DELETE.
    decided: BTreeSet<usize>,
    /// Whether any of them writes rows, and not only static columns.
    rows: bool,
}

/// A plain write of what a transaction writes too.
struct MixedWrite {
    column: Option<usize>,
    severity: Severity,
}

impl ConditionalColumns {
    fn find_mixed_write(&self, plain: &WritePlan) -> Option<MixedWrite> {
        let first_in =
            |known: &BTreeSet<usize>| plain.columns.iter().find(|at| known.contains(at)).copied();
        let (column, severity) = match (first_in(&self.decided), first_in(&self.created)) {
            // The write that creates a row usually precedes any transaction on it.
            (Some(column), _) if plain.statement == StatementType::Insert => {
                (Some(column), Severity::Medium)
            }
            (Some(column), _) => (Some(column), Severity::High),
            (None, Some(column)) => (Some(column), Severity::Medium),
            (None, None) if plain.effect == WriteEffect::DeleteRows => match plain.target {
                WriteTarget::Partition => (None, Severity::Medium),
                WriteTarget::Rows(_) if self.rows => (None, Severity::Medium),
                // Range deletes usually remove rows that are no longer used.
                WriteTarget::Range if self.rows => (None, Severity::Low),
                _ => return None,
            },
            (None, None) => return None,
        };
        Some(MixedWrite { column, severity })
    }
}
