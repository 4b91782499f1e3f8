//! CN005: counters that are deleted and incremented again.

use cql::types::NativeType;
use schema::access::{WriteEffect, WritePlan};
use schema::catalog::Column;

use crate::facts::workload::is_write_to;
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn005_counter_delete_reuse.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    // A key with a time is not incremented again once that time has passed.
    let is_over =
        table.primary_key().iter().any(|column| is_time(column) || is_time_bucket(column));
    if !table.is_counter() || is_over {
        return;
    }
    let deletes = |write: &WritePlan| {
        matches!(write.effect, WriteEffect::DeleteRows | WriteEffect::DeleteColumns)
            && is_write_to(write, table)
    };
    let counts =
        |write: &WritePlan| write.effect == WriteEffect::Count && is_write_to(write, table);
    let mut deleting = facts.writes(project).filter(|seen| seen.writes().any(deletes));
    let counting = facts.writes(project).find(|seen| seen.writes().any(counts));
    let Some(first) = deleting.next() else { return };
    let finding = reporter.report(
        first.place,
        format!(
            "A deleted counter of {} may have a wrong value when it is incremented again.",
            table.name
        ),
    );
    // A deleted uuid is not used again: only increments in flight can conflict with the delete.
    let is_reset = |write: &WritePlan| write.effect == WriteEffect::DeleteColumns;
    let is_gone = table.primary_key().iter().any(is_uuid)
        && !first.writes().filter(|write| deletes(write)).any(is_reset);
    finding
        .with_table(table)
        .severity(if is_gone { Severity::Low } else { Severity::High })
        .confidence(if counting.is_some() { Confidence::High } else { Confidence::Low })
        .help("use a new key instead: add a period or an epoch number to the primary key");
    if let Some(counting) = counting {
        finding.with_related(counting.place, "this statement increments the same keys");
    }
}

fn is_uuid(column: &Column) -> bool {
    matches!(native_type(&column.ty), Some(NativeType::Uuid | NativeType::Timeuuid))
}
