//! TB005: many rows of a partition deleted one by one in a batch.

use std::collections::BTreeMap;

use model::figures;
use schema::access::{Count, WriteTarget};

use crate::facts::workload::statement_values;
use crate::project::WriteStatement;
use crate::{Check, Limit, Location, Project, ReplayedStatement, Reporter, RuleEntry};

const ROWS: Limit = Limit::new("row-deletes", 3.0)
    .describe("number of rows of a partition deleted one by one at which a range is better");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb005_row_delete_instead_of_range.md"), Check::Statement(check))
        .with_limits(&[ROWS]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let writes: Vec<WriteStatement<'_>> = project.writes_of(seen).collect();
    if !writes.iter().any(|write| row_delete_count(write).is_some()) {
        return;
    }
    let values = statement_values(project, seen);
    let mut partitions: BTreeMap<Vec<&str>, Vec<Location>> = BTreeMap::new();
    for (write, values) in writes.iter().zip(&values) {
        let rows = row_delete_count(write);
        let table = &write.plan.table;
        let mut key = vec![&*table.keyspace, &*table.name];
        let text = |name: &str| {
            let term = values.value(name)?;
            let text = project.text_at(Location { text: seen.place.text, span: term.span });
            // Two bare markers may have different values.
            (text != "?").then_some(text)
        };
        let known: Option<Vec<&str>> =
            table.partition_key().iter().map(|column| text(&column.name)).collect();
        match (rows, known) {
            (Some(1), Some(known)) => {
                key.extend(known);
                partitions.entry(key).or_default().push(write.place);
            }
            (Some(rows), _) if is_many(reporter.limit(&ROWS), rows) => {
                report(write, rows, write.place, reporter);
            }
            _ => {}
        }
    }
    let limit = reporter.limit(&ROWS);
    for places in partitions.values().filter(|places| is_many(limit, places.len())) {
        let first =
            places.first().and_then(|place| writes.iter().find(|write| write.place == *place));
        if let Some(write) = first {
            report(write, places.len(), write.place, reporter);
        }
    }
}

fn is_many(limit: f64, rows: usize) -> bool {
    f64::from(u32::try_from(rows).unwrap_or(u32::MAX)) >= limit
}

/// Rows that a DELETE names by their whole key, where a range could name them.
fn row_delete_count(write: &WriteStatement<'_>) -> Option<usize> {
    match write.plan.target {
        WriteTarget::Rows(Count::Known(rows))
            if write.is_row_delete()
                && !write.plan.conditional
                && !write.plan.table.clustering().is_empty() =>
        {
            Some(rows)
        }
        _ => None,
    }
}

fn report(write: &WriteStatement<'_>, rows: usize, place: Location, reporter: &mut Reporter<'_>) {
    let table = &write.plan.table;
    let count =
        figures::pluralise(f64::from(u32::try_from(rows).unwrap_or(u32::MAX)), "row tombstone");
    let Some(last) = table.clustering().last() else { return };
    let help = format!(
        "delete a range, if there are no other rows between them: DELETE ... AND {} >= ? AND {0} <= ?",
        last.name
    );
    reporter
        .report(place, format!("The deletes write {count} instead of one range tombstone."))
        .with_table(table)
        .help(help);
}
