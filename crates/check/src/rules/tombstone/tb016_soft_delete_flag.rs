//! TB016: rows that are marked as deleted and stay.

use cql::types::NativeType;
use schema::catalog::Column;

use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::types::native_type;
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb016_soft_delete_flag.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let flag = table.columns().iter().find(|column| is_flag(column));
    let (Some(flag), false) = (flag, facts.reads.is_empty()) else { return };
    let mut filtered: Option<&ReplayedStatement> = None;
    for seen in facts.reads(project) {
        if !is_filter_on(seen, &flag.name) {
            // Reads by the whole key need no flag.
            let by_key = seen
                .read()
                .is_some_and(|read| read.partitions.is_by_key() && read.rows.rows.is_some());
            if by_key {
                continue;
            }
            return;
        }
        filtered.get_or_insert(seen);
    }
    let Some(seen) = filtered else { return };
    let message = format!(
        "Soft-deleted rows of {} remain stored, and every read has to skip them.",
        table.name
    );
    reporter
        .report(project.column_location(facts, &flag.name), message)
        .with_column(table, flag)
        .with_related(seen.place, format!("this query filters out rows by `{}`", flag.name))
        .help("move soft-deleted rows to a separate table, delete them, or set a TTL on them");
}

fn is_flag(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "deleted",
        "is_deleted",
        "removed",
        "is_removed",
        "archived",
        "is_archived",
        "active",
        "is_active",
        "enabled",
        "is_enabled",
    ];
    let is_truth =
        matches!(native_type(&column.ty), Some(NativeType::Boolean | NativeType::Tinyint));
    is_truth && !column.is_primary_key() && matches_any(&column.name, WORDS)
}

/// Whether a read filters out rows by this column.
fn is_filter_on(seen: &ReplayedStatement, column: &str) -> bool {
    let Some(read) = seen.read() else { return false };
    let is_it = |at: &usize| read.table.columns().get(*at).is_some_and(|own| &*own.name == column);
    read.filtering.columns.iter().any(is_it)
        || read.index.as_ref().is_some_and(|index| index.columns.iter().any(is_it))
}
