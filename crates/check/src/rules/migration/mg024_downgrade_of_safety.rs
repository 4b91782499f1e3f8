//! MG024: a migration disables a safety setting.

use model::figures;

use crate::facts::migration::{can_hold_data, table_alteration};
use crate::facts::tables::is_test_schema;
use crate::project::ObjectChange;
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg024_downgrade_of_safety.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    if let ObjectChange::Keyspace { before: Some(before), after: Some(after) } = &step.change
        && before.durable_writes
        && !after.durable_writes
        && !is_test_schema(project, step.place, &after.name)
    {
        reporter
            .report(step.place, format!("`{}` is less safe than before: durable_writes is disabled, so a crash loses data that was not flushed.", after.name))
            .with_keyspace(&after.name)
            .help("keep durable_writes = true");
    }
    let Some((before, after)) = table_alteration(step) else { return };
    if !can_hold_data(project, step, &after.keyspace) {
        return;
    }
    let (then, now) = (&before.params, &after.params);
    let mut tell = |what: String, help: &str| {
        reporter
            .report(step.place, format!("`{}` is less safe than before: {what}.", after.name))
            .with_table(after)
            .help(help);
    };
    if then.default_time_to_live > 0 && now.default_time_to_live == 0 {
        let was = figures::format_duration(f64::from(then.default_time_to_live));
        tell(
            format!("rows no longer expire after {was}, so the table grows without bound"),
            "keep the TTL, or make sure that every write has USING TTL",
        );
    }
    if then.allow_auto_snapshot && !now.allow_auto_snapshot {
        tell(
            "no snapshot is taken before a DROP or TRUNCATE".to_owned(),
            "keep allow_auto_snapshot = true",
        );
    }
    if then.incremental_backups && !now.incremental_backups {
        tell(
            "new SSTables are not included in incremental backups".to_owned(),
            "keep incremental_backups = true",
        );
    }
}
