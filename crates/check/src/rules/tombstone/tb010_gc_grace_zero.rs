//! TB010: `gc_grace_seconds` of zero.

use crate::facts::lifetimes::has_ttl_everywhere;
use crate::project::WriteStatement;
use crate::vocabulary::matcher::has_word;
use crate::{Check, Environment, FixKind, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb010_gc_grace_zero.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if table.params.gc_grace_seconds != 0 || project.settings.environment == Environment::Test {
        return;
    }
    let deletes = facts.own_writes(project).any(|write: WriteStatement<'_>| write.is_row_delete());
    let is_cache = has_word(&table.name, &["cache", "caches", "lease", "leases", "lock", "locks"]);
    let only_expires = table.params.default_time_to_live > 0 || has_ttl_everywhere(project, facts);
    let severity = if !deletes && (is_cache || table.is_counter()) {
        Severity::Info
    } else if !deletes && only_expires {
        Severity::Medium
    } else {
        Severity::High
    };
    let message = format!(
        "Tombstones in {} can be purged before they reach all replicas, and hints for it are not stored.",
        table.name
    );
    let finding = reporter
        .report(project.option_location(facts, "gc_grace_seconds"), message)
        .with_table(table)
        .severity(severity)
        .note("a hint expires after the shortest gc_grace_seconds of the tables it writes to")
        .help("set gc_grace_seconds to at least 10800, preferably to more than the repair interval")
        .with_fix(project.option_fix(facts, FixKind::Unsafe, "gc_grace_seconds", "864000"));
    if severity == Severity::Medium {
        finding.note("rows expire on their own, so hints are lost, but not deletes");
    }
}
