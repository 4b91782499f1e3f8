//! TB011: `gc_grace_seconds` shorter than hints are kept.

use model::figures;

use crate::facts::server_seconds;
use crate::{
    Asks, Category, Check, Environment, FixKind, Project, Reporter, Rule, Severity, TableFacts,
};

/// How long hints are kept unless the server is told otherwise.
const HINT_WINDOW: f64 = 10_800.0;

pub(super) static RULE: Rule = Rule {
    code: "TB011",
    name: "gc-grace-below-hint-window",
    category: Category::Tombstone,
    severity: Severity::Medium,
    asks: &[Asks::Schema, Asks::Server],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("gc_grace_below_hint_window.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let grace = f64::from(table.params.gc_grace_seconds);
    let window = server_seconds(project.settings, "max_hint_window").unwrap_or(HINT_WINDOW);
    let is_for_tests = project.settings.environment == Environment::Test;
    if grace <= 0.0 || grace >= window || is_for_tests {
        return;
    }
    let message = format!("Hints for {} live only {}.", table.name, figures::duration(grace));
    let whole = window.ceil().to_string();
    found
        .at(project.option_place(facts, "gc_grace_seconds"), message)
        .of_table(table)
        .note(format!(
            "a node that is down longer misses writes, although hints are kept for {}",
            figures::duration(window)
        ))
        .help(format!("set gc_grace_seconds to at least {whole}"))
        .with_fix(project.with_option(facts, FixKind::Unsafe, "gc_grace_seconds", &whole));
}
