//! TY003: times as whole numbers.

use cql::types::NativeType;
use schema::catalog::{Column, ColumnKind};

use crate::facts::tables::column_comments;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::times::is_time_bucket;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ty003_epoch_integer.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    for column in table.columns() {
        let Some(ty) = native_type(&column.ty) else { continue };
        if !is_epoch(column, ty) || has_precision(&column_comments(project, facts, &column.name)) {
            continue;
        }
        let (name, is_short) = (&column.name, ty == NativeType::Int);
        let finding = reporter.report(
            project.type_location(facts, name),
            format!("`{name}` stores a time as {ty}.", ty = ty.name()),
        );
        finding
            .with_column(table, column)
            .severity(if is_short { Severity::Low } else { Severity::Info })
            .confidence(Confidence::Medium)
            .help(
                "declare it as timestamp, or state its unit in a comment: microseconds since 1970",
            );
        if is_short {
            finding.note("seconds since 1970 exceed the range of int on 19 January 2038");
        }
    }
}

/// Whether a whole number is a moment by its name. Spans of time and lengths of time are none.
fn is_epoch(column: &Column, ty: NativeType) -> bool {
    const MOMENTS: &[&str] = &[
        "*_at",
        "ts",
        "*_ts",
        "timestamp",
        "*_timestamp",
        "start_time",
        "end_time",
        "event_time",
        "created_time",
        "create_time",
        "updated_time",
        "update_time",
        "creation_time",
        "modified_time",
        "expiry_time",
        "expiration_time",
        "created_on",
        "updated_on",
        "modified_on",
    ];
    let is_span = column.kind == ColumnKind::Partition && is_time_bucket(column);
    matches!(ty, NativeType::Int | NativeType::Bigint)
        && matches_any(&column.name, MOMENTS)
        && !is_span
}

/// Whether a comment states the unit.
fn has_precision(remarks: &str) -> bool {
    ["micro", "nano", "milli", "second", "epoch", "since 1970"]
        .iter()
        .any(|word| remarks.contains(word))
}
