//! BA010: a logged batch on a table whose `gc_grace_seconds` is 0.

use cql::BatchKind;
use schema::access::AccessPlan;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ba010_logged_batch_gc_grace_zero.md"), Check::Statement(check));

fn check(_: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(AccessPlan::Batch(batch)) = seen.plan() else { return };
    if batch.kind != BatchKind::Logged || batch.conditional {
        return;
    }
    for table in batch.tables.iter().filter(|table| table.params.gc_grace_seconds == 0) {
        let message = format!(
            "A logged batch writes {}, whose gc_grace_seconds is 0: its batchlog entry expires at once, so the batch may be lost before it is replayed.",
            table.name
        );
        let help = format!(
            "ALTER TABLE {} WITH gc_grace_seconds = 10800; or remove the table from logged batches",
            table.qualified_name()
        );
        reporter.report(seen.place, message).with_table(table).help(help);
    }
}
