//! MG022: A migration drops what statements use.

use super::drop_and_recreate::recreated;
use schema::catalog::Table;

use crate::facts::Uses;
use crate::project::ObjectChange;
use crate::{Asks, Category, Check, Project, Reporter, Rule, Seen, Severity, Step};

pub(super) static RULE: Rule = Rule {
    code: "MG022",
    name: "drop-used-object",
    category: Category::Migration,
    severity: Severity::Error,
    asks: &[Asks::Change, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Project(check),
    page: include_str!("drop_used_object.md"),
};

fn check(project: &Project<'_>, found: &mut Reporter<'_>) {
    let uses = Uses::of(project);
    let recreated = recreated(project);
    for step in &project.steps {
        match &step.change {
            ObjectChange::Table { before: Some(table), after: None } => {
                let is_back = step.statement.is_some_and(|at| recreated.contains_key(&at))
                    || project.catalog.table(&table.keyspace, &table.name).is_some();
                let user = uses.table(table).first().copied().filter(|_| !is_back);
                tell(step, table, &table.name, user, found);
            }
            ObjectChange::View { before: Some(view), after: None } => {
                let is_back =
                    project.catalog.table(&view.table.keyspace, &view.table.name).is_some();
                let user = uses.table(&view.table).first().copied().filter(|_| !is_back);
                tell(step, &view.table, &view.table.name, user, found);
            }
            ObjectChange::Table { before: Some(before), after: Some(after) } => {
                let gone = before
                    .indexes
                    .iter()
                    .filter(|index| !after.indexes.iter().any(|left| left.name == index.name));
                for index in gone {
                    let now = project.catalog.table(&after.keyspace, &after.name);
                    // Another index may serve the statement as well.
                    let is_back = now.is_some_and(|now| {
                        now.indexes.iter().any(|left| left.column == index.column)
                    });
                    let user = uses.index(after, &index.name).filter(|_| !is_back);
                    tell(step, after, &index.name, user, found);
                }
            }
            _ => {}
        }
    }
}

fn tell(step: &Step, table: &Table, name: &str, user: Option<&Seen>, found: &mut Reporter<'_>) {
    let Some(user) = user else { return };
    let who = user.said.called();
    found
        .at(step.place, format!("Drops `{name}`, which {who} uses."))
        .of_table(table)
        .related(user.place, format!("uses `{name}`"))
        .help("deploy code without the statement first, and drop it later");
}
