//! MG004: A migration drops a column, and its values with it.

use schema::catalog::{Column, Table};

use crate::facts::{altered, is_sent, may_hold_data, renamed_keys, renamed_value, uses_column};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Seen, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG004",
    name: "drop-column",
    category: Category::Migration,
    severity: Severity::High,
    asks: &[Asks::Change, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Step(check),
    page: include_str!("drop_column.md"),
};

fn check(project: &Project<'_>, step: &Step, found: &mut Reporter<'_>) {
    let Some((before, after)) = altered(step) else { return };
    if !may_hold_data(project, step, &after.keyspace) {
        return;
    }
    let renamed = renamed_keys(before, after);
    let other_name = renamed_value(before, after).filter(|_| step.statement.is_none());
    for column in before.columns().iter().filter(|column| after.column(&column.name).is_none()) {
        let is_renamed = renamed.iter().any(|(old, _)| old.name == column.name)
            || other_name.is_some_and(|(old, _)| old.name == column.name);
        // A key without the column is another key.
        if is_renamed || column.is_primary_key() {
            continue;
        }
        dropped(project, step, after, column, found);
    }
}

fn dropped(
    project: &Project<'_>,
    step: &Step,
    table: &Table,
    column: &Column,
    found: &mut Reporter<'_>,
) {
    let name = &column.name;
    let uses = |seen: &&Seen| is_sent(project, seen) && uses_column(seen, table, name);
    let user = project.facts(table).and_then(|facts| {
        let mut all = facts.reads(project).chain(facts.writes(project));
        all.find(uses)
    });
    let Some(user) = user else {
        let message = format!("Dropping `{name}` deletes its values on every node.");
        let help = "drop it in a deployment after the one whose code stops using it, and allow(MG004) here";
        found
            .at(step.place, message)
            .of_column(table, column)
            .severity(Severity::Medium)
            .confidence(Confidence::Medium)
            .help(help);
        return;
    };
    let who = user.said.called();
    found
        .at(step.place, format!("Drops `{name}`, which {who} uses."))
        .of_column(table, column)
        .related(user.place, format!("uses `{name}`"))
        .help("deploy code that does not name it first, and drop it later");
}
