//! TB011: `gc_grace_seconds` shorter than hints are kept.

use model::figures;

use crate::settings::server_seconds;
use crate::{Check, Environment, FixKind, Project, Reporter, RuleEntry, TableFacts};

/// How long hints are kept by default.
const HINT_WINDOW: f64 = 10_800.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb011_gc_grace_below_hint_window.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let grace = f64::from(table.params.gc_grace_seconds);
    let window = server_seconds(project.settings, "max_hint_window").unwrap_or(HINT_WINDOW);
    let is_for_tests = project.settings.environment == Environment::Test;
    if grace <= 0.0 || grace >= window || is_for_tests {
        return;
    }
    let message =
        format!("Hints for {} expire after only {}.", table.name, figures::format_duration(grace));
    let whole = window.ceil().to_string();
    reporter
        .report(project.option_location(facts, "gc_grace_seconds"), message)
        .with_table(table)
        .note(format!(
            "a node that is down longer misses writes, although hints are kept for {}",
            figures::format_duration(window)
        ))
        .help(format!("set gc_grace_seconds to at least {whole}"))
        .with_fix(project.option_fix(facts, FixKind::Unsafe, "gc_grace_seconds", &whole));
}
