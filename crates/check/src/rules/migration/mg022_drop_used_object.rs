//! MG022: A migration drops what statements use.

use super::mg007_drop_and_recreate::recreations;
use schema::catalog::Table;

use crate::facts::workload::TableUsage;
use crate::project::ObjectChange;
use crate::{Check, MigrationStep, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg022_drop_used_object.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let uses = TableUsage::new(project);
    let recreated = recreations(project);
    for step in &project.steps {
        match &step.change {
            ObjectChange::Table { before: Some(table), after: None } => {
                let is_back = step.statement.is_some_and(|at| recreated.contains_key(&at))
                    || project.catalog.table(&table.keyspace, &table.name).is_some();
                let user = uses.statements(table).first().copied().filter(|_| !is_back);
                report(step, table, &table.name, user, reporter);
            }
            ObjectChange::View { before: Some(view), after: None } => {
                let is_back =
                    project.catalog.table(&view.table.keyspace, &view.table.name).is_some();
                let user = uses.statements(&view.table).first().copied().filter(|_| !is_back);
                report(step, &view.table, &view.table.name, user, reporter);
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
                    let user = uses.first_index_read(after, &index.name).filter(|_| !is_back);
                    report(step, after, &index.name, user, reporter);
                }
            }
            _ => {}
        }
    }
}

fn report(
    step: &MigrationStep,
    table: &Table,
    name: &str,
    user: Option<&ReplayedStatement>,
    reporter: &mut Reporter<'_>,
) {
    let Some(user) = user else { return };
    let who = user.annotations.display_name();
    reporter
        .report(step.place, format!("The migration drops `{name}`, which {who} uses."))
        .with_table(table)
        .with_related(user.place, format!("this statement uses `{name}`"))
        .help("first deploy code without the statement, then drop it");
}
