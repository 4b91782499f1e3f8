//! MG011: A migration shortens the time that deletions are kept.

use schema::catalog::Table;

use crate::facts::{altered, always_expires, figures, may_hold_data};
use crate::project::WriteSyntax;
use crate::{Asks, Category, Check, Project, Reporter, Rule, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG011",
    name: "gc-grace-lowered",
    category: Category::Migration,
    severity: Severity::Medium,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Step(check),
    page: include_str!("gc_grace_lowered.md"),
};

fn check(project: &Project<'_>, step: &Step, found: &mut Reporter<'_>) {
    let Some((before, after)) = altered(step) else { return };
    let (then, now) = (before.params.gc_grace_seconds, after.params.gc_grace_seconds);
    if now >= then || only_expires(project, after) || !may_hold_data(project, step, &after.keyspace)
    {
        return;
    }
    let of = |seconds: i32| {
        if seconds == 0 { "nothing".to_owned() } else { figures::duration(f64::from(seconds)) }
    };
    let message = format!(
        "gc_grace_seconds of `{}` goes from {} to {}: deletions that not every replica has seen may be undone.",
        after.name,
        of(then),
        of(now)
    );
    found.at(step.place, message).of_table(after).help(
        "repair the table on every node first, then ALTER, and from then on repair within the new time",
    );
}

/// Whether statements are known, all that is written expires and nothing is deleted: an expired row that comes back is expired still.
fn only_expires(project: &Project<'_>, table: &Table) -> bool {
    project.facts(table).is_some_and(|facts| {
        !facts.writes.is_empty()
            && always_expires(project, facts)
            && !facts
                .own_writes(project)
                .any(|write| matches!(write.syntax, WriteSyntax::Delete(_)))
    })
}
