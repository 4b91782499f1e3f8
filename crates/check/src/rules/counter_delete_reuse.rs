//! CN005: counters that are deleted and counted again.

use model::access::{WriteEffect, WritePath};

use crate::facts::{is_time, is_time_bucket, writes_to};
use crate::{Asks, Category, Check, Confidence, Found, Project, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CN005",
    name: "counter-delete-reuse",
    category: Category::Counter,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("counter_delete_reuse.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let table = &facts.table;
    // A key with a time in it is not counted under again once that time is over.
    let is_over =
        table.primary_key().iter().any(|column| is_time(column) || is_time_bucket(column));
    if !table.is_counter() || is_over {
        return;
    }
    let deletes = |write: &WritePath| {
        matches!(write.effect, WriteEffect::DeleteRows | WriteEffect::DeleteColumns)
            && writes_to(write, table)
    };
    let counts = |write: &WritePath| write.effect == WriteEffect::Count && writes_to(write, table);
    let mut deleting = facts.writes(project).filter(|seen| seen.writes().iter().any(deletes));
    let counting = facts.writes(project).find(|seen| seen.writes().iter().any(counts));
    let Some(first) = deleting.next() else { return };
    let finding = found.at(
        first.place,
        format!(
            "A deleted counter of {} may come back wrong when it is counted again.",
            table.name
        ),
    );
    finding
        .of_table(table)
        .confidence(if counting.is_some() { Confidence::High } else { Confidence::Low })
        .help(
            "count under a new key instead: put a period or an epoch number into the primary key",
        );
    if let Some(counting) = counting {
        finding.related(counting.place, "counts under the same keys");
    }
}
