//! PK020: time buckets as text.

use cql::types::NativeType;

use crate::vocabulary::times::{bucket_seconds, is_time_bucket};
use crate::vocabulary::types::native_type;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

/// Seconds of a day.
const DAY: f64 = 86_400.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk020_text_time_bucket.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_text = |column: &&schema::catalog::Column| {
        matches!(native_type(&column.ty), Some(NativeType::Text | NativeType::Ascii))
    };
    if table.is_view {
        return;
    }
    for column in
        table.partition_key().iter().filter(is_text).filter(|column| is_time_bucket(column))
    {
        let instead = match bucket_seconds(column) {
            Some(seconds) if seconds < DAY => "a timestamp with the start of the span",
            Some(seconds) if seconds < 8.0 * DAY => "a date",
            _ => "a date with the first day of the span, or an int such as 202601",
        };
        reporter
            .report(
                project.type_location(facts, &column.name),
                format!("Time bucket `{}` is stored as text.", column.name),
            )
            .with_column(table, column)
            .help(format!("use {instead}"));
    }
}
