//! IX006: an index on a column that changes.

use schema::access::{WriteEffect, WritePlan};
use schema::bind::restrictions::StatementType;
use schema::catalog::{Column, IndexClass, IndexPart};

use crate::facts::workload::index_reads;
use crate::vocabulary::status::is_mutable;

use crate::{
    Check, Confidence, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts,
};

const OFTEN: Limit = Limit::new("index-updates", 10.0).describe(
    "updates per second of an indexed column at which a storage-attached index has severity low",
);
const VERY_OFTEN: Limit = Limit::new("index-updates-many", 100.0).describe(
    "updates per second of an indexed column at which a storage-attached index has severity medium",
);

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix006_index_on_volatile_column.md"), Check::Table(check))
        .with_limits(&[OFTEN, VERY_OFTEN]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for index in &facts.table.indexes {
        let Some(column) = facts.table.column(&index.column) else { continue };
        if column.is_primary_key() || matches!(index.class, IndexClass::Custom(_)) {
            continue;
        }
        let changed = facts
            .writes(project)
            .find(|seen| seen.writes().any(|write| is_column_update(write, facts, column)));
        let by_name = is_mutable(column) && index.part == IndexPart::Simple;
        // An UPDATE of the whole row is no evidence that a particular column changes.
        let in_whole = !by_name && changed.is_some_and(|seen| is_whole_row_update(seen, facts));
        if changed.is_none() && !by_name {
            continue;
        }
        let reads = index_reads(project, facts, index);
        let rate = update_rate(project, facts, column);
        let exceeds = |limit: &Limit| rate.is_some_and(|rate| rate > reporter.limit(limit));
        let is_quiet = reads.is_within_partitions() || reads.is_rare() && !exceeds(&OFTEN);
        let severity = match index.class {
            IndexClass::Sai if exceeds(&VERY_OFTEN) => Severity::Medium,
            IndexClass::Sai if exceeds(&OFTEN) => Severity::Low,
            IndexClass::Sai => Severity::Info,
            _ if is_quiet => Severity::Info,
            _ => Severity::High,
        };
        let what = if index.class == IndexClass::Sai {
            format!(
                "Every change of `{}` adds an entry to the index, and old entries are removed only by compaction.",
                column.name
            )
        } else {
            format!("Every change of `{}` leaves a tombstone in the index.", column.name)
        };
        let one = reporter.report(project.index_location(facts, index), what);
        one.with_column(&facts.table, column).severity(severity);
        match changed {
            Some(seen) if in_whole => one
                .confidence(Confidence::Low)
                .severity(severity.min(Severity::Medium))
                .with_related(seen.place, "this statement writes the whole row"),
            Some(seen) => one.with_related(seen.place, "this statement changes it"),
            None => one.confidence(Confidence::Low).note("inferred from its name only"),
        };
        one.help("create a table for the lookup, with a time span in its key and rows that expire");
    }
}

/// How often statements change a column, per second, where that is said.
fn update_rate(project: &Project<'_>, facts: &TableFacts, column: &Column) -> Option<f64> {
    let changes = facts
        .writes(project)
        .filter(|seen| seen.writes().any(|write| is_column_update(write, facts, column)));
    changes.filter_map(ReplayedStatement::rate).reduce(|one, other| one + other)
}

/// Whether a statement updates more than half of the regular columns of a table, and at least
/// three: the row as a program holds it.
fn is_whole_row_update(seen: &ReplayedStatement, facts: &TableFacts) -> bool {
    let regular = facts.table.columns().iter().filter(|column| !column.is_primary_key()).count();
    seen.writes().any(|write| write.columns.len() >= 3 && write.columns.len() * 2 > regular)
}

/// Whether a write changes a column of rows that may exist.
fn is_column_update(write: &WritePlan, facts: &TableFacts, column: &Column) -> bool {
    let is_own =
        write.table.name == facts.table.name && write.table.keyspace == facts.table.keyspace;
    let at = write.table.column_index(&column.name);
    let touches = at.is_some_and(|at| write.columns.contains(&at));
    let updates =
        write.statement == StatementType::Update || write.effect == WriteEffect::DeleteColumns;
    is_own && touches && updates
}
