//! CN010: counters of a period without the period.

use crate::vocabulary::matcher::has_word;
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn010_counter_time_window.md"), Check::Table(check));

fn check(_: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    const PERIODS: &[(&str, &str)] = &[
        ("daily", "day date"),
        ("day", "day date"),
        ("today", "day date"),
        ("hourly", "hour timestamp"),
        ("hour", "hour timestamp"),
        ("weekly", "week date"),
        ("week", "week date"),
        ("monthly", "month date"),
        ("month", "month date"),
    ];
    let table = &facts.table;
    let has_time =
        table.primary_key().iter().any(|column| is_time(column) || is_time_bucket(column));
    if !table.is_counter() || has_time {
        return;
    }
    let names = || {
        table.columns().iter().filter(|column| column.ty.is_counter()).map(|column| &column.name)
    };
    let says =
        |word: &str| has_word(&table.name, &[word]) || names().any(|name| has_word(name, &[word]));
    let Some((_, column)) = PERIODS.iter().find(|(word, _)| says(word)) else { return };
    reporter
        .report(
            facts.place,
            format!("Counters of {} are never removed, because its key has no period.", table.name),
        )
        .with_table(table)
        .confidence(Confidence::Medium)
        .help(format!("add the period to the partition key: {column}"));
}
