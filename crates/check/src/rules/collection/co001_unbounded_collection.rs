//! CO001: a collection that only grows.

use schema::access::WriteEffect;
use schema::catalog::Column;

use crate::facts::tables::is_registry;
use crate::facts::workload::{ColumnOperation, ColumnWrite, is_write_to, table_column_writes};
use crate::remedies::child_table;
use crate::vocabulary::collections::{is_bounded_name, is_growing_name};
use crate::vocabulary::matcher::has_word;
use crate::vocabulary::table_names::is_choice_name;
use crate::{
    Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co001_unbounded_collection.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let expires = table.params.default_time_to_live > 0;
    let collections = table.columns().iter().enumerate();
    let mut collections = collections
        .filter(|(at, column)| {
            // CO002 checks declared sizes.
            column.ty.is_collection()
                && !column.is_primary_key()
                && facts.volume.items(*at).is_none()
        })
        .peekable();
    if facts.view.is_some() || expires || collections.peek().is_none() || is_registry(facts) {
        return;
    }
    let touched = table_column_writes(project, facts);
    for (_, column) in collections {
        let own: Vec<&ColumnWrite<'_>> =
            touched.iter().filter(|one| one.column.name == column.name).collect();
        let Some((severity, confidence)) = growth_severity(project, facts, column, &own) else {
            continue;
        };
        let name = &column.name;
        let finding = reporter.report(
            project.column_location(facts, name),
            format!("`{name}` only grows, and it is always read as a whole, without paging."),
        );
        finding.with_column(table, column).severity(severity).confidence(confidence);
        if let Some(adds) = own.iter().find(|one| one.operation.is_addition()) {
            finding.with_related(adds.place, "this statement adds elements, and none removes them");
        }
        if let Some(child) = child_table(table, column) {
            finding.help(format!("store each element as a row:\n{child}"));
        }
    }
}

/// The severity and confidence that a collection grows without bound.
fn growth_severity(
    project: &Project<'_>,
    facts: &TableFacts,
    column: &Column,
    own: &[&ColumnWrite<'_>],
) -> Option<(Severity, Confidence)> {
    let says_so = is_growing_name(&column.name);
    let is_few = is_bounded_name(&column.name);
    let adds = own.iter().any(|one| one.operation.is_addition() && !one.write.has_ttl);
    let takes = own.iter().any(|one| {
        one.operation.is_removal() || one.operation == ColumnOperation::Replace && !one.inserts
    });
    if adds {
        let rows_end = || {
            let mut writes = facts.writes(project).flat_map(ReplayedStatement::writes);
            writes.any(|write| {
                write.effect == WriteEffect::DeleteRows && is_write_to(write, &facts.table)
            })
        };
        return match says_so {
            _ if takes || is_few => None,
            true => Some((Severity::High, Confidence::High)),
            false if rows_end() => None,
            false => Some((Severity::Medium, Confidence::High)),
        };
    }
    if !own.is_empty() {
        // Written as a whole each time: only a history is read, extended and written back.
        let is_history = has_word(&column.name, &["history", "histories", "changes"]);
        return (is_history && !takes).then_some((Severity::High, Confidence::Low));
    }
    if is_choice_name(&facts.table.name) {
        return None;
    }
    let confidence =
        if is_growing_name(&facts.table.name) { Confidence::Medium } else { Confidence::Low };
    says_so.then_some((Severity::High, confidence))
}
