//! TB013: `gc_grace_seconds` much longer than the TTL.

use model::concept::DAY;
use model::figures;

use crate::facts::lifetimes::has_ttl_everywhere;
use crate::project::WriteStatement;
use crate::{Check, FixKind, Project, Reporter, RuleEntry, TableFacts};

/// The ratio to the TTL above which it is too long.
const TIMES: f64 = 10.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb013_gc_grace_much_longer_than_ttl.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let grace = f64::from(table.params.gc_grace_seconds);
    let Some(ttl) =
        facts.volume.expires.filter(|ttl| *ttl <= DAY && grace > DAY && grace >= TIMES * ttl)
    else {
        return;
    };
    let deletes = facts.own_writes(project).any(|write: WriteStatement<'_>| write.is_row_delete());
    if deletes || facts.view.is_some() || !has_ttl_everywhere(project, facts) {
        return;
    }
    let message = format!(
        "Expired rows of {} stay on disk for {}.",
        table.name,
        figures::format_duration(grace)
    );
    reporter
        .report(project.option_location(facts, "gc_grace_seconds"), message)
        .with_table(table)
        .note(format!("the TTL is {}", figures::format_duration(ttl)))
        .help("if nothing is ever deleted or overwritten without a TTL, set gc_grace_seconds to between 10800 and 86400")
        .with_fix(project.option_fix(facts, FixKind::Unsafe, "gc_grace_seconds", "86400"));
}
