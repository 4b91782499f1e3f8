//! QP023: a named query that no table serves.

use crate::project::StatementOutcome;
use crate::remedies::query_table;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp023_uncovered_query.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (StatementOutcome::Refused(refusal), Some(select)) = (&seen.outcome, project.select(seen))
    else {
        return;
    };
    if refusal.rule() != "QV001" || seen.annotations.name.is_none() {
        return;
    }
    let stated = select.table.keyspace.as_ref().map(|name| &*name.text);
    let Some(keyspace) = stated.or(seen.keyspace.as_deref()) else { return };
    let Some(facts) = project.table(keyspace, &select.table.name.text) else { return };
    let one = reporter.report(
        project.select_location(seen),
        format!("{} is not served by any table.", seen.display_name()),
    );
    one.with_table(&facts.table);
    one.help(match query_table(facts, select) {
        Some(table) => format!(
            "create a table for it, and write it in one LOGGED batch with {}:\n{table}",
            facts.table.name
        ),
        None => "create a table whose key is the columns that the query restricts".to_owned(),
    });
}
