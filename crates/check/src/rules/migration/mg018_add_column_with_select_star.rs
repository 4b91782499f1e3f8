//! MG018: A migration adds a column to a table that statements read with SELECT *.

use cql::StatementKind;

use crate::facts::migration::{can_hold_data, table_alteration};
use crate::facts::workload::is_runtime_statement;
use crate::{Check, MigrationStep, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg018_add_column_with_select_star.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let Some((before, after)) = table_alteration(step) else { return };
    let new: Vec<_> =
        after.columns().iter().filter(|column| before.column(&column.name).is_none()).collect();
    let ([first, ..], Some(facts)) = (&*new, project.facts(after)) else { return };
    // A renamed key column is not an added column.
    if new.len() + before.columns().len() != after.columns().len()
        || !can_hold_data(project, step, &after.keyspace)
    {
        return;
    }
    let takes_all = |seen: &&ReplayedStatement| {
        let select = project.syntax(seen).map(|known| &known.kind);
        is_runtime_statement(project, seen)
            && matches!(select, Some(StatementKind::Select(select)) if select.selectors.is_empty() && !select.json)
    };
    let Some(star) = facts.reads(project).find(takes_all) else { return };
    let message = format!(
        "`{}` is added while SELECT * reads `{}`: prepared statements may return rows with different columns.",
        first.name, after.name
    );
    reporter
        .report(step.place, message)
        .with_column(after, first)
        .with_related(star.place, "this statement reads all columns")
        .help("list the columns that the code reads, deploy it, then add the column");
}
