//! MG009: A migration gives a table another time to live.

use model::figures;

use crate::facts::migration::{can_hold_data, table_alteration};
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg009_ttl_change.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let (then, now) = (before.params.default_time_to_live, after.params.default_time_to_live);
    // MG024 reports that rows no longer expire.
    if then == now || now == 0 || !can_hold_data(project, step, &after.keyspace) {
        return;
    }
    let kept = if then == 0 {
        "never expire".to_owned()
    } else {
        format!("keep a TTL of {}", figures::format_duration(f64::from(then)))
    };
    let message = format!(
        "New rows expire after {}; existing rows of `{}` {kept}.",
        figures::format_duration(f64::from(now)),
        after.name
    );
    let help = if then == 0 {
        "delete the old rows, or rewrite them with a TTL, if they should expire as well"
    } else {
        "wait until the old rows have expired, or rewrite them"
    };
    reporter.report(step.place, message).with_table(after).help(help);
}
