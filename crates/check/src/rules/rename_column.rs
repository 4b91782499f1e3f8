//! MG005: A column outside the key has another name than in the earlier schema.

use cql::printer::identifier;

use crate::facts::{altered, is_for_tests, renamed_value};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG005",
    name: "rename-column",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change],
    by_default: true,
    limits: &[],
    check: Check::Step(check),
    page: include_str!("rename_column.md"),
};

fn check(project: &Project<'_>, step: &Step, found: &mut Reporter<'_>) {
    let Some((before, after)) = altered(step) else { return };
    // Statements that drop and add say what they mean.
    if step.statement.is_some() || is_for_tests(project, step.place, &after.keyspace) {
        return;
    }
    let Some((then, now)) = renamed_value(before, after) else { return };
    let message = format!(
        "`{}` seems to be `{}` now, and only columns of the key can be renamed.",
        then.name, now.name
    );
    let (table, name) = (identifier(&after.name), identifier(&now.name));
    let help = format!(
        "ALTER TABLE {table} ADD {name} {}; then write both, copy the old values with their WRITETIME and TTL, read the new one and \
         drop `{}`; or keep the name and select it AS {name}",
        now.ty, then.name
    );
    found.at(step.place, message).of_column(after, now).confidence(Confidence::Medium).help(help);
}
