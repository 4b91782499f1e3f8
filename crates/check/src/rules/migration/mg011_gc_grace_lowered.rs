//! MG011: A migration shortens the time that deletions are kept.

use model::figures;
use schema::catalog::Table;

use crate::facts::lifetimes::has_ttl_everywhere;
use crate::facts::migration::{can_hold_data, table_alteration};
use crate::project::WriteSyntax;
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg011_gc_grace_lowered.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let (then, now) = (before.params.gc_grace_seconds, after.params.gc_grace_seconds);
    if now >= then
        || is_expiry_only(project, after)
        || !can_hold_data(project, step, &after.keyspace)
    {
        return;
    }
    let of = |seconds: i32| {
        if seconds == 0 {
            "nothing".to_owned()
        } else {
            figures::format_duration(f64::from(seconds))
        }
    };
    let message = format!(
        "gc_grace_seconds of `{}` changes from {} to {}: data whose deletion has not reached every replica may reappear.",
        after.name,
        of(then),
        of(now)
    );
    reporter.report(step.place, message).with_table(after).help(
        "repair the table on every node first, then ALTER; from then on, repair within the new interval",
    );
}

/// Whether statements are known, all that is written expires and nothing is deleted: an expired row
/// that comes back is expired still.
fn is_expiry_only(project: &Project<'_>, table: &Table) -> bool {
    project.facts(table).is_some_and(|facts| {
        !facts.writes.is_empty()
            && has_ttl_everywhere(project, facts)
            && !facts
                .own_writes(project)
                .any(|write| matches!(write.syntax, WriteSyntax::Delete(_)))
    })
}
