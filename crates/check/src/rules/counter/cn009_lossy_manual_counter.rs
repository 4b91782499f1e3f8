//! CN009: numbers that are read, added to and written back.

use schema::access::{Count, ReadPlan};
use schema::catalog::Column;

use crate::facts::workload::{ColumnOperation, table_column_writes};
use crate::vocabulary::quantities::is_count;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn009_lossy_manual_counter.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if !table.columns().iter().any(is_count) {
        return;
    }
    let touched = table_column_writes(project, facts);
    for column in table.columns().iter().filter(|column| is_count(column)) {
        let is_number =
            |value: &cql::term::Term| matches!(value.kind, cql::term::TermKind::Constant(_));
        let write = touched.iter().find(|one| {
            one.column.name == column.name
                && one.operation == ColumnOperation::Replace
                && !one.inserts
                && !one.write.conditional
                && !one.value.is_some_and(is_number)
        });
        let read = facts
            .reads(project)
            .find(|seen| seen.read().is_some_and(|read| is_single_row_read(read, column)));
        let (Some(write), Some(read)) = (write, read) else { continue };
        // Read with other columns it may be for display; alone, it is read to be incremented.
        let is_alone = read.read().is_some_and(|plan| count_other_columns(plan) == 1);
        let name = &column.name;
        reporter
            .report(write.place, format!("Concurrent writers of `{name}` can lose updates."))
            .with_column(table, column)
            .confidence(if is_alone { Confidence::Medium } else { Confidence::Low })
            .with_related(read.place, "this query appears to read the value first")
            .help(format!(
                "use a condition: ... IF {name} = ?, or make it a counter in a separate table: {name} = {name} + 1"
            ));
    }
}

/// Whether a SELECT reads a column of one row.
fn is_single_row_read(read: &ReadPlan, column: &Column) -> bool {
    let is_row = read.partitions == schema::access::Partitions::One
        && (read.table.clustering().is_empty() || read.rows.rows == Some(Count::Known(1)));
    let has = |at: &usize| read.table.columns().get(*at).is_some_and(|one| one.name == column.name);
    is_row && !read.aggregates && read.columns.iter().any(has)
}

/// How many columns outside the key a SELECT reads.
fn count_other_columns(read: &ReadPlan) -> usize {
    let is_other =
        |at: &&usize| read.table.columns().get(**at).is_some_and(|column| !column.is_primary_key());
    read.columns.iter().filter(is_other).count()
}
